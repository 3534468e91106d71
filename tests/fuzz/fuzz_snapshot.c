// fuzz_snapshot.c: any file is a world or a sentence, also one whose checksums are right. A world
// goes a few steps, is saved, read back, and is the same.
//
// Changing a byte breaks a checksum, and nothing behind it would ever be tried: so the mutator
// changes one section and puts the file together again, with sizes and checksums that fit.
#include <math.h>

#include "fuzz_support.h"
#include "world/snapshot.h"
#include "world/snapshot_format.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

#define MEMORY ((size_t)256 << 20) // bytes that a world may hold

// ---- seeds ------------------------------------------------------------------------------------

static void add_emitter(oz_world *w)
{
	oz_emitter_def nozzle = oz_emitter_default(0);
	nozzle.position = (oz_vec3){0, 0.5f, 0};
	nozzle.radius = 0.15f;
	nozzle.duration = 0.1f;
	CLAIM(oz_world_add_emitter(w, &nozzle, NULL, NULL) == OZ_OK);
}

static void add_colliders(oz_world *w)
{
	const oz_keyframe frames[2] = {{0, {0, 0, 0}, {0, 0, 0, 1}},
	                               {1, {0.1f, 0, 0}, {0, 0.6f, 0, 0.8f}}};
	oz_collider_def tank = oz_collider_default(oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){1, 1, 1}));
	tank.inside = true;
	oz_collider_def ball =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.1f, 0, 0}));
	ball.keyframes = frames;
	ball.keyframe_count = 2;
	ball.loop = true;
	CLAIM(oz_world_add_collider(w, &tank, NULL, NULL) == OZ_OK);
	CLAIM(oz_world_add_collider(w, &ball, NULL, NULL) == OZ_OK);
}

static oz_world *make_world(uint32_t edge, bool busy)
{
	oz_world_def def = oz_world_default();
	oz_world *w;
	def.spacing = 0.1f;
	def.threads = 1;
	CLAIM(oz_world_create(&def, &w, NULL) == OZ_OK);
	oz_material_def water = oz_material_default(OZ_FLUID);
	CLAIM(oz_world_add_material(w, &water, NULL, NULL) == OZ_OK);
	oz_vec3 points[64];
	oz_body_def body = oz_body_default();
	for (uint32_t i = 0; i < edge * edge * edge; i++)
		points[body.count++] = (oz_vec3){(float)(i % edge) * 0.1f - 0.1f,
		                                 (float)(i / edge % edge) * 0.1f - 0.4f,
		                                 (float)(i / edge / edge) * 0.1f - 0.1f};
	body.points = points;
	CLAIM(oz_world_add_body(w, &body, NULL, NULL) == OZ_OK);
	if (busy) {
		add_colliders(w);
		add_emitter(w);
	}
	return w;
}

static void keep_world(const char *name, uint32_t edge, bool busy, int steps)
{
	size_t size;
	oz_world *w = make_world(edge, busy);
	for (int i = 0; i < steps; i++)
		CLAIM(oz_world_step(w, NULL, NULL) == OZ_OK);
	CLAIM(oz_world_save(w, scratch("seed.ooze"), NULL) == OZ_OK);
	oz_world_destroy(w);
	char *bytes = read_file(scratch("seed.ooze"), &size);
	keep_seed(name, bytes, size);
	free(bytes);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	keep_world("fresh", 2, false, 0);
	keep_world("stepped", 3, false, 5);
	keep_world("busy", 3, true, 0);
	keep_world("busy_stepped", 3, true, 20);
	return 0;
}

// ---- the mutator ------------------------------------------------------------------------------

typedef struct piece {
	char tag[sizeof((section_header *)0)->tag];
	const uint8_t *bytes;
	size_t size;
} piece;

enum { PIECES = 32 };

// Parts a file into its sections; those that claim too much get what there is.
static int part(const uint8_t *data, size_t size, piece pieces[PIECES])
{
	int count = 0;
	for (size_t at = sizeof(snapshot_header);
	     count < PIECES && size >= at + sizeof(section_header); count++) {
		section_header header;
		memcpy(&header, data + at, sizeof header);
		at += sizeof header;
		piece *p = &pieces[count];
		memcpy(p->tag, header.tag, sizeof p->tag);
		p->bytes = data + at;
		p->size = header.size < size - at ? (size_t)header.size : size - at;
		at += p->size;
	}
	return count;
}

static uint64_t field_hash(const section_header *header, const uint8_t *bytes, size_t size)
{
	uint64_t hash = snapshot_seed(header);
	if (size == 0)
		return oz_hash(NULL, 0, hash);
	for (size_t at = 0; at < size; at += SNAPSHOT_PIECE)
		hash = oz_hash(bytes + at, size - at < SNAPSHOT_PIECE ? size - at : SNAPSHOT_PIECE,
		               hash);
	return hash;
}

