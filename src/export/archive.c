// archive.c: the particles of a run in HDF5, with XDMF for ParaView.
//
// One file for each frame, so that a run can be killed at any moment and continued: every file is
// complete, and a frame that is written again replaces its file. particles.h5 holds links to the
// frames only; particles.xmf lists the arrays in them for ParaView. Both are rewritten each time.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export.h"
#include "h5.h"
#include "pack.h"

typedef struct frame {
	uint32_t number, particles;
	double time; // s
} frame;

struct oz_archive {
	char *folder;
	frame *frames;
	uint32_t count, capacity;
};

// The datasets of a frame.
static const struct {
	oz_field field;
	const char *name;
	oz_h5_type type;
	uint32_t words;
} rows[] = {
        {OZ_FIELD_POSITION, "position", OZ_H5_FLOAT, 3},
        {OZ_FIELD_VELOCITY, "velocity", OZ_H5_FLOAT, 3},
        {OZ_FIELD_DENSITY, "density", OZ_H5_FLOAT, 1},
        {OZ_FIELD_PRESSURE, "pressure", OZ_H5_FLOAT, 1},
        {OZ_FIELD_TEMPERATURE, "temperature", OZ_H5_FLOAT, 1},
        {OZ_FIELD_PHASE, "phase", OZ_H5_UINT, 1},
        {OZ_FIELD_ID, "id", OZ_H5_UINT, 1},
        {OZ_FIELD_BODY, "body", OZ_H5_UINT, 1},
        {OZ_FIELD_MATERIAL, "material", OZ_H5_UINT, 1},
};
#define ROWS (sizeof rows / sizeof rows[0])

typedef struct name {
	char s[40];
} name;

typedef struct path {
	char s[4096];
} path;

static path in_folder(const oz_archive *archive, const char *file)
{
	path p;
	snprintf(p.s, sizeof p.s, "%s/%s", archive->folder, file);
	return p;
}

// Path of a frame's file, relative to the folder.
static name frame_name(uint32_t number)
{
	name n;
	snprintf(n.s, sizeof n.s, "frames/frame_%05" PRIu32 ".h5", number);
	return n;
}

// ---- frames -----------------------------------------------------------------------------------

// Appends a frame to the list.
static oz_result append_frame(oz_archive *archive, frame added, oz_error *error)
{
	if (archive->count == archive->capacity) {
		uint32_t capacity = archive->capacity ? 2 * archive->capacity : 256;
		frame *grown = realloc(archive->frames, capacity * sizeof *grown);
		if (!grown)
			return oz_fail(error, OZ_ERROR_MEMORY,
			               "out of memory for the list of frames; close "
			               "other "
			               "programs and go on");
		archive->frames = grown;
		archive->capacity = capacity;
	}
	archive->frames[archive->count++] = added;
	return OZ_OK;
}

// Lists the frames before `first` that have a file. A frame has none if the run wrote it without
// HDF5.
static oz_result list_existing_frames(oz_archive *archive, uint32_t first, oz_error *error)
{
	for (uint32_t i = 0; i < first; i++) {
		uint64_t particles = 0;
		frame found = {.number = i};
		path p = in_folder(archive, frame_name(i).s);
		if (access(p.s, F_OK) != 0)
			continue;
		oz_result result =
		        oz_h5_read_header(p.s, "time", &found.time, "position", &particles, error);
		found.particles = (uint32_t)particles;
		if (result == OZ_OK)
			result = append_frame(archive, found, error);
		if (result != OZ_OK)
			return result;
	}
	return OZ_OK;
}

static oz_archive *allocate(const char *folder)
{
	size_t size = strlen(folder) + 1;
	oz_archive *archive = calloc(1, sizeof *archive + size);
	if (archive)
		archive->folder = memcpy(archive + 1, folder, size);
	return archive;
}

oz_result oz_archive_available(oz_error *error)
{
	return oz_h5_available(error);
}

oz_result oz_archive_open(const char *folder, uint32_t first, oz_archive **archive, oz_error *error)
{
	*archive = NULL;
	oz_result result = oz_h5_available(error);
	if (result != OZ_OK)
		return result;
	if (strlen(folder) + sizeof "/frames/frame_4294967295.h5.part" > sizeof(path))
		return oz_fail(error, OZ_ERROR_FILE,
		               "the folder %.60s… has too long a name; choose a shorter one",
		               folder);
	*archive = allocate(folder);
	if (!*archive)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for the archive in %s; close other "
		               "programs",
		               folder);
	result = list_existing_frames(*archive, first, error);
	if (result != OZ_OK) {
		oz_archive_close(*archive);
		*archive = NULL;
	}
	return result;
}

