// error.c: one sentence for each failure.
#include <stdarg.h>
#include <stdio.h>

#include "base/base.h"

const char *oz_result_text(oz_result code)
{
	static const char *const texts[OZ_RESULT_COUNT] = {
#define OZ_RESULT_TEXT(name, sentence) [name] = (sentence),
	        OZ_RESULTS(OZ_RESULT_TEXT)
#undef OZ_RESULT_TEXT
	};
	return (unsigned)code < OZ_RESULT_COUNT ? texts[code] : "an unknown result";
}

oz_result oz_fail(oz_error *error, oz_result code, const char *format, ...)
{
	if (!error)
		return code;
	va_list list;
	va_start(list, format);
	error->code = code;
	vsnprintf(error->text, sizeof error->text, format, list);
	va_end(list);
	return code;
}
