// devices.c: `ooze devices`: lists the devices that can run worlds, with their speed.
//
// The speed is that of a small dam break, measured in about a second: enough to choose a device,
// less exact than `ooze bench`. For a device that fails, the error is printed instead of its speed.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "cli.h"

#define DEVICES     65u   // the CPU, and up to 64 devices of oz_devices
#define PARTICLES   50000 // of the dam
#define FIRST_STEPS 10u   // steps of the first timing, which sets the number of the second
#define SECONDS     0.7   // duration of the second timing
#define STEPS       400u  // at most

typedef struct device_row {
	oz_device_info info;
	bool works;
	double speed; // particle-steps a second; 0: not measured
	oz_error error;
} device_row;

typedef struct device_table {
	device_row rows[DEVICES];
	uint32_t count;
	int address, name, driver; // widths of columns
	bool narrow;               // the terminal
} device_table;

// ---- finding ----------------------------------------------------------------------------------

// Reads the CPU's facts from an empty world.
static void find_cpu(device_row *row)
{
	oz_world_def def = oz_world_default();
	oz_world *world = NULL;
	def.device = "cpu";
	row->works = oz_world_create(&def, &world, &row->error) == OZ_OK;
	snprintf(row->info.address, sizeof row->info.address, "cpu");
	if (row->works)
		row->info = *oz_world_device(world);
	oz_world_destroy(world);
}

static int wider(int width, const char *text)
{
	const int length = (int)strlen(text);
	return length > width ? length : width;
}

static void find_devices(device_table *t)
{
	oz_device_info infos[DEVICES - 1];
	const uint32_t found = oz_devices(infos, DEVICES - 1);
	find_cpu(&t->rows[0]);
	t->count = 1 + (found < DEVICES - 1 ? found : DEVICES - 1);
	t->address = t->name = t->driver = 6;
	for (uint32_t k = 1; k < t->count; k++)
		t->rows[k] = (device_row){.info = infos[k - 1], .works = true};
	for (uint32_t k = 0; k < t->count; k++) {
		t->address = wider(t->address, t->rows[k].info.address);
		t->name = wider(t->name, t->rows[k].info.name);
		t->driver = wider(t->driver, t->rows[k].info.driver);
	}
}

// ---- speed ------------------------------------------------------------------------------------

static oz_result time_dam(const char *address, uint32_t steps, oz_bench_outcome *o, oz_error *error)
{
	const oz_benchmark dam = {.particles = PARTICLES, .kind = OZ_FLUID, .support = 2.2f};
	const oz_bench_place place = {.device = address};
	*o = (oz_bench_outcome){.steps = steps};
	return oz_bench_dam(&dam, steps, &place, o, error);
}

// Measures the speed of a device; a slow device is timed once only.
static void measure(device_row *row)
{
	oz_bench_outcome o;
	if (!row->works)
		return;
	oz_result result = time_dam(row->info.address, FIRST_STEPS, &o, &row->error);
	const double likely = result == OZ_OK ? FIRST_STEPS * SECONDS / o.seconds : 0;
	if (likely > 2 * FIRST_STEPS)
		result = time_dam(row->info.address, likely < STEPS ? (uint32_t)likely : STEPS, &o,
		                  &row->error);
	row->works = result == OZ_OK;
	row->speed = row->works ? (double)o.particles * o.steps / o.seconds : 0;
}

// ---- printing ---------------------------------------------------------------------------------

// On a narrow terminal the driver is printed on a separate line.
static void fit_terminal(device_table *t, bool speed)
{
	const int columns = oz_cli_columns(STDOUT_FILENO);
	const int wanted = t->address + t->name + t->driver + 23 + (speed ? 18 : 0);
	t->narrow = columns && wanted > columns;
	if (t->narrow)
		t->driver = 0;
}

static int print_facts(const device_table *t, const oz_device_info *info)
{
	int column = printf("%-*s  %-*s", t->address, info->address, t->name, info->name);
	if (!t->narrow)
		column += printf("  %-*s", t->driver, info->driver);
	return column +
	       printf("  %6.1f GiB  %5" PRIu32, (double)info->memory * 0x1p-30, info->units);
}

