// events.c: a short queue of what a user should know. When it is full, the oldest gives way.
#include <stdarg.h>
#include <stdio.h>

#include "world/world.h"

void oz_raise(oz_world *w, oz_event_kind kind, oz_id body, float value, const char *format, ...)
{
	if (w->event_count == OZ_EVENTS) {
		w->event_first = (w->event_first + 1) % OZ_EVENTS;
		w->event_count--;
	}
	oz_event *e = &w->events[(w->event_first + w->event_count++) % OZ_EVENTS];
	*e = (oz_event){.kind = kind,
	                .step = w->step,
	                .time = w->time,
	                .body = body,
	                .value = value};
	va_list list;
	va_start(list, format);
	vsnprintf(e->text, sizeof e->text, format, list);
	va_end(list);
	oz_heap_log(&w->heap, OZ_LOG_WARNING, "%s", e->text);
}

bool oz_world_next_event(oz_world *w, oz_event *event)
{
	if (w->event_count == 0)
		return false;
	*event = w->events[w->event_first];
	w->event_first = (w->event_first + 1) % OZ_EVENTS;
	w->event_count--;
	return true;
}
