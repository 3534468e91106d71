// result.h: what a call can answer. One list of code + sentence makes the enum and the texts.
#ifndef OOZE_RESULT_H
#define OOZE_RESULT_H

#ifdef __cplusplus
extern "C" {
#endif

#define OZ_RESULTS(X)                                                                              \
	X(OZ_OK, "done")                                                                           \
	X(OZ_ERROR_MEMORY, "out of memory")                                                        \
	X(OZ_ERROR_ARGUMENT, "an argument is missing or makes no sense")                           \
	X(OZ_ERROR_RANGE, "a parameter is outside its range")                                      \
	X(OZ_ERROR_NOT_FOUND, "no such thing")                                                     \
	X(OZ_ERROR_FILE, "a file cannot be read or written")                                       \
	X(OZ_ERROR_FORMAT, "a file is not what it claims to be")                                   \
	X(OZ_ERROR_VERSION, "a file was written by another version")                               \
	X(OZ_ERROR_CHECKSUM, "a file is damaged")                                                  \
	X(OZ_ERROR_SCENE, "the scene is wrong")                                                    \
	X(OZ_ERROR_MESH, "the mesh cannot be used")                                                \
	X(OZ_ERROR_DEVICE, "the device failed")                                                    \
	X(OZ_ERROR_UNAVAILABLE, "this build leaves that part out")                                 \
	X(OZ_ERROR_STOPPED, "stopped on request")

typedef enum oz_result {
#define OZ_RESULT_CODE(code, sentence) code,
	OZ_RESULTS(OZ_RESULT_CODE)
#undef OZ_RESULT_CODE
	        OZ_RESULT_COUNT
} oz_result;

// What went wrong, where, and the remedy, in one sentence. Callers that do not care pass NULL.
typedef struct oz_error {
	oz_result code;
	char text[1000];
} oz_error;

// Gives the general sentence of a code; never NULL, also for codes that do not exist.
const char *oz_result_text(oz_result code);

#ifdef __cplusplus
}
#endif
#endif
