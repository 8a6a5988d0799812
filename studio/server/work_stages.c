/* studio/server/work_stages.c: the job "stages": the published stages of the contraction of what is
   open, for inspection.

   Place in the path: behind jobs.c. They are kept as one file in the form of `whole`: the size of a
   head, the head as JSON with the numbers of the stages and where each array begins, the arrays. */
#include "server.h"

#include <ossa/contraction_stages.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct stage_array {
	const char *name;
	size_t count;
	const uint32_t *indices;
	const double *numbers; /* or these: sent as floats */
} stage_array;

enum { ARRAYS = 9 };

static void list_arrays(const ossa_contraction_stages *s, stage_array arrays[ARRAYS])
{
	const stage_array all[ARRAYS] = {
		{"triangles", 3 * s->face_count, s->triangles, NULL},
		{"joins", 2 * s->join_count, s->joins, NULL},
		{"splits", 2 * s->split_count, s->splits, NULL},
		{"positions", 3 * (s->step_count + 1) * s->vertex_count, NULL, s->positions},
		{"points", 3 * s->point_count, NULL, s->points},
		{"centers", 3 * s->point_count, NULL, s->centers},
		{"graph_points", s->vertex_count, s->graph_points, NULL},
		{"curve", 2 * s->curve_count, s->curve, NULL},
		{"cuts", 2 * s->cut_count, s->cuts, NULL},
	};
	memcpy(arrays, all, sizeof all);
}

static json_t *head_json(const ossa_contraction_stages *s, const stage_array arrays[ARRAYS])
{
	json_t *places = json_object();
	size_t at = 0;
	for (size_t i = 0; i < ARRAYS; i++) {
		const size_t bytes = 4 * arrays[i].count;
		json_object_set_new(places, arrays[i].name, json_pack("[I, I]", (json_int_t)at, (json_int_t)bytes));
		at += bytes;
	}
	return json_pack("{s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "vertices", (json_int_t)s->vertex_count, "pieces",
		(json_int_t)s->piece_count, "steps", (json_int_t)s->step_count, "root", (json_int_t)s->root, "pulls",
		studio_reals(s->pulls, s->step_count + 1), "volumes", studio_reals(s->volume_shares, s->step_count + 1), "areas",
		studio_reals(s->area_shares, s->step_count + 1), "arrays", places);
}

static void put_array(const stage_array *array, FILE *file)
{
	if (array->indices) fwrite(array->indices, sizeof *array->indices, array->count, file);
	for (size_t i = 0; array->numbers && i < array->count; i++) {
		const float number = (float)array->numbers[i];
		fwrite(&number, sizeof number, 1, file);
	}
}

/* the head is padded, so that arrays begin at multiples of 4 */
static bool put_stages(const ossa_contraction_stages *stages, FILE *file)
{
	stage_array arrays[ARRAYS];
	list_arrays(stages, arrays);
	json_t *head = head_json(stages, arrays);
	char *text = head ? json_dumps(head, JSON_COMPACT) : NULL;
	json_decref(head);
	if (!text) return false;
	const size_t length = strlen(text);
	const uint32_t size = (uint32_t)(length + 3) & ~(uint32_t)3;
	fwrite(&size, sizeof size, 1, file);
	fwrite(text, 1, length, file);
	for (size_t i = length; i < size; i++) fputc(' ', file);
	free(text);
	for (size_t i = 0; i < ARRAYS; i++) put_array(&arrays[i], file);
	return ferror(file) == 0;
}

static ossa_status store(studio_work *work, const ossa_contraction_stages *stages)
{
	char path[STUDIO_PATH_SIZE];
	STUDIO_TRY(studio_new_file(work, "stages", "bin", path));
	FILE *file = fopen(path, "wb");
	bool is_good = file && put_stages(stages, file);
	if (file && fclose(file) != 0) is_good = false;
	if (is_good) return OSSA_OK;
	return studio_work_fail(work, OSSA_ERROR_WRITE, "the stages cannot be kept: %s", strerror(errno));
}

ossa_status studio_work_stages(studio_work *work)
{
	ossa_rig *open = NULL;
	ossa_contraction_stages stages;
	ossa_contraction_options options = ossa_contraction_default();
	const json_t *texts = json_object_get(work->wanted, "options");
	if (texts && !json_is_object(texts)) return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "\"options\" is no object");
	STUDIO_TRY(studio_options_fill(work, ossa_contraction_stage_option_table(), &options, texts));
	STUDIO_TRY(studio_load_rig(work, "mesh", &open));
	studio_work_part(work, 0.02, 0.95);
	ossa_status status = ossa_contraction_stages_make(work->context, open->mesh, &options, &stages);
	if (status == OSSA_OK) status = store(work, &stages);
	ossa_contraction_stages_free(work->context, &stages);
	ossa_rig_free(work->context, open);
	work->changes_state = status == OSSA_OK;
	return status;
}
