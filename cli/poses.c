// poses.c: `ooze poses`: writes the poses of a run's rigid bodies (bodies.csv) as an animation of
// glTF.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/base/base.h"
#include "../src/export/export.h"
#include "../src/json/number.h"
#include "cli.h"
#include "run.h"

#define TABLE_MOST ((size_t)1 << 32) // bytes
#define COLUMNS    10u               // that are read: time,step,name,x,y,z,qx,qy,qz,qw

typedef struct table {
	char *text;
	size_t size;
	uint32_t bodies, frames;
	char (*names)[OZ_NAME_SIZE];
	float *times;
	oz_vec3 *positions; // of each body, frame by frame
	oz_quat *rotations;
	oz_pose_track *tracks;
} table;

static void free_table(table *t)
{
	free(t->text);
	free(t->names);
	free(t->times);
	free(t->positions);
	free(t->rotations);
	free(t->tracks);
}

// one line, cut into its first cells; false: it has fewer
static bool read_row(const char *line, const char *cells[COLUMNS], size_t lengths[COLUMNS])
{
	for (uint32_t k = 0; k < COLUMNS; k++) {
		lengths[k] = strcspn(line, ",\n");
		cells[k] = line;
		if (line[lengths[k]] != ',')
			return false;
		line += lengths[k] + 1;
	}
	return true;
}

static bool read_number(const char *text, size_t length, double *number)
{
	if (length == 0 || length > OZ_NUMBER_SIZE || strspn(text, "0123456789+-.eE") < length)
		return false;
	*number = oz_number_read(text, length);
	return isfinite(*number);
}

// whether two rows have the same time
static bool is_same_frame(const char *one, const char *other)
{
	const size_t length = strcspn(one, ",\n");
	return length == strcspn(other, ",\n") && memcmp(one, other, length) == 0;
}

// counts the rows of the first frame, and all frames
static void count_rows(table *t, const char *first)
{
	uint32_t rows = 0, bodies = 0;
	for (const char *line = first; line && *line; rows++) {
		bodies += is_same_frame(first, line);
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	t->bodies = bodies;
	t->frames = bodies ? rows / bodies : 0;
}

static bool allocate(table *t)
{
	const size_t all = (size_t)t->bodies * t->frames;
	t->names = calloc(t->bodies + 1u, sizeof *t->names);
	t->times = calloc(t->frames + 1u, sizeof *t->times);
	t->positions = calloc(all + 1, sizeof *t->positions);
	t->rotations = calloc(all + 1, sizeof *t->rotations);
	t->tracks = calloc(t->bodies + 1u, sizeof *t->tracks);
	return t->names && t->times && t->positions && t->rotations && t->tracks;
}

// Of the two quaternions of a rotation the one nearer to that of the frame before; of length 1.
static oz_quat near_to(const double q[4], const oz_quat *before)
{
	const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	const double dot = before ? q[0] * (double)before->x + q[1] * (double)before->y +
	                                    q[2] * (double)before->z + q[3] * (double)before->w
	                          : 1;
	const double s = (dot < 0 ? -1 : 1) / size;
	return (oz_quat){(float)(s * q[0]), (float)(s * q[1]), (float)(s * q[2]),
	                 (float)(s * q[3])};
}

// reads the row of a body in a frame; false: it is damaged
static bool read_pose(table *t, uint32_t body, uint32_t frame, const char *line)
{
	const char *cells[COLUMNS];
	size_t lengths[COLUMNS];
	double time, v[7];
	if (!read_row(line, cells, lengths) || !read_number(cells[0], lengths[0], &time))
		return false;
	for (uint32_t k = 0; k < 7; k++)
		if (!read_number(cells[3 + k], lengths[3 + k], &v[k]))
			return false;
	const uint32_t at = body * t->frames + frame;
	t->times[frame] = (float)time;
	t->positions[at] = (oz_vec3){(float)v[0], (float)v[1], (float)v[2]};
	t->rotations[at] = near_to(v + 3, frame ? &t->rotations[at - 1] : NULL);
	if (frame == 0)
		snprintf(t->names[body], sizeof t->names[body], "%.*s", (int)lengths[2], cells[2]);
	return true;
}

static oz_result damaged(const char *path, uint32_t line, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_FORMAT,
	               "%s:%" PRIu32 " is not a row of bodies.csv, or a body is missing; run the "
	               "scene again",
	               path, line);
}