void oz_archive_close(oz_archive *archive)
{
	if (archive)
		free(archive->frames);
	free(archive);
}

static void put_version_and_units(oz_h5 *h5)
{
	oz_h5_text(h5, "version", OZ_VERSION);
	oz_h5_text(h5, "units", "SI: m, m/s, kg/m3, Pa, s; y is up");
}

oz_result oz_archive_add(oz_archive *archive, oz_world *world, uint32_t number, double time,
                         oz_error *error)
{
	oz_h5 h5;
	oz_view views[ROWS];
	frame added = {number, oz_world_particle_count(world), time};
	path p = in_folder(archive, frame_name(number).s);
	for (size_t i = 0; i < ROWS; i++) {
		oz_result result = oz_world_view(world, rows[i].field, &views[i], error);
		if (result != OZ_OK)
			return result;
	}
	oz_result result = oz_h5_begin(&h5, p.s, error);
	if (result != OZ_OK)
		return result;
	put_version_and_units(&h5);
	oz_h5_number(&h5, "spacing", (double)oz_world_get_def(world)->spacing);
	oz_h5_number(&h5, "time", time);
	oz_h5_count(&h5, "step", oz_world_step_count(world));
	for (size_t i = 0; i < ROWS; i++)
		oz_h5_array(&h5, rows[i].name, rows[i].type, &views[i], rows[i].words);
	result = oz_h5_commit(&h5, p.s, error);
	return result == OZ_OK ? append_frame(archive, added, error) : result;
}

// ---- index files ------------------------------------------------------------------------------

// Writes particles.h5: a link to the file of each frame.
static oz_result write_links(const oz_archive *archive, oz_error *error)
{
	oz_h5 h5;
	path p = in_folder(archive, "particles.h5");
	oz_result result = oz_h5_begin(&h5, p.s, error);
	if (result != OZ_OK)
		return result;
	put_version_and_units(&h5);
	oz_h5_group(&h5, "frames");
	for (uint32_t i = 0; i < archive->count; i++) {
		name link;
		snprintf(link.s, sizeof link.s, "frames/%05" PRIu32, archive->frames[i].number);
		oz_h5_link(&h5, link.s, frame_name(archive->frames[i].number).s);
	}
	return oz_h5_commit(&h5, p.s, error);
}

static void put_item(oz_file *file, const frame *f, size_t row)
{
	oz_file_print(file,
	              "<DataItem Format=\"HDF\" NumberType=\"%s\" Precision=\"4\" "
	              "Dimensions=\"%" PRIu32 "%s\">%s:/%s</DataItem>\n",
	              rows[row].type == OZ_H5_FLOAT ? "Float" : "UInt", f->particles,
	              rows[row].words == 3 ? " 3" : "", frame_name(f->number).s, rows[row].name);
}

static void put_frame(oz_file *file, const frame *f)
{
	oz_file_print(file,
	              "<Grid Name=\"frame_%05" PRIu32 "\" GridType=\"Uniform\">\n<Time Value=\"",
	              f->number);
	oz_xml_double(file, f->time);
	oz_file_print(file,
	              "\"/>\n<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%" PRIu32
	              "\" NodesPerElement=\"1\"/>\n<Geometry GeometryType=\"XYZ\">\n",
	              f->particles);
	put_item(file, f, 0);
	oz_file_print(file, "</Geometry>\n");
	for (size_t i = 1; i < ROWS; i++) {
		oz_file_print(file,
		              "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Node\">\n",
		              rows[i].name, rows[i].words == 3 ? "Vector" : "Scalar");
		put_item(file, f, i);
		oz_file_print(file, "</Attribute>\n");
	}
	oz_file_print(file, "</Grid>\n");
}

// Writes particles.xmf; frames without particles are left out, since readers fail on empty arrays.
static oz_result write_xdmf(const oz_archive *archive, oz_error *error)
{
	oz_file file;
	oz_result result = oz_file_begin(&file, in_folder(archive, "particles.xmf").s, error);
	if (result != OZ_OK)
		return result;
	oz_file_print(&file, "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
	                     "<Grid Name=\"particles\" GridType=\"Collection\" "
	                     "CollectionType=\"Temporal\">\n");
	for (uint32_t i = 0; i < archive->count; i++)
		if (archive->frames[i].particles)
			put_frame(&file, &archive->frames[i]);
	oz_file_print(&file, "</Grid>\n</Domain>\n</Xdmf>\n");
	return oz_file_commit(&file, error);
}

oz_result oz_archive_list(oz_archive *archive, oz_error *error)
{
	oz_result result = write_links(archive, error);
	return result == OZ_OK ? write_xdmf(archive, error) : result;
}
