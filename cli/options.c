// options.c: one parser for the options of every subcommand, and the --help made from the same
// table.
//
// --name VALUE, --name=VALUE, -x VALUE, -xVALUE; options and plain arguments in any order; `--`
// ends the options.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/params/params.h"
#include "cli.h"

#define CHOICES 16 // of a parameter

typedef struct cursor {
	int argc, at;
	char **argv;
} cursor;

static const char *const common_names[] = {"help", "quiet", "verbose"};
#define COMMON 3

static void print_option(char letter, const char *name, const char *argument, const char *help)
{
	char left[64];
	char dash[8] = "    ";
	if (letter)
		snprintf(dash, sizeof dash, "-%c, ", letter);
	snprintf(left, sizeof left, "%s--%s%s%s", dash, name, argument ? " " : "",
	         argument ? argument : "");
	printf("  %-24s ", left);
	oz_cli_wrap(help, 27, 27);
}

static int print_help(const oz_cli_spec *spec)
{
	printf("usage: ooze %s\n\n%s\n\noptions\n", spec->usage, spec->help);
	for (size_t i = 0; i < spec->option_count; i++) {
		const oz_cli_option *option = &spec->options[i];
		print_option(option->letter, option->name, option->argument, option->help);
	}
	print_option('q', "quiet", NULL, "print warnings and errors only");
	print_option('v', "verbose", NULL, "print more");
	print_option('h', "help", NULL, "show this text");
	return OZ_CLI_DONE;
}

static const char *command_name(const cursor *c)
{
	return c->argv[0];
}

static int unknown_option(const oz_cli_spec *spec, const cursor *c, const char *given)
{
	const char *names[32];
	size_t count = 0;
	for (size_t i = 0; i < spec->option_count && count < 32 - COMMON; i++)
		names[count++] = spec->options[i].name;
	for (size_t i = 0; i < COMMON; i++)
		names[count++] = common_names[i];
	const char *word = given + strspn(given, "-");
	char bare[64];
	snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word, "="), word);
	const char *nearest = oz_cli_nearest(bare, names, count);
	if (nearest)
		return oz_cli_wrong("'ooze %s' has no option '%s'; did you mean '--%s'?",
		                    command_name(c), given, nearest);
	return oz_cli_wrong("'ooze %s' has no option '%s'; 'ooze help %s' lists them",
	                    command_name(c), given, command_name(c));
}

// ---- values -----------------------------------------------------------------------------------

// Fails with the range of an option.
static int out_of_range(const oz_cli_option *option, const char *text)
{
	if (option->max < 1e9)
		return oz_cli_wrong("--%s is '%s', which must be a %s from %g to %g", option->name,
		                    text, option->type == OZ_CLI_COUNT ? "whole number" : "number",
		                    option->min, option->max);
	return oz_cli_wrong("--%s is '%s', which must be a %s of at least %g", option->name, text,
	                    option->type == OZ_CLI_COUNT ? "whole number" : "number", option->min);
}

static int store_value(const oz_cli_option *option, const char *text)
{
	if (option->type == OZ_CLI_TEXT) {
		if (!text[0])
			return oz_cli_wrong("--%s is empty; give it a %s", option->name,
			                    option->argument);
		*(const char **)option->value = text;
		return OZ_CLI_GO;
	}
	char *end;
	double number = strtod(text, &end);
	bool any = option->max <= option->min;
	if (end == text || *end || !isfinite(number) ||
	    (!any && (number < option->min || number > option->max)))
		return out_of_range(option, text);
	if (option->type == OZ_CLI_NUMBER) {
		*(double *)option->value = number;
		return OZ_CLI_GO;
	}
	if (number < 0 || number > 4e9 || number > floor(number))
		return out_of_range(option, text);
	*(uint32_t *)option->value = (uint32_t)number;
	return OZ_CLI_GO;
}

