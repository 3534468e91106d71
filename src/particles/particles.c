// particles.c: memory and order of the particle fields.
#include "particles/particles.h"

static size_t bytes_per_particle(void)
{
	return 0
#define OZ_FIELD_BYTES(type, name, kind) +sizeof(type)
	        OZ_PARTICLE_FIELDS(OZ_FIELD_BYTES)
#undef OZ_FIELD_BYTES
	                ;
}

void oz_particles_free(oz_device *d, oz_particles *p)
{
#define OZ_FIELD_FREE(type, name, kind) d->ops->release(d, p->name, sizeof(type) * p->capacity);
	OZ_PARTICLE_FIELDS(OZ_FIELD_FREE)
#undef OZ_FIELD_FREE
	*p = (oz_particles){0};
}

static bool alloc_all(oz_device *d, oz_particles *p)
{
	bool whole = true;
#define OZ_FIELD_ALLOC(type, name, kind)                                                           \
	p->name = d->ops->alloc(d, sizeof(type) * p->capacity);                                    \
	whole = whole && p->name;
	OZ_PARTICLE_FIELDS(OZ_FIELD_ALLOC)
#undef OZ_FIELD_ALLOC
	return whole;
}

oz_result oz_particles_reserve(oz_device *d, oz_particles *p, uint32_t capacity, oz_error *error)
{
	if (capacity <= p->capacity)
		return OZ_OK;
	oz_particles fresh = {.count = p->count, .capacity = capacity};
	if (!alloc_all(d, &fresh)) {
		oz_particles_free(d, &fresh);
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for %u particles of %zu bytes each; use a larger "
		               "spacing",
		               capacity, bytes_per_particle());
	}
#define OZ_FIELD_COPY(type, name, kind)                                                            \
	d->ops->copy(d, fresh.name, p->name, sizeof(type) * p->count);
	OZ_PARTICLE_FIELDS(OZ_FIELD_COPY)
#undef OZ_FIELD_COPY
	oz_particles_free(d, p);
	*p = fresh;
	return OZ_OK;
}

// gathers a field into the memory of a RESULT field, and the two trade places
static void reorder_field(oz_device *d, void **field, void **spare, const uint *index,
                          uint32_t count, size_t size)
{
	d->ops->gather(d, *spare, *field, index, count, size);
	void *old = *field;
	*field = *spare;
	*spare = old;
}

void oz_particles_reorder(oz_device *d, oz_particles *p, const uint *index)
{
#define REORDER_STATE(type, name)                                                                  \
	reorder_field(d, (void **)&p->name,                                                        \
	              sizeof(type) == sizeof(oz_float4) ? (void **)&p->wall                        \
	                                                : (void **)&p->density,                    \
	              index, p->count, sizeof(type));
#define REORDER_ANCHOR(type, name)
#define REORDER_RESULT(type, name)
#define OZ_FIELD_REORDER(type, name, kind)                                                         \
	_Static_assert(sizeof(type) == sizeof *p->wall || sizeof(type) == sizeof *p->density,      \
	               "a RESULT field of that size lends its memory");                            \
	REORDER_##kind(type, name)
	OZ_PARTICLE_FIELDS(OZ_FIELD_REORDER)
#undef OZ_FIELD_REORDER
}
