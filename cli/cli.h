// cli.h: shared by the subcommands of `ooze`: options, messages, formatted numbers.
//
// A subcommand is one function in one file; main.c has the table of them. Each returns the
// program's exit status: 0 done, 1 failed, 2 wrong use.
#ifndef OZ_CLI_H
#define OZ_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ooze/ooze.h"

enum { OZ_CLI_DONE = 0, OZ_CLI_FAILED = 1, OZ_CLI_WRONG_USE = 2, OZ_CLI_GO = -1 };

// argv[0] is the subcommand's own name.
int oz_cli_run(int argc, char **argv);
int oz_cli_validate(int argc, char **argv);
int oz_cli_info(int argc, char **argv);
int oz_cli_sdf(int argc, char **argv);
int oz_cli_surface(int argc, char **argv);
int oz_cli_render(int argc, char **argv);
int oz_cli_poses(int argc, char **argv);
int oz_cli_movie(int argc, char **argv);
int oz_cli_plot(int argc, char **argv);
int oz_cli_presets(int argc, char **argv);
int oz_cli_params(int argc, char **argv);
int oz_cli_schema(int argc, char **argv);
int oz_cli_devices(int argc, char **argv);
int oz_cli_bench(int argc, char **argv);

// ---- options ----------------------------------------------------------------------------------

typedef enum oz_cli_type {
	OZ_CLI_FLAG,   // bool
	OZ_CLI_TEXT,   // const char *
	OZ_CLI_COUNT,  // uint32_t
	OZ_CLI_NUMBER, // double
} oz_cli_type;

// One option of a subcommand. `value` keeps its default until the option is given.
typedef struct oz_cli_option {
	const char *name;     // without the dashes
	char letter;          // short form, 0 for none
	const char *argument; // what --help calls the argument; NULL for a flag
	const char *help;     // one line, with unit and default
	oz_cli_type type;
	void *value;
	double min, max; // of counts and numbers; both 0: any
} oz_cli_option;

typedef struct oz_cli_spec {
	const char *usage; // "run SCENE -o DIR [options]"
	const char *help;  // a few lines for --help
	const oz_cli_option *options;
	size_t option_count;
	uint32_t least, most; // number of plain arguments, at most four

	// filled in by the parser
	const char *arguments[4];
	uint32_t count;
	bool quiet, verbose; // -q and -v, which every subcommand has
} oz_cli_spec;

// Reads the arguments into the spec. Returns OZ_CLI_GO to continue; otherwise the exit status to
// end with, after the message was printed.
int oz_cli_parse(oz_cli_spec *spec, int argc, char **argv);
// Whether a name ends with `ending` (".png"), in upper or lower case.
bool oz_cli_ends_with(const char *name, const char *ending);
// Returns the word of a list that is nearest to a misspelt one; NULL if none is near.
const char *oz_cli_nearest(const char *word, const char *const *words, size_t count);

// Finds the index of a word among a parameter's choices; OZ_CLI_GO, or OZ_CLI_WRONG_USE after a
// message.
int oz_cli_choice(const oz_param *row, const char *word, uint32_t *index);

// ---- sentences --------------------------------------------------------------------------------

// Print a message on stderr as `ooze: …`; the first returns OZ_CLI_FAILED, the second
// OZ_CLI_WRONG_USE.
int oz_cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
int oz_cli_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
void oz_cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Prints a text with every line indented; breaks lines between words if stdout is a terminal.
// `column`: position of the cursor.
void oz_cli_wrap(const char *text, int column, int indent);
// Width in columns of the terminal behind a descriptor; 0 if it is not a terminal.
int oz_cli_columns(int descriptor);
// Flushes stdout; returns `status`, or OZ_CLI_FAILED after a message if writing failed.
int oz_cli_finish(int status);

// ---- progress ---------------------------------------------------------------------------------

// Names the work that begins; the name is printed on stderr if the work lasts more than a second.
void oz_cli_begin_work(const char *format, ...) __attribute__((format(printf, 1, 2)));
void oz_cli_end_work(void);
// After this call neither work nor frames are printed (--quiet).
void oz_cli_be_silent(void);

// Progress of the work on a series of frames: one line of a terminal, or a line every ten seconds.
typedef struct oz_cli_frame_clock {
	uint32_t done, count;
	uint64_t begun_ns, said_ns;
} oz_cli_frame_clock;

void oz_cli_begin_frames(oz_cli_frame_clock *clock, uint32_t count);
void oz_cli_count_frame(oz_cli_frame_clock *clock);

// ---- signals ----------------------------------------------------------------------------------

// After this call, the first SIGINT or SIGTERM makes oz_cli_stop_wanted true; the second one kills.
void oz_cli_catch_stop(void);
bool oz_cli_stop_wanted(void);

// ---- numbers for people -----------------------------------------------------------------------

typedef struct oz_cli_text {
	char s[48];
} oz_cli_text;

oz_cli_text oz_cli_count(uint64_t number);  // 1,234,567
oz_cli_text oz_cli_bytes(double bytes);     // 3.1 MB
oz_cli_text oz_cli_rate(double per_second); // 12.3 M
oz_cli_text oz_cli_clock(double seconds);   // 1:02:03

struct oz_scene;

// Prints particles, bodies, materials, colliders and bounds of a world; `scene`, which may be NULL,
// gives the names of meshes.
int oz_cli_describe(oz_world *world, const struct oz_scene *scene);
// Warns if a world has no body and no emitter.
void oz_cli_warn_if_empty(const oz_world *world);
// Prints messages of the engine: warnings always, long work unless --quiet, others if `context`
// points to true.
void oz_cli_log(void *context, oz_log_level level, const char *text);

#endif
