// cache.c: the folder of the user's cache, for results that later runs use again.
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"

bool oz_cache_folder(const char *part, char *folder, size_t size)
{
	const char *own = getenv("OOZE_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	const char *slash = part[0] ? "/" : "";
	int length = -1;
	if (own && *own)
		length = snprintf(folder, size, "%s%s%s", own, slash, part);
	else if (xdg && *xdg)
		length = snprintf(folder, size, "%s/ooze%s%s", xdg, slash, part);
	else if (home && *home)
		length = snprintf(folder, size, "%s/.cache/ooze%s%s", home, slash, part);
	return length > 0 && (size_t)length < size && oz_folder_make(folder, NULL) == OZ_OK;
}
