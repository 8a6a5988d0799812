/* tools/ossa/inspect_voxels.c: what the method volume finds in a mesh, as a row of a table and as
   JSON.

   Place in the path: the top. */
#include "inspect.h"

#include <string.h>

/* the stages of the method, in order */
static const char *const voxel_stages[] = {"voxels", "medial surface", "path tree", "segments", "anchors"};
enum { VOXEL_STAGES = sizeof voxel_stages / sizeof voxel_stages[0] };

static double stage_seconds(const command_run *run, const char *name)
{
	for (size_t i = 0; i < ossa_context_stage_count(run->context); i++) {
		const ossa_stage_cost *stage = ossa_context_stage(run->context, i);
		if (strcmp(stage->name, name) == 0) return stage->cpu_seconds;
	}
	return 0;
}

/* a row as the paper's table has it */
void inspect_print_voxels(const command_run *run, const inspect_work *work)
{
	const ossa_volume_stages *s = &work->stages;
	const float *heart = s->voxels + 3 * (size_t)s->heart;
	double seconds = 0;
	for (int i = 0; i < VOXEL_STAGES; i++) seconds += stage_seconds(run, voxel_stages[i]);
	char grid[64];
	snprintf(grid, sizeof grid, "%zux%zux%zu", s->grid[0], s->grid[1], s->grid[2]);
	printf("\n%8s %12s %11s %9s %8s %8s %6s %9s %8s %7s\n", "voxel", "grid", "voxels", "interior", "medial", "extremes",
		"paths", "segments", "anchors", "CPU s");
	printf("%8.5g %12s %11zu %9zu %8zu %8zu %6zu %9zu %8zu %7.3f\n", s->voxel_size, grid, s->grid[0] * s->grid[1] * s->grid[2],
		s->interior_count, s->medial_count, s->extreme_count, s->path_count, s->segment_count, s->set_count, seconds);
	printf("%-12s %g %g %g, %g from the farthest medial voxel\n", "heart", (double)heart[0], (double)heart[1], (double)heart[2],
		s->heart_radius);
	if (s->part_count > 1) {
		printf("%-12s %zu sets of voxels that do not connect; %zu voxels of the smaller ones are left out\n", "parts",
			s->part_count, s->left_out);
	}
}

json_t *inspect_voxels_as_json(const command_run *run, const inspect_work *work)
{
	const ossa_volume_stages *s = &work->stages;
	const float *heart = s->voxels + 3 * (size_t)s->heart;
	json_t *seconds = json_object();
	for (int i = 0; i < VOXEL_STAGES; i++) {
		json_object_set_new(seconds, voxel_stages[i], command_json_real(stage_seconds(run, voxel_stages[i])));
	}
	return json_pack("{s:f, s:f, s:[I, I, I], s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:[f, f, f], s:f, s:o}", "voxel_size",
		s->voxel_size, "edge", s->edge, "grid", (json_int_t)s->grid[0], (json_int_t)s->grid[1], (json_int_t)s->grid[2],
		"interior", (json_int_t)s->interior_count, "parts", (json_int_t)s->part_count, "left_out", (json_int_t)s->left_out,
		"medial", (json_int_t)s->medial_count, "extremes", (json_int_t)s->extreme_count, "paths", (json_int_t)s->path_count,
		"segments", (json_int_t)s->segment_count, "anchor_sets", (json_int_t)s->set_count, "heart", (double)heart[0],
		(double)heart[1], (double)heart[2], "heart_radius", s->heart_radius, "cpu_seconds", seconds);
}
