// process.h: runs a function in a child process, so that a crash there does not end this process.
#ifndef OZ_PROCESS_H
#define OZ_PROCESS_H

#include "base/base.h"

typedef struct oz_process_limits {
	double cpu_seconds;  // processor time; rounded up to whole seconds
	double wall_seconds; // the child is killed after this time
	uint64_t memory;     // bytes of address space beyond that of this process now
	uint64_t output;     // most bytes that the function may write
} oz_process_limits;

typedef enum oz_process_end {
	OZ_PROCESS_DONE,        // the function returned, and its whole output was received
	OZ_PROCESS_CRASHED,     // it crashed, or wrote more than the limit
	OZ_PROCESS_LATE,        // it exceeded a time limit
	OZ_PROCESS_NO_MEMORY,   // this process has no memory for its output
	OZ_PROCESS_NOT_STARTED, // pipe or fork failed; errno has the reason
} oz_process_end;

typedef struct oz_process_out oz_process_out;

// Called by the function in the child: sends bytes to the parent.
void oz_process_write(oz_process_out *out, const void *data, size_t size);

// Runs the function in a child process and collects what it writes with oz_process_write. The
// function may crash, hang, leak and print: none of it reaches this process, and signal handlers of
// this process do not run there. *bytes is NULL unless the result is OZ_PROCESS_DONE; the caller
// frees it with free(). On systems without fork (WebAssembly) the function runs in this process.
oz_process_end oz_process_run(void (*function)(void *context, oz_process_out *out), void *context,
                              const oz_process_limits *limits, char **bytes, size_t *size);

#endif
