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
	X(sdf_wall_node, EACH)                                                                     \
	X(sdf_wall_slope, EACH)                                                                    \
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
	X(blend_rotate, EACH)                                                                      \
	X(blend_goal, EACH)                                                                        \
	X(blend_feel, EACH)                                                                        \
	X(slot_find, EACH)                                                                         \
	X(contact_find_key, EACH)                                                                  \
	X(eos_solve, EACH)                                                                         \
	X(contact_part, EACH)                                                                      \
	X(contact_density, EACH)                                                                   \
	X(contact_force, EACH)                                                                     \
	X(contact_damp, EACH)                                                                      \
	X(elastic_count, EACH)                                                                     \
	X(elastic_volume, EACH)                                                                    \
	X(elastic_fit, EACH)                                                                       \
	X(elastic_spring, EACH)                                                                    \
	X(elastic_join_blocks, CPU)                                                                \
	X(slot_place, EACH)                                                                        \
	X(elastic_take, EACH)                                                                      \
	X(elastic_stretch, EACH)                                                                   \
	X(elastic_rotate, EACH)                                                                    \
	X(elastic_stress, EACH)                                                                    \
	X(elastic_pull, EACH)                                                                      \
	X(elastic_apply, EACH)                                                                     \
	X(elastic_grasp, EACH)                                                                     \
	X(elastic_guess, EACH)                                                                     \
	X(elastic_residual, REDUCE)                                                                \
	X(elastic_energy, REDUCE)                                                                  \
	X(elastic_join, REDUCE)                                                                    \
	X(elastic_advance, REDUCE)                                                                 \
	X(elastic_direct, EACH)                                                                    \
	X(elastic_drift, EACH)                                                                     \
	X(elastic_return, EACH)                                                                    \
	X(elastic_finish, EACH)                                                                    \
	X(elastic_shake, REDUCE)                                                                   \
	X(elastic_again, EACH)                                                                     \
	X(elastic_image, REDUCE)                                                                   \
	X(phase_ask, EACH)                                                                         \
	X(phase_change, EACH)                                                                      \
	X(phase_settle, EACH)                                                                      \
	X(phase_group, EACH)                                                                       \
	X(set_move, EACH)                                                                          \
	X(slot_phase, EACH)                                                                        \
	X(component_open, EACH)                                                                    \
	X(component_largest, EACH)                                                                 \
	X(component_sum, EACH)                                                                     \
	X(component_decide, EACH)                                                                  \
	X(component_forget, EACH)                                                                  \
	X(component_alone, EACH)                                                                   \
	X(component_touch, EACH)                                                                   \
	X(component_group, EACH)                                                                   \
	X(component_lowest, EACH)                                                                  \
	X(component_link, EACH)                                                                    \
	X(component_name, EACH)                                                                    \
	X(component_tag, EACH)                                                                     \
	X(component_tell, EACH)                                                                    \
	X(component_whose, EACH)                                                                   \
	X(bounds_count, EACH)                                                                      \
	X(measure, REDUCE)                                                                         \
	X(measure_join, REDUCE)                                                                    \
	X(steer, EACH)

#endif
