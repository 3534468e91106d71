// events.c: a queue of events for the user. When it is full, a new event replaces the oldest.
#include <stdarg.h>
#include <stdio.h>

#include "particles/sim.h"

void oz_event_raise(oz_sim *s, oz_event_kind kind, oz_id body, float value, const char *format, ...)
{
	oz_events *q = &s->events;
	if (q->count == OZ_EVENTS) {
		q->first = (q->first + 1) % OZ_EVENTS;
		q->count--;
	}
	oz_event *e = &q->items[(q->first + q->count++) % OZ_EVENTS];
	*e = (oz_event){.kind = kind,
	                .step = s->step,
	                .time = s->time,
	                .body = body,
	                .value = value};
	va_list list;
	va_start(list, format);
	vsnprintf(e->text, sizeof e->text, format, list);
	va_end(list);
	oz_heap_log(s->heap, OZ_LOG_WARNING, "%s", e->text);
}
