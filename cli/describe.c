// describe.c: prints the contents of a world.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/boundary/sdf_data.h"
#include "../src/models/capillary/capillary.h"
#include "../src/models/traits.h"
#include "../src/scene/scene.h"
#include "cli.h"

#define ROWS_MAX 20 // most rows of a list

typedef struct body_row {
	uint32_t particles;
	oz_id material; // OZ_NONE while the body is empty
} body_row;

static oz_result count_bodies(oz_world *world, body_row *rows, uint32_t bodies, oz_error *error)
{
	oz_view body, material;
	oz_result result = oz_world_view(world, OZ_FIELD_BODY, &body, error);
	if (result == OZ_OK)
		result = oz_world_view(world, OZ_FIELD_MATERIAL, &material, error);
	if (result != OZ_OK)
		return result;
	for (uint32_t i = 0; i < body.count; i++) {
		uint32_t b, m;
		memcpy(&b, (const char *)body.data + i * body.stride, sizeof b);
		memcpy(&m, (const char *)material.data + i * material.stride, sizeof m);
		if (b >= bodies)
			continue;
		rows[b].particles++;
		rows[b].material = m;
	}
	return OZ_OK;
}

static const char *material_name(const oz_world *world, oz_id material)
{
	const oz_material_def *def = oz_world_get_material(world, material);
	return def ? def->name : "";
}

static void print_bodies(const oz_world *world, const body_row *rows, uint32_t bodies)
{
	printf("bodies       %s\n", oz_cli_count(bodies).s);
	for (uint32_t b = 0; b < bodies && b < ROWS_MAX; b++) {
		const char *name = oz_world_body_name(world, b);
		printf("  %-24s %14s  %s\n", name ? name : "", oz_cli_count(rows[b].particles).s,
		       rows[b].particles ? material_name(world, rows[b].material) : "empty so far");
	}
	if (bodies > ROWS_MAX)
		printf("  … and %s more\n", oz_cli_count(bodies - ROWS_MAX).s);
}

static void print_materials(const oz_world *world)
{
	uint32_t count = oz_world_material_count(world);
	printf("materials    %s\n", oz_cli_count(count).s);
	for (uint32_t m = 0; m < count; m++) {
		const oz_material_def *def = oz_world_get_material(world, m);
		const oz_param *row;
		const float resistance = oz_material_resistance(def, &row);
		printf("  %-24s %8g kg/m³, %g %s, ", def->name, (double)def->density,
		       (double)resistance, row->unit);
		const double most = oz_capillary_spacing(oz_world_get_def(world), def);
		if (most > 0 && (double)oz_world_get_def(world)->spacing <= most)
			printf("%g N/m, ", (double)def->surface_tension);
		printf("%s\n", oz_model_traits_of(def->model)->word);
	}
}

static void print_interfaces(const oz_world *world)
{
	const oz_world_def *def = oz_world_get_def(world);
	const uint32_t count = oz_world_interface_count(world);
	if (count)
		printf("interfaces   %" PRIu32 "\n", count);
	for (uint32_t k = 0; k < count; k++) {
		const oz_interface_def *one = oz_world_get_interface(world, k);
		const oz_material_def *a = oz_world_get_material(world, one->material),
		                      *b = oz_world_get_material(world, one->other);
		const double tension = oz_interface_tension(a, b, one),
		             most = oz_interface_spacing(def, a, b, tension);
		printf("  %s, %s: %g N/m", a->name, b->name, tension);
		if (tension > 0 && (double)def->spacing > most)
			printf(", left out: it acts at spacings up to %.2g mm", 1e3 * most);
		printf("\n");
	}
}

static void print_bounds(const oz_stats *stats)
{
	if (stats->particles == 0)
		return;
	printf("bounds       (%.4g, %.4g, %.4g) … (%.4g, %.4g, %.4g) m\n", (double)stats->min.x,
	       (double)stats->min.y, (double)stats->min.z, (double)stats->max.x,
	       (double)stats->max.y, (double)stats->max.z);
	printf("mass         %.6g kg\n", stats->mass);
}