// reads all rows; each frame must have the same bodies
static oz_result read_rows(table *t, const char *path, const char *line, oz_error *error)
{
	for (uint32_t f = 0; f < t->frames; f++) {
		const char *first = line;
		for (uint32_t b = 0; b < t->bodies; b++) {
			if (!is_same_frame(first, line) || !read_pose(t, b, f, line))
				return damaged(path, 2 + f * t->bodies + b, error);
			const char *end = strchr(line, '\n');
			line = end ? end + 1 : line + strlen(line);
		}
	}
	for (uint32_t b = 0; b < t->bodies; b++)
		t->tracks[b] = (oz_pose_track){t->names[b], t->positions + (size_t)b * t->frames,
		                               t->rotations + (size_t)b * t->frames};
	return *line ? damaged(path, 2 + t->frames * t->bodies, error) : OZ_OK;
}

static oz_result read_table(table *t, const char *path, oz_error *error)
{
	oz_result result = oz_file_read(path, TABLE_MOST, &t->text, &t->size, error);
	if (result != OZ_OK)
		return result;
	const size_t header = strlen(oz_run_bodies_header);
	if (strncmp(t->text, oz_run_bodies_header, header) != 0)
		return damaged(path, 1, error);
	count_rows(t, t->text + header);
	if (t->frames == 0)
		return oz_fail(error, OZ_ERROR_FORMAT, "%s has no row; run the scene", path);
	if (!allocate(t))
		return oz_fail(error, OZ_ERROR_MEMORY, "out of memory for %s; close other programs",
		               path);
	return read_rows(t, path, t->text + header, error);
}

static int write_poses(const char *folder, const char *output)
{
	oz_run_folder run;
	oz_error error = {OZ_OK, ""};
	table t = {0};
	if (oz_run_folder_name(&run, folder, &error) != OZ_OK)
		return oz_cli_fail("%s", error.text);
	const oz_run_path in = oz_run_folder_path(&run, "bodies.csv"),
	                  out = oz_run_folder_path(&run, "poses.glb");
	const char *path = output ? output : out.s;
	oz_result result = read_table(&t, in.s, &error);
	if (result == OZ_OK)
		result = oz_export_poses_glb(t.tracks, t.bodies, t.times, t.frames, path, &error);
	const uint32_t bodies = t.bodies, frames = t.frames;
	free_table(&t);
	if (result != OZ_OK)
		return oz_cli_fail("%s", error.text);
	printf("%s: %s bodies, %s frames\n", path, oz_cli_count(bodies).s, oz_cli_count(frames).s);
	return OZ_CLI_DONE;
}

int oz_cli_poses(int argc, char **argv)
{
	const char *output = NULL;
	const oz_cli_option options[] = {
	        {"output", 'o', "FILE", "file to write (default: poses.glb in DIR)", OZ_CLI_TEXT,
	         &output, 0, 0},
	};
	oz_cli_spec spec = {
	        .usage = "poses DIR [options]",
	        .help = "Writes the poses of rigid bodies, and of colliders with a load, that a "
	                "run "
	                "has\nlisted in DIR/bodies.csv as an animation of binary glTF: a node for "
	                "each, for\nBlender and browsers. Its rotation is that since the start.",
	        .options = options,
	        .option_count = sizeof options / sizeof *options,
	        .least = 1,
	        .most = 1,
	};
	const int status = oz_cli_parse(&spec, argc, argv);
	return status == OZ_CLI_GO ? write_poses(spec.arguments[0], output) : status;
}
