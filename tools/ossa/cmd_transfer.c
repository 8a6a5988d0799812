/* tools/ossa/cmd_transfer.c: `ossa transfer`: a rig for another mesh of the same character.

   Place in the path: the top.
   Input: a rig, one mesh or several from fine to coarse.
   Output: the mesh with the rig, or all as levels of detail (transfer_levels.c). */
#include "transfer_levels.h"

static ossa_status read_inputs(command_run *run, transfer_work *work)
{
	/* axes and units that are given are those of OTHER; animations are the rig's, which has all */
	ossa_read_options of_rig = *(const ossa_read_options *)run->options[TRANSFER_READ];
	of_rig.input_up = OSSA_UP_FILE;
	of_rig.input_unit = 0;
	if (!of_rig.clip[0]) snprintf(of_rig.clip, sizeof of_rig.clip, "all");
	return ossa_read_rig(run->context, run->files.values[0], &of_rig, &work->from);
}

static ossa_status read_other(command_run *run, transfer_work *work, size_t i)
{
	const ossa_read_options *typed = run->options[TRANSFER_READ];
	ossa_read_options of_mesh = ossa_read_default();
	of_mesh.input_up = typed->input_up;
	of_mesh.input_unit = typed->input_unit;
	return ossa_read_mesh(run->context, run->files.values[i + 1], &of_mesh, &work->levels[i].mesh);
}

/* errors are about one of several meshes */
static ossa_status carry(command_run *run, transfer_work *work, size_t i)
{
	transfer_level *level = &work->levels[i];
	COMMAND_TRY(command_check(run));
	COMMAND_TRY(read_other(run, work, i));
	const ossa_status status = ossa_rig_transfer(
		run->context, work->from, level->mesh, run->options[TRANSFER_OWN], &level->rig, &level->facts);
	if (status == OSSA_OK && work->is_lods) return transfer_keep_weights(run, run->files.values[i + 1], level);
	if (status == OSSA_OK || work->count == 1 || status == OSSA_ERROR_CANCELLED) return status;
	return command_fail(run, status, "%s: %s", run->files.values[i + 1], ossa_context_error(run->context)->message);
}

static ossa_status name_bones(command_run *run, transfer_work *work)
{
	ossa_bone_names names;
	if (!command_target_names(run, TRANSFER_TARGET, &names)) return OSSA_OK;
	COMMAND_TRY(ossa_rig_name_bones(run->context, work->from, names));
	for (size_t i = 0; i < work->count; i++) COMMAND_TRY(ossa_rig_name_bones(run->context, work->levels[i].rig, names));
	return OSSA_OK;
}

static ossa_status write_outputs(command_run *run, const transfer_work *work)
{
	const command_values *outputs = &run->texts[TRANSFER_OUTPUT];
	for (size_t i = 0; i < outputs->count; i++) {
		ossa_write_options options;
		COMMAND_TRY(command_check(run));
		COMMAND_TRY(command_target_options_for(
			run, TRANSFER_TARGET, work->levels[0].rig, outputs->values[i], run->options[TRANSFER_WRITE], &options));
		if (work->is_lods) COMMAND_TRY(transfer_write_levels(run, work, outputs->values[i], &options));
		else COMMAND_TRY(ossa_write_rig(run->context, work->levels[0].rig, outputs->values[i], &options));
	}
	return OSSA_OK;
}

static json_t *weights_json(const ossa_transfer_facts *facts)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "sure", (json_int_t)facts->sure_count, "inpainted",
		(json_int_t)facts->inpainted_count, "nearest", (json_int_t)facts->nearest_count, "loose",
		(json_int_t)facts->loose_count, "far", (json_int_t)facts->far_count, "turned", (json_int_t)facts->turned_count,
		"unsure_pieces", (json_int_t)facts->unsure_pieces, "mean_distance", command_json_real(facts->mean_distance),
		"largest_distance", command_json_real(facts->largest_distance), "scale", command_json_real(facts->scale));
}

static ossa_status print_json(command_run *run, const transfer_work *work)
{
	const transfer_level *first = &work->levels[0];
	json_t *files = json_array(), *levels = json_array();
	for (size_t i = 0; i < run->texts[TRANSFER_OUTPUT].count; i++) transfer_list_files(run, work, i, files);
	for (size_t i = 0; work->is_lods && i < work->count; i++) {
		const transfer_level *level = &work->levels[i];
		json_array_append_new(levels,
			json_pack("{s:s, s:I, s:I, s:b, s:I, s:o}", "mesh", run->files.values[i + 1], "vertices",
				(json_int_t)level->mesh->vertex_count, "triangles", (json_int_t)level->mesh->triangle_count, "keeps_weights",
				level->keeps_weights, "bones",
				(json_int_t)command_level_bones(work->from, transfer_articulation(run, work, i + 1)), "weights",
				weights_json(&level->facts)));
	}
	json_t *value = json_pack("{s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:o}", "rig", run->files.values[0], "mesh",
		run->files.values[1], "vertices", (json_int_t)first->mesh->vertex_count, "bones",
		(json_int_t)first->rig->skeleton.bone_count, "clips", (json_int_t)ossa_rig_clip_count(first->rig), "weights",
		weights_json(&first->facts), "files", files, "warnings", command_json_warnings(run));
	if (work->is_lods) json_object_set(value, "levels", levels);
	json_decref(levels);
	return command_print_json(run, value);
}

