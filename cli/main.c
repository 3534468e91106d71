// main.c: the program `ooze`: a table of subcommands and the overview.
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
        {"run", oz_cli_run, "simulate a scene and write its frames"},
        {"validate", oz_cli_validate, "check a scene and print its size and cost"},
        {"info", oz_cli_info, "print the contents of a snapshot or a scene"},
        {"sdf", oz_cli_sdf, "check a mesh as a collider, and draw slices of its distances"},
        {"surface", oz_cli_surface, "make meshes around the particles of a run"},
        {"render", oz_cli_render, "draw pictures of a run's frames"},
        {"poses", oz_cli_poses, "write the poses of rigid bodies as a glTF animation"},
        {"movie", oz_cli_movie, "make a video of the pictures"},
        {"plot", oz_cli_plot, "draw energy, momentum and more of runs over time"},
        {"presets", oz_cli_presets, "list the ready-made materials"},
        {"params", oz_cli_params, "list every parameter, its unit, default and range"},
        {"schema", oz_cli_schema, "print the JSON Schema of scene files"},
        {"devices", oz_cli_devices, "list where worlds can run, and how fast"},
        {"bench", oz_cli_bench, "measure how fast this machine is"},
};
#define COMMANDS (sizeof commands / sizeof commands[0])

static void print_overview(void)
{
	printf("ooze %s: everything between a liquid and a solid\n\n"
	       "usage: ooze COMMAND [options]\n\ncommands\n",
	       OZ_VERSION);
	for (size_t i = 0; i < COMMANDS; i++)
		printf("  %-10s %s\n", commands[i].name, commands[i].help);
	printf("\n'ooze help COMMAND' explains a command; 'ooze --version' prints the version.\n"
	       "A first run: ooze run scenes/dam_break.json -o out\n");
}

static int unknown_command(const char *name)
{
	const char *names[COMMANDS + 1];
	for (size_t i = 0; i < COMMANDS; i++)
		names[i] = commands[i].name;
	names[COMMANDS] = "help";
	const char *nearest = oz_cli_nearest(name, names, COMMANDS + 1);
	if (nearest)
		return oz_cli_wrong("there is no command '%s'; did you mean '%s'?", name, nearest);
	return oz_cli_wrong("there is no command '%s'; 'ooze help' lists them", name);
}

static int run_command(int argc, char **argv)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(argv[0], commands[i].name) == 0)
			return commands[i].run(argc, argv);
	return unknown_command(argv[0]);
}

static int help(int argc, char **argv)
{
	if (argc < 2) {
		print_overview();
		return OZ_CLI_DONE;
	}
	char flag[] = "--help";
	char *arguments[] = {argv[1], flag, NULL};
	return run_command(2, arguments);
}

static bool is(const char *word, const char *one, const char *other)
{
	return strcmp(word, one) == 0 || strcmp(word, other) == 0;
}

int main(int argc, char **argv)
{
	// writing a file that is too large shall fail with an error, not kill the program
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2 || is(argv[1], "help", "--help") || strcmp(argv[1], "-h") == 0)
		return oz_cli_finish(help(argc - 1, argv + 1));
	if (is(argv[1], "--version", "-V")) {
		printf("ooze %s\n", OZ_VERSION);
		return oz_cli_finish(OZ_CLI_DONE);
	}
	return oz_cli_finish(run_command(argc - 1, argv + 1));
}
