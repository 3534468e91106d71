// tracer_absent.c: replaces the tracer in a build without Embree: creating one always fails.
#include "base/base.h"
#include "render/render.h"

oz_result oz_tracer_create(uint32_t width, uint32_t height, uint32_t threads, oz_tracer **tracer,
                           oz_error *error)
{
	(void)width, (void)height, (void)threads;
	*tracer = NULL;
	return oz_fail(error, OZ_ERROR_UNAVAILABLE,
	               "this build of ooze leaves out the tracing of pictures; install Embree 3 "
	               "(libembree-dev) and build it again");
}

void oz_tracer_destroy(oz_tracer *tracer)
{
	(void)tracer;
}

oz_result oz_tracer_draw(oz_tracer *tracer, const oz_painting *painting, oz_picture *picture,
                         oz_error *error)
{
	(void)tracer, (void)painting, (void)picture;
	return oz_fail(error, OZ_ERROR_UNAVAILABLE,
	               "this build of ooze leaves out the tracing of pictures; install Embree 3 "
	               "(libembree-dev) and build it again");
}

const oz_vec3 *oz_tracer_light(const oz_tracer *tracer)
{
	(void)tracer;
	return NULL;
}
