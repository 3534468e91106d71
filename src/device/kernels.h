// kernels.h: the list of all kernels. A new kernel file is included in all_kernels.h and its
// kernels are named here; launch ids and the table of each backend follow.
#ifndef OZ_KERNELS_H
#define OZ_KERNELS_H

#define OZ_KERNELS(X)                                                                              \
	X(probe)                                                                                   \
	X(cell_key)                                                                                \
	X(cell_start)                                                                              \
	X(cell_search)                                                                             \
	X(neighbour_count)                                                                         \
	X(neighbour_fill)                                                                          \
	X(list_room)                                                                               \
	X(list_start)                                                                              \
	X(wall_weight)                                                                             \
	X(move)                                                                                    \
	X(fluid_density)                                                                           \
	X(fluid_force)                                                                             \
	X(cluster_place)                                                                           \
	X(cluster_count)                                                                           \
	X(cluster_fill)                                                                            \
	X(cluster_weigh)                                                                           \
	X(cluster_centre)                                                                          \
	X(blend_take)                                                                              \
	X(blend_match)                                                                             \
	X(blend_turn)                                                                              \
	X(blend_goal)                                                                              \
	X(blend_feel)                                                                              \
	X(blend_find)                                                                              \
	X(blend_tie)                                                                               \
	X(blend_share)                                                                             \
	X(blend_density)                                                                           \
	X(blend_force)                                                                             \
	X(lump_open)                                                                               \
	X(lump_largest)                                                                            \
	X(lump_sum)                                                                                \
	X(lump_decide)                                                                             \
	X(lump_forget)                                                                             \
	X(lump_alone)                                                                              \
	X(lump_touch)                                                                              \
	X(lump_group)                                                                              \
	X(lump_lowest)                                                                             \
	X(lump_link)                                                                               \
	X(lump_name)                                                                               \
	X(lump_tag)                                                                                \
	X(lump_tell)                                                                               \
	X(lump_whose)                                                                              \
	X(bounds_count)                                                                            \
	X(measure)                                                                                 \
	X(measure_join)                                                                            \
	X(steer)

typedef enum oz_kernel_id {
#define OZ_KERNEL_ID(k) OZ_K_##k,
	OZ_KERNELS(OZ_KERNEL_ID)
#undef OZ_KERNEL_ID
	        OZ_K_COUNT
} oz_kernel_id;

#endif