static size_t join(const uint8_t *head, const piece *pieces, int count, uint8_t *out, size_t most)
{
	size_t size = sizeof(snapshot_header);
	memcpy(out, head, size);
	for (int k = 0; k < count; k++) {
		section_header header = {.size = pieces[k].size};
		memcpy(header.tag, pieces[k].tag, sizeof header.tag);
		header.hash = field_hash(&header, pieces[k].bytes, pieces[k].size);
		if (most - size < sizeof header + pieces[k].size)
			break;
		memcpy(out + size, &header, sizeof header);
		memcpy(out + size + sizeof header, pieces[k].bytes, pieces[k].size);
		size += sizeof header + pieces[k].size;
	}
	return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	piece pieces[PIECES];
	const int count = part(data, size, pieces);
	if (count == 0 || seed % 16 == 0)
		return LLVMFuzzerMutate(data, size, most);
	piece *p = &pieces[seed / 16 % (unsigned)count];
	// mostly of the same length: it is told elsewhere too
	const size_t room = seed / 512 % 4 ? p->size : p->size + 256;
	uint8_t *fresh = malloc(room + 1), *out = malloc(most);
	CLAIM(fresh && out);
	memcpy(fresh, p->bytes, p->size);
	const size_t length = room ? LLVMFuzzerMutate(fresh, p->size, room) : 0;
	// a shorter one is filled up with what was there
	p->size = seed / 512 % 4 ? p->size : length;
	p->bytes = fresh;
	const size_t done = join(data, pieces, count, out, most);
	memcpy(data, out, done);
	free(fresh);
	free(out);
	return done;
}

// ---- the claim --------------------------------------------------------------------------------

// Memory that ends: a world that needs more must say so.
static void *limited(void *context, void *block, size_t old_size, size_t new_size)
{
	size_t *used = context;
	if (new_size == 0) {
		*used -= old_size;
		free(block);
		return NULL;
	}
	if (new_size > MEMORY || *used - old_size + new_size > MEMORY)
		return NULL;
	void *fresh = aligned_alloc(64, (new_size + 63) / 64 * 64);
	CLAIM(fresh);
	memset(fresh, 0xa5, new_size);
	if (block)
		memcpy(fresh, block, old_size < new_size ? old_size : new_size);
	free(block);
	*used += new_size - old_size;
	return fresh;
}

static oz_world *load(const char *path, size_t *used)
{
	oz_world *w;
	oz_error error = {OZ_OK, ""};
	const oz_hooks hooks = {.alloc = limited, .context = used};
	const oz_result result = oz_world_load(path, NULL, 1, &hooks, &w, &error);
	CLAIM(result == OZ_OK ? w != NULL : !w && error.code == result && error.text[0]);
	return w;
}

static void go_on(oz_world *w)
{
	oz_stats stats;
	oz_event event;
	oz_error error = {OZ_OK, ""};
	for (int i = 0; i < 3; i++)
		if (oz_world_step(w, NULL, &error) != OZ_OK) {
			CLAIM(error.text[0]);
			break;
		}
	while (oz_world_next_event(w, &event))
		CLAIM(memchr(event.text, 0, sizeof event.text));
	CLAIM(oz_world_stats(w, &stats, &error) == OZ_OK || error.text[0]);
}

// Whether all is within what a snapshot may hold: a world that blows up is not.
static bool is_tame(const oz_world *w)
{
	const oz_last_step *t = &w->sim.last_step;
	bool tame = t->max_speed <= OZ_SPEED_MAX && isfinite(t->max_acceleration) &&
	            isfinite(t->max_separation) && w->sim.time <= SNAPSHOT_LATE;
	for (uint32_t i = 0; i < w->sim.particles.count; i++) {
		const oz_float4 x = w->sim.particles.position[i];
		tame = tame && fabsf(x.x) + fabsf(x.y) + fabsf(x.z) <= OZ_PLACE_MAX;
	}
	return tame;
}

static void save_and_compare(oz_world *w)
{
	size_t used = 0;
	oz_error error = {OZ_OK, ""};
	const oz_result saved = oz_world_save(w, scratch("again.ooze"), &error);
	CLAIM(saved == OZ_OK || error.text[0]);
	if (saved != OZ_OK)
		return;
	oz_world *again = load(scratch("again.ooze"), &used);
	CLAIM(again ? oz_world_hash(w) == oz_world_hash(again) : !is_tame(w));
	oz_world_destroy(again);
	CLAIM(used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t used = 0;
	write_file(scratch("world.ooze"), data, size);
	oz_world *w = load(scratch("world.ooze"), &used);
	if (w) {
		save_and_compare(w);
		go_on(w);
		save_and_compare(w);
	}
	oz_world_destroy(w);
	CLAIM(used == 0);
	return 0;
}
