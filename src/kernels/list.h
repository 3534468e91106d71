// list.h: the list of all kernels. A new kernel file is included in all.h and its kernels are named
// here, with the way they are launched (oz_kernel_way): over items, over groups of items
// (OZ_REDUCE_KERNEL), over items with quick memory (OZ_STAGE_KERNEL), or on the CPU alone
// (all_simd.h).
#ifndef OZ_KERNEL_LIST_H
#define OZ_KERNEL_LIST_H

#define OZ_KERNELS(X)                                                                              \
	X(probe, EACH)                                                                             \
	X(cell_key, EACH)                                                                          \
	X(cell_start, EACH)                                                                        \
	X(cell_search, EACH)                                                                       \
	X(neighbour_count, EACH)                                                                   \
	X(neighbour_fill, STAGE)                                                                   \
	X(list_build, CPU)                                                                         \
	X(list_room, EACH)                                                                         \
	X(list_start, EACH)                                                                        \
	X(chart_depth, EACH)                                                                       \
	X(chart_slope, EACH)                                                                       \
	X(wall_weight, EACH)                                                                       \
	X(move, EACH)                                                                              \
	X(fluid_density, EACH)                                                                     \
	X(fluid_force, EACH)                                                                       \
	X(heat_take, EACH)                                                                         \
	X(heat_conduct, EACH)                                                                      \
	X(heat_region, EACH)                                                                       \
	X(blend_soften, EACH)                                                                      \
	X(rest_place, EACH)                                                                        \
	X(rest_count, EACH)                                                                        \
	X(rest_density, EACH)                                                                      \
	X(blend_members, EACH)                                                                     \
	X(rest_fill, EACH)                                                                         \
	X(blend_weigh, EACH)                                                                       \
	X(blend_centre, EACH)                                                                      \
	X(blend_take, EACH)                                                                        \
	X(blend_match, EACH)                                                                       \
	X(blend_turn, EACH)                                                                        \
	X(blend_goal, EACH)                                                                        \
	X(blend_feel, EACH)                                                                        \
	X(slot_find, EACH)                                                                         \
	X(contact_tie, EACH)                                                                       \
	X(eos_solve, EACH)                                                                         \
	X(contact_part, EACH)                                                                      \
	X(contact_density, EACH)                                                                   \
	X(contact_force, EACH)                                                                     \
	X(contact_damp, EACH)                                                                      \
	X(solid_count, EACH)                                                                       \
	X(solid_volume, EACH)                                                                      \
	X(solid_fit, EACH)                                                                         \
	X(solid_spring, EACH)                                                                      \
	X(solid_join_blocks, CPU)                                                                  \
	X(slot_place, EACH)                                                                        \
	X(solid_take, EACH)                                                                        \
	X(solid_stretch, EACH)                                                                     \
	X(solid_turn, EACH)                                                                        \
	X(solid_stress, EACH)                                                                      \
	X(solid_pull, EACH)                                                                        \
	X(solid_apply, EACH)                                                                       \
	X(solid_grasp, EACH)                                                                       \
	X(solid_guess, EACH)                                                                       \
	X(solid_residual, REDUCE)                                                                  \
	X(solid_energy, REDUCE)                                                                    \
	X(solid_join, REDUCE)                                                                      \
	X(solid_advance, REDUCE)                                                                   \
	X(solid_aim, EACH)                                                                         \
	X(solid_drift, EACH)                                                                       \
	X(solid_return, EACH)                                                                      \
	X(solid_finish, EACH)                                                                      \
	X(solid_shake, REDUCE)                                                                     \
	X(solid_again, EACH)                                                                       \
	X(solid_image, REDUCE)                                                                     \
	X(phase_ask, EACH)                                                                         \
	X(phase_change, EACH)                                                                      \
	X(phase_settle, EACH)                                                                      \
	X(phase_group, EACH)                                                                       \
	X(set_move, EACH)                                                                          \
	X(slot_phase, EACH)                                                                        \
	X(lump_open, EACH)                                                                         \
	X(lump_largest, EACH)                                                                      \
	X(lump_sum, EACH)                                                                          \
	X(lump_decide, EACH)                                                                       \
	X(lump_forget, EACH)                                                                       \
	X(lump_alone, EACH)                                                                        \
	X(lump_touch, EACH)                                                                        \
	X(lump_group, EACH)                                                                        \
	X(lump_lowest, EACH)                                                                       \
	X(lump_link, EACH)                                                                         \
	X(lump_name, EACH)                                                                         \
	X(lump_tag, EACH)                                                                          \
	X(lump_tell, EACH)                                                                         \
	X(lump_whose, EACH)                                                                        \
	X(bounds_count, EACH)                                                                      \
	X(measure, REDUCE)                                                                         \
	X(measure_join, REDUCE)                                                                    \
	X(steer, EACH)

#endif
