/* tools/ossa/retarget.c: see retarget.h. */
#include "retarget.h"

static void print_segments(const ossa_retarget_facts *facts)
{
	printf("%-10s %-18s %8s %8s %8s\n", "degrees", "", "mean", "95 %", "at rest");
	for (size_t i = 0; i < facts->segment_count; i++) {
		const ossa_retarget_segment *segment = &facts->segments[i];
		char name[OSSA_BODY_TEXT];
		printf("%-10s %-18s %8.1f %8.1f %8.1f\n", "", ossa_retarget_segment_print(segment, name, sizeof name), segment->mean,
			segment->p95, segment->rest);
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

json_t *command_json_retarget(command_run *run, const ossa_retarget_facts *facts)
{
	char *text = NULL;
	if (ossa_retarget_json(run->context, facts, &text) != OSSA_OK) return NULL;
	json_t *value = json_loads(text, 0, NULL);
	ossa_free(run->context, text);
	return value;
}
