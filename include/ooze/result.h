// result.h: result codes and errors. The enum and the texts are made from one list.
#ifndef OOZE_RESULT_H
#define OOZE_RESULT_H

#ifdef __cplusplus
extern "C" {
#endif

#define OZ_RESULTS(X)                                                                              \
	X(OZ_OK, "done")                                                                           \
	X(OZ_ERROR_MEMORY, "out of memory")                                                        \
	X(OZ_ERROR_ARGUMENT, "an argument is missing or not valid")                                \
	X(OZ_ERROR_RANGE, "a parameter is outside its range")                                      \
	X(OZ_ERROR_NOT_FOUND, "there is no object with that name or number")                       \
	X(OZ_ERROR_FILE, "a file cannot be read or written")                                       \
	X(OZ_ERROR_FORMAT, "a file does not have the expected format")                             \
	X(OZ_ERROR_VERSION, "a file was written by another version")                               \
	X(OZ_ERROR_CHECKSUM, "a file is damaged")                                                  \
	X(OZ_ERROR_SCENE, "the scene is wrong")                                                    \
	X(OZ_ERROR_MESH, "the mesh cannot be used")                                                \
	X(OZ_ERROR_DEVICE, "the device failed")                                                    \
	X(OZ_ERROR_UNAVAILABLE, "this part is not in this build")                                  \
	X(OZ_ERROR_STOPPED, "stopped on request")

typedef enum oz_result {
#define OZ_RESULT_CODE(code, sentence) code,
	OZ_RESULTS(OZ_RESULT_CODE)
#undef OZ_RESULT_CODE
	        OZ_RESULT_COUNT
} oz_result;

// An error: one sentence with what failed, where, and the remedy. Callers may pass NULL instead.
typedef struct oz_error {
	oz_result code;
	char text[1000];
} oz_error;

// Returns the general sentence of a code; never NULL, also for unknown codes.
const char *oz_result_text(oz_result code);

#ifdef __cplusplus
}
#endif
#endif