static void print_mesh(const oz_collider_mesh *collider_mesh)
{
	const oz_vec3 a = collider_mesh->report.min, b = collider_mesh->report.max;
	const char *slash = strrchr(collider_mesh->path, '/');
	printf("%s, %s triangles, %.3g × %.3g × %.3g m, ", slash ? slash + 1 : collider_mesh->path,
	       oz_cli_count(collider_mesh->report.triangles).s, (double)(b.x - a.x),
	       (double)(b.y - a.y), (double)(b.z - a.z));
}

// prints one row; returns false if the collider has no signed distance field
static bool print_sdf(const oz_world *world, const oz_scene *scene, oz_id collider)
{
	oz_shape shape;
	bool inside;
	const oz_collider_mesh *collider_mesh =
	        scene ? oz_scene_get_collider_mesh(scene, collider) : NULL;
	if (oz_world_get_collider(world, collider, &shape, &inside, NULL) != OZ_OK || !shape.sdf)
		return false;
	printf("  %s %" PRIu32 ": ", inside ? "vessel" : "collider", collider);
	if (collider_mesh)
		print_mesh(collider_mesh);
	printf("cells of %.3g m, %s\n", (double)shape.sdf->frame.cell,
	       oz_cli_bytes((double)oz_sdf_bytes(shape.sdf)).s);
	return true;
}

// prints the number of colliders, and a row for each that has a signed distance field
static void print_colliders(const oz_world *world, const oz_scene *scene)
{
	const uint32_t count = oz_world_collider_count(world);
	printf("colliders    %" PRIu32 "\n", count);
	for (uint32_t c = 0, rows = 0; c < count && rows < ROWS_MAX; c++)
		rows += print_sdf(world, scene, c);
}

#define FOR_EVER 1e8f // s

static void print_regions(const oz_world *world)
{
	const uint32_t count = oz_world_region_count(world);
	if (count)
		printf("regions      %" PRIu32 "\n", count);
	for (uint32_t r = 0; r < count && r < ROWS_MAX; r++) {
		const oz_region_def *def = oz_world_get_region(world, r);
		printf("  region %" PRIu32 ": %g °C, rate %g 1/s, from %g s ", r,
		       (double)def->temperature, (double)def->rate, (double)def->start);
		if (def->duration < FOR_EVER)
			printf("to %g s\n", (double)def->start + (double)def->duration);
		else
			printf("on\n");
	}
	if (count > ROWS_MAX)
		printf("  … and %s more\n", oz_cli_count(count - ROWS_MAX).s);
}

int oz_cli_describe(oz_world *world, const oz_scene *scene)
{
	oz_error error = {OZ_OK, ""};
	oz_stats stats;
	uint32_t bodies = oz_world_body_count(world);
	body_row *rows = calloc(bodies ? bodies : 1, sizeof *rows);
	if (!rows)
		return oz_cli_fail("out of memory for %" PRIu32 " bodies; close other programs",
		                   bodies);
	if (count_bodies(world, rows, bodies, &error) != OZ_OK ||
	    oz_world_stats(world, &stats, &error) != OZ_OK) {
		free(rows);
		return oz_cli_fail("%s", error.text);
	}
	printf("particles    %s, spacing %g m\n", oz_cli_count(stats.particles).s,
	       (double)oz_world_get_def(world)->spacing);
	print_bodies(world, rows, bodies);
	free(rows);
	print_materials(world);
	print_interfaces(world);
	print_colliders(world, scene);
	if (oz_world_handle_count(world))
		printf("handles      %" PRIu32 "\n", oz_world_handle_count(world));
	print_regions(world);
	print_bounds(&stats);
	return OZ_CLI_DONE;
}

void oz_cli_warn_if_empty(const oz_world *world)
{
	// an emitter has its own body from the start
	if (oz_world_body_count(world) == 0)
		oz_cli_warn("the scene has no body and no emitter, so nothing will move");
}
