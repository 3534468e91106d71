// stop.c: stops long work by signals: the first one sets a flag, the second one kills.
//
// The work reads the flag between two frames or calls, so that the files it leaves are complete.
#include <signal.h>

#include "cli.h"

static volatile sig_atomic_t stop_wanted;

static void on_signal(int number)
{
	(void)number;
	stop_wanted = 1;
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
}

void oz_cli_catch_stop(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	sigemptyset(&action.sa_mask);
	stop_wanted = 0;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

bool oz_cli_stop_wanted(void)
{
	return stop_wanted != 0;
}
