/* report/retarget.c: see retarget.h. */
#include "report/retarget.h"

#include "base/context.h"

#include <ossa/report.h>

#include <stdlib.h>
#include <string.h>

static json_t *segment_value(const ossa_retarget_segment *segment)
{
	char name[OSSA_BODY_TEXT];
	ossa_retarget_segment_print(segment, name, sizeof name);
	return json_pack(
		"{s:s, s:f, s:f, s:f}", "segment", name, "mean", segment->mean, "p95", segment->p95, "rest", segment->rest);
}

static json_t *segments_value(const ossa_retarget_facts *facts)
{
	json_t *segments = json_array();
	for (size_t i = 0; segments && i < facts->segment_count; i++) {
		if (json_array_append_new(segments, segment_value(&facts->segments[i])) == 0) continue;
		json_decref(segments);
		return NULL;
	}
	return segments;
}

json_t *ossai_retarget_value(const ossa_retarget_facts *facts)
{
	return json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:I, s:o}", "match",
		facts->match == OSSA_RETARGET_NAMES ? "names" : "roles", "rig_names", facts->rig_names, "source_names",
		facts->source_names, "matched", (json_int_t)facts->matched, "unmatched", (json_int_t)facts->unmatched, "source_unused",
		(json_int_t)facts->source_unused, "scale", facts->scale, "stride", facts->stride, "mean_degrees", facts->mean_degrees,
		"p95_degrees", facts->p95_degrees, "lowest_percent", facts->lowest_percent, "source_lowest_percent",
		facts->source_lowest_percent, "slide", facts->slide, "source_slide", facts->source_slide, "steps",
		(json_int_t)facts->steps, "steps_kept", (json_int_t)facts->steps_kept, "limited_frames",
		(json_int_t)facts->limited_frames, "segments", segments_value(facts));
}

ossa_status ossa_retarget_json(ossa_context *context, const ossa_retarget_facts *facts, char **text)
{
	if (text) *text = NULL;
	OSSAI_NEED(context, facts, text);
	json_t *value = ossai_retarget_value(facts);
	char *dump = value ? json_dumps(value, JSON_COMPACT) : NULL;
	json_decref(value);
	if (!dump) return ossai_fail(context, OSSA_ERROR_MEMORY, NULL, "no memory for the text of the motion's facts");
	*text = ossai_new(context, strlen(dump) + 1, 1);
	if (*text) strcpy(*text, dump);
	free(dump);
	return *text ? OSSA_OK : ossa_context_error(context)->status;
}
