/* tools/ossa/retarget.c: prints how a motion was carried over from one body to another.

   Place in the path: the top, behind `ossa convert --motion`.
   Input: facts.
   Output: lines, JSON. */
#include "command.h"

static void print_segment_name(const ossa_retarget_segment *segment, char *text, size_t size)
{
	if (segment->from.part == OSSA_PART_HIPS) snprintf(text, size, "trunk");
	else ossa_role_print(segment->from, text, size);
}

static void print_segments(const ossa_retarget_facts *facts)
{
	printf("%-10s %-18s %8s %8s %8s\n", "degrees", "", "mean", "95 %", "at rest");
	for (size_t i = 0; i < facts->segment_count; i++) {
		const ossa_retarget_segment *segment = &facts->segments[i];
		char name[64];
		print_segment_name(segment, name, sizeof name);
		printf("%-10s %-18s %8.1f %8.1f %8.1f\n", "", name, segment->mean, segment->p95, segment->rest);
	}
	printf("%-10s %-18s %8.1f %8.1f\n", "", "all", facts->mean_degrees, facts->p95_degrees);
}

void command_print_retarget(const ossa_retarget_facts *facts)
{
	if (facts->match == OSSA_RETARGET_NAMES) {
		printf("%-10s %zu bones by name\n", "follow", facts->matched);
		return;
	}
	printf("%-10s %zu bones by role (rig: %s; motion: %s)\n", "follow", facts->matched, facts->rig_names, facts->source_names);
	printf("%-10s %.4g times the legs, %.4g times the path\n", "size", facts->scale, facts->stride);
	printf("%-10s %.1f %% of the height at the lowest (%.1f %%); %zu of %zu steps kept; sliding %.2f (%.2f) legs a second\n",
		"feet", facts->lowest_percent, facts->source_lowest_percent, facts->steps_kept, facts->steps, facts->slide,
		facts->source_slide);
	if (facts->limited_frames > 0) printf("%-10s joints were stopped in %zu frames\n", "limits", facts->limited_frames);
	print_segments(facts);
}

json_t *command_json_retarget(const ossa_retarget_facts *facts)
{
	json_t *segments = json_array();
	for (size_t i = 0; i < facts->segment_count; i++) {
		const ossa_retarget_segment *segment = &facts->segments[i];
		char name[64];
		print_segment_name(segment, name, sizeof name);
		json_array_append_new(segments,
			json_pack(
				"{s:s, s:f, s:f, s:f}", "segment", name, "mean", segment->mean, "p95", segment->p95, "rest", segment->rest));
	}
	return json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:I, s:o}", "match",
		facts->match == OSSA_RETARGET_NAMES ? "names" : "roles", "rig_names", facts->rig_names, "source_names",
		facts->source_names, "matched", (json_int_t)facts->matched, "unmatched", (json_int_t)facts->unmatched, "source_unused",
		(json_int_t)facts->source_unused, "scale", facts->scale, "stride", facts->stride, "mean_degrees", facts->mean_degrees,
		"p95_degrees", facts->p95_degrees, "lowest_percent", facts->lowest_percent, "source_lowest_percent",
		facts->source_lowest_percent, "slide", facts->slide, "source_slide", facts->source_slide, "steps",
		(json_int_t)facts->steps, "steps_kept", (json_int_t)facts->steps_kept, "limited_frames",
		(json_int_t)facts->limited_frames, "segments", segments);
}