// Stores an option's value: `attached` (--name=VALUE, -xVALUE), or the next argument if it is NULL.
static int store_option(const oz_cli_option *option, const char *attached, cursor *c)
{
	if (option->type == OZ_CLI_FLAG) {
		if (attached)
			return oz_cli_wrong("--%s takes no value; write it alone", option->name);
		*(bool *)option->value = true;
		return OZ_CLI_GO;
	}
	if (!attached && c->at + 1 >= c->argc)
		return oz_cli_wrong("--%s needs a value: --%s %s", option->name, option->name,
		                    option->argument);
	return store_value(option, attached ? attached : c->argv[++c->at]);
}

// ---- arguments --------------------------------------------------------------------------------

static int parse_long(oz_cli_spec *spec, cursor *c)
{
	const char *given = c->argv[c->at];
	const char *name = given + 2;
	size_t length = strcspn(name, "=");
	const char *attached = name[length] ? name + length + 1 : NULL;
	for (size_t i = 0; i < spec->option_count; i++) {
		const oz_cli_option *option = &spec->options[i];
		if (strlen(option->name) == length && strncmp(option->name, name, length) == 0)
			return store_option(option, attached, c);
	}
	if (strcmp(name, "help") == 0)
		return print_help(spec);
	if (strcmp(name, "quiet") != 0 && strcmp(name, "verbose") != 0)
		return unknown_option(spec, c, given);
	*(name[0] == 'q' ? &spec->quiet : &spec->verbose) = true;
	return OZ_CLI_GO;
}

static int parse_short(oz_cli_spec *spec, cursor *c)
{
	const char *letters = c->argv[c->at] + 1;
	for (; *letters; letters++) {
		const oz_cli_option *found = NULL;
		for (size_t i = 0; i < spec->option_count; i++)
			if (spec->options[i].letter == *letters)
				found = &spec->options[i];
		if (found && found->type != OZ_CLI_FLAG)
			return store_option(found, letters[1] ? letters + 1 : NULL, c);
		if (found)
			store_option(found, NULL, c);
		else if (*letters == 'h')
			return print_help(spec);
		else if (*letters == 'q' || *letters == 'v')
			*(*letters == 'q' ? &spec->quiet : &spec->verbose) = true;
		else
			return unknown_option(spec, c, c->argv[c->at]);
	}
	return OZ_CLI_GO;
}

static int store_argument(oz_cli_spec *spec, cursor *c)
{
	if (spec->count >= spec->most)
		return oz_cli_wrong("'%s' is one argument too many; usage: ooze %s", c->argv[c->at],
		                    spec->usage);
	spec->arguments[spec->count++] = c->argv[c->at];
	return OZ_CLI_GO;
}

int oz_cli_parse(oz_cli_spec *spec, int argc, char **argv)
{
	cursor c = {.argc = argc, .argv = argv};
	bool plain_only = false;
	for (c.at = 1; c.at < argc; c.at++) {
		const char *word = argv[c.at];
		int status = OZ_CLI_GO;
		if (plain_only || word[0] != '-' || !word[1])
			status = store_argument(spec, &c);
		else if (strcmp(word, "--") == 0)
			plain_only = true;
		else
			status = word[1] == '-' ? parse_long(spec, &c) : parse_short(spec, &c);
		if (status != OZ_CLI_GO)
			return status;
	}
	if (spec->quiet)
		oz_cli_be_silent();
	if (spec->count < spec->least)
		return oz_cli_wrong("an argument is missing; usage: ooze %s", spec->usage);
	return OZ_CLI_GO;
}

int oz_cli_choice(const oz_param *row, const char *word, uint32_t *index)
{
	char words[CHOICES][40], list[160];
	const char *known[CHOICES];
	uint32_t count = 0;
	for (; count < CHOICES && oz_param_choice_word(row, count, words[count], 40); count++)
		known[count] = words[count];
	const int found = oz_param_choice(row, word, strlen(word));
	*index = found < 0 ? 0 : (uint32_t)found;
	if (found >= 0)
		return OZ_CLI_GO;
	const char *nearest = oz_cli_nearest(word, known, count);
	if (nearest)
		return oz_cli_wrong("--%s is '%s'; did you mean '%s'?", row->name, word, nearest);
	oz_param_choices_text(row, list, sizeof list);
	return oz_cli_wrong("--%s is '%s'; it is one of %s", row->name, word, list);
}