static void print_level(const command_run *run, const transfer_work *work, size_t i)
{
	const transfer_level *level = &work->levels[i];
	const ossa_transfer_facts *facts = &level->facts;
	const size_t nearest = facts->nearest_count + facts->loose_count;
	printf("%-10s %s: %zu vertices, %zu faces", "mesh", run->files.values[i + 1], level->mesh->vertex_count,
		level->mesh->polygon_count);
	const int articulation = work->is_lods ? transfer_articulation(run, work, i + 1) : 0;
	if (articulation > 0) printf(", %zu bones", command_level_bones(work->from, articulation));
	putchar('\n');
	if (level->keeps_weights) {
		printf("%-10s its own\n", "weights");
		return;
	}
	printf("%-10s %zu vertices from the rig's surface, %zu continued from these", "weights", facts->sure_count,
		facts->inpainted_count);
	if (nearest > 0) printf(", %zu from the nearest place", nearest);
	putchar('\n');
	if (facts->scale != 1) printf("%-10s by %.6g\n", "scaled", facts->scale);
}

static void print_text(const command_run *run, const transfer_work *work)
{
	const size_t motions = ossa_rig_clip_count(work->from);
	json_t *files = json_array(), *file;
	size_t f;
	printf("%-10s %s: %zu bones, %zu motion%s\n", "rig", run->files.values[0], work->from->skeleton.bone_count, motions,
		motions == 1 ? "" : "s");
	for (size_t i = 0; i < work->count; i++) print_level(run, work, i);
	for (size_t i = 0; i < run->texts[TRANSFER_OUTPUT].count; i++) transfer_list_files(run, work, i, files);
	json_array_foreach(files, f, file) printf("%-10s %s\n", "wrote", json_string_value(file));
	json_decref(files);
}

static ossa_status transfer(command_run *run, transfer_work *work)
{
	const transfer_level_options *options = run->options[TRANSFER_LEVELS];
	work->count = run->files.count - 1;
	work->is_lods = work->count > 1 || options->lod;
	work->levels = ossa_alloc(run->context, work->count, sizeof *work->levels);
	if (!work->levels) return OSSA_ERROR_MEMORY;
	COMMAND_TRY(transfer_check_outputs(run, work));
	COMMAND_TRY(read_inputs(run, work));
	for (size_t i = 0; i < work->count; i++) COMMAND_TRY(carry(run, work, i));
	COMMAND_TRY(name_bones(run, work));
	if (work->is_lods) COMMAND_TRY(transfer_find_levels(run, work));
	COMMAND_TRY(write_outputs(run, work));
	if (run->shared.json) return print_json(run, work);
	if (command_prints_text(run)) print_text(run, work);
	return OSSA_OK;
}

static ossa_status run_transfer(command_run *run)
{
	transfer_work work = {.from = NULL};
	const ossa_status status = transfer(run, &work);
	for (size_t i = 0; work.levels && i < work.count; i++) {
		ossa_rig_free(run->context, work.levels[i].rig);
		ossa_mesh_free(run->context, work.levels[i].mesh);
	}
	ossa_free(run->context, work.levels);
	ossa_rig_free(run->context, work.from);
	return status;
}

static const ossa_option_group groups[] = {
	{"Transfer", "place", "distance|angle"},
	{"Levels of detail", "levels", "lod|own-weights"},
	{"Input", "input-up|input-unit", ""},
	{"Output", "output", ""},
	{NULL, NULL, NULL},
};

const command_definition command_transfer = {
	.name = "transfer",
	.summary = "carry a rig to another mesh of the same character",
	.usage = "RIG OTHER... -o OUT... [OPTIONS]",
	.details =
		"Gives the mesh of OTHER (coarser, finer, of another topology, clothes) the skeleton, the motions and the weights "
		"of RIG. OTHER may be any file that holds a mesh; its materials and UVs stay as they are, and of a glTF file "
		"everything else. It must be in the place of the mesh of RIG, in its rest pose and size.\n\n"
		"A vertex gets the weights at the nearest place of the surface of RIG where this is near and looks the same way. "
		"Elsewhere, as where limbs touch, weights continue those around.\n\n"
		"Several OTHERs, from fine to coarse, are levels of detail below the mesh of RIG: OUT holds all of them under one "
		"skeleton (glTF: MSFT_lod). Where OUT has {level} in its name, or its format has no levels, each is a file.",
	.more = "--input-up and --input-unit are of OTHER, --clip and --frames of RIG, whose motions are all taken by default.",
	.examples = "ossa transfer hero.glb hero-low.obj -o hero-low.glb\n"
				"ossa transfer hero.glb coat.glb -o coat-rigged.glb --distance 8\n"
				"ossa transfer hero.glb scan.ply -o scan.glb --place align\n"
				"ossa transfer hero.glb mid.glb low.glb -o hero-lods.glb --levels 3\n"
				"ossa transfer hero.glb mid.glb low.glb -o 'hero-{level}.fbx'",
	.files_minimum = 2,
	.files_maximum = SIZE_MAX,
	.groups = groups,
	.texts = {[TRANSFER_OUTPUT] = {'o', "output", "FILE", true, "write the result to FILE; its ending selects the format",
				  false}},
	.tables = {ossa_transfer_option_table, ossa_read_option_table, ossa_write_option_table, command_target_table,
		transfer_level_table},
	.run = run_transfer,
};
