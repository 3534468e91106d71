// process.h: a function run in a process of its own, so that what breaks there breaks nothing here.
#ifndef OZ_PROCESS_H
#define OZ_PROCESS_H

#include "base/base.h"

typedef struct oz_process_limits {
	double cpu_seconds;  // of work; rounded up to whole ones
	double wall_seconds; // until nobody waits any longer
	uint64_t memory;     // bytes of address space beyond what this process has now
	uint64_t output;     // bytes written
} oz_process_limits;

typedef enum oz_process_end {
	OZ_PROCESS_DONE,        // the function came to its end, and all that it wrote is here
	OZ_PROCESS_CRASHED,     // or it wrote more than it may
	OZ_PROCESS_LATE,        // it took longer than a limit
	OZ_PROCESS_NO_MEMORY,   // what it wrote does not fit into memory
	OZ_PROCESS_NOT_STARTED, // there was no process to be had; errno tells why
} oz_process_end;

typedef struct oz_process_out oz_process_out;

// Called by the function: hands bytes to the one who waits.
void oz_process_write(oz_process_out *out, const void *data, size_t size);

// Runs the function in a child that shares nothing with this process but what it writes. It may
// crash, hang, leak and print: nobody sees it, and no handler of this process runs there. *bytes is
// NULL unless it is done; the caller frees it with free(). Where there are no processes the
// function runs here.
oz_process_end oz_process_run(void (*function)(void *context, oz_process_out *out), void *context,
                              const oz_process_limits *limits, char **bytes, size_t *size);

#endif