// Prints a row; its facts appear before the device is measured, which may take some time.
static void print_row(const device_table *t, device_row *row, bool speed)
{
	const int column = print_facts(t, &row->info);
	fflush(stdout);
	if (speed)
		measure(row);
	if (row->works) {
		printf(speed ? "  %16s\n" : "\n", oz_cli_rate(row->speed).s);
	} else {
		printf("  ");
		oz_cli_wrap(row->error.text, column + 2, t->address + 2);
	}
	if (t->narrow)
		printf("%*s  %s\n", t->address, "", row->info.driver);
}

static void print_table(device_table *t, bool speed)
{
	fit_terminal(t, speed);
	printf("%-*s  %-*s", t->address, "device", t->name, "name");
	if (!t->narrow)
		printf("  %-*s", t->driver, "driver");
	printf("  %10s  %5s%s\n", "memory", "units", speed ? "  particle-steps/s" : "");
	for (uint32_t k = 0; k < t->count; k++)
		print_row(t, &t->rows[k], speed);
	if (t->count == 1)
		printf("no OpenCL device was found; see docs/devices.md for how to install a "
		       "driver\n");
}

static void put_device(oz_json_writer *w, const device_row *row, bool speed)
{
	oz_json_begin_record(w, NULL);
	oz_json_put_text(w, "address", row->info.address);
	oz_json_put_text(w, "name", row->info.name);
	oz_json_put_text(w, "driver", row->info.driver);
	oz_json_put_bool(w, "gpu", row->info.gpu);
	oz_json_put_count(w, "memory", row->info.memory);
	oz_json_put_count(w, "units", row->info.units);
	if (row->works && speed)
		oz_json_put_rounded(w, "particle_steps_per_second", row->speed, 0);
	if (!row->works)
		oz_json_put_text(w, "error", row->error.text);
	oz_json_end(w);
}

static void print_json(device_table *t, bool speed)
{
	oz_json_writer w = oz_json_to_stream(stdout, OZ_JSON_PRETTY);
	oz_json_begin_list(&w, NULL);
	for (uint32_t k = 0; k < t->count; k++) {
		if (speed)
			measure(&t->rows[k]);
		put_device(&w, &t->rows[k], speed);
	}
	oz_json_end(&w);
	(void)oz_json_finish(&w, NULL); // oz_cli_finish looks at the stream
}

int oz_cli_devices(int argc, char **argv)
{
	bool json = false, no_speed = false;
	const oz_cli_option options[] = {
	        {"json", 0, NULL, "print a JSON array of objects", OZ_CLI_FLAG, &json, 0, 0},
	        {"no-speed", 'n', NULL, "do not measure the speed of devices", OZ_CLI_FLAG,
	         &no_speed, 0, 0},
	};
	oz_cli_spec spec = {
	        .usage = "devices [options]",
	        .help = "Lists the devices that can run worlds: the cores of this machine (cpu) "
	                "and every\n"
	                "OpenCL device, with their names for --device and OOZE_DEVICE, memory, "
	                "compute units\n"
	                "and the speed of a small dam break, or the error of a device that fails. "
	                "The "
	                "first time,\n"
	                "a driver takes some seconds to build the kernels.",
	        .options = options,
	        .option_count = sizeof options / sizeof *options,
	};
	const int status = oz_cli_parse(&spec, argc, argv);
	if (status != OZ_CLI_GO)
		return status;
	static device_table table;
	// the row of a device is printed before its work begins: no other message is needed
	oz_cli_be_silent();
	find_devices(&table);
	(json ? print_json : print_table)(&table, !no_speed);
	for (uint32_t k = 0; k < table.count; k++)
		if (table.rows[k].works)
			return oz_cli_finish(OZ_CLI_DONE);
	return oz_cli_fail("no device works; see the sentences above");
}
