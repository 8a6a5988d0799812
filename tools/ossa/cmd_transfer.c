/* tools/ossa/cmd_transfer.c: `ossa transfer`: a rig for another mesh of the same character.

   Place in the path: the top.
   Input: a rig, a mesh.
   Output: the mesh with the rig. */
#include "target.h"

/* texts and tables */
enum { TRANSFER_OUTPUT };
enum { TRANSFER_OWN, TRANSFER_READ, TRANSFER_WRITE, TRANSFER_TARGET };

typedef struct transfer_work {
	ossa_rig *from, *rig;
	ossa_mesh *mesh;
	ossa_transfer_facts facts;
} transfer_work;

static ossa_status check_outputs(command_run *run)
{
	const command_values *outputs = &run->texts[TRANSFER_OUTPUT];
	if (outputs->count == 0) return command_fail(run, OSSA_ERROR_ARGUMENT, "name the output with -o FILE");
	for (size_t i = 0; i < outputs->count; i++) {
		COMMAND_TRY(command_check_rig_format(run, outputs->values[i]));
		COMMAND_TRY(command_check_output(run, outputs->values[i]));
		COMMAND_TRY(ossa_write_check(run->context, outputs->values[i]));
	}
	return OSSA_OK;
}

/* axes and units that are given are those of OTHER; animations are the rig's, which has all */
static ossa_status read_inputs(command_run *run, transfer_work *work)
{
	const ossa_read_options *typed = run->options[TRANSFER_READ];
	ossa_read_options of_rig = *typed, of_mesh = ossa_read_default();
	of_rig.input_up = OSSA_UP_FILE;
	of_rig.input_unit = 0;
	of_mesh.input_up = typed->input_up;
	of_mesh.input_unit = typed->input_unit;
	if (!of_rig.clip[0]) snprintf(of_rig.clip, sizeof of_rig.clip, "all");
	COMMAND_TRY(ossa_read_rig(run->context, run->files.values[0], &of_rig, &work->from));
	return ossa_read_mesh(run->context, run->files.values[1], &of_mesh, &work->mesh);
}

static ossa_status write_outputs(command_run *run, const transfer_work *work)
{
	const command_values *outputs = &run->texts[TRANSFER_OUTPUT];
	ossa_bone_names names;
	if (command_target_names(run, TRANSFER_TARGET, &names)) COMMAND_TRY(ossa_rig_name_bones(run->context, work->rig, names));
	for (size_t i = 0; i < outputs->count; i++) {
		ossa_write_options options;
		COMMAND_TRY(command_check(run));
		COMMAND_TRY(command_target_options_for(
			run, TRANSFER_TARGET, work->rig, outputs->values[i], run->options[TRANSFER_WRITE], &options));
		COMMAND_TRY(ossa_write_rig(run->context, work->rig, outputs->values[i], &options));
	}
	return OSSA_OK;
}

static ossa_status print_json(command_run *run, const transfer_work *work)
{
	const ossa_transfer_facts *facts = &work->facts;
	const command_values *outputs = &run->texts[TRANSFER_OUTPUT];
	json_t *files = json_array();
	for (size_t i = 0; i < outputs->count; i++) json_array_append_new(files, json_string(outputs->values[i]));
	json_t *weights = json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "sure", (json_int_t)facts->sure_count,
		"inpainted", (json_int_t)facts->inpainted_count, "nearest", (json_int_t)facts->nearest_count, "loose",
		(json_int_t)facts->loose_count, "far", (json_int_t)facts->far_count, "turned", (json_int_t)facts->turned_count,
		"unsure_pieces", (json_int_t)facts->unsure_pieces, "mean_distance", command_json_real(facts->mean_distance),
		"largest_distance", command_json_real(facts->largest_distance), "scale", command_json_real(facts->scale));
	return command_print_json(run,
		json_pack("{s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:o}", "rig", run->files.values[0], "mesh", run->files.values[1],
			"vertices", (json_int_t)work->mesh->vertex_count, "bones", (json_int_t)work->rig->skeleton.bone_count, "clips",
			(json_int_t)ossa_rig_clip_count(work->rig), "weights", weights, "files", files, "warnings",
			command_json_warnings(run)));
}

static void print_text(const command_run *run, const transfer_work *work)
{
	const ossa_transfer_facts *facts = &work->facts;
	const size_t motions = ossa_rig_clip_count(work->rig), nearest = facts->nearest_count + facts->loose_count;
	printf("%-10s %s: %zu bones, %zu motion%s\n", "rig", run->files.values[0], work->rig->skeleton.bone_count, motions,
		motions == 1 ? "" : "s");
	printf("%-10s %s: %zu vertices, %zu faces\n", "mesh", run->files.values[1], work->mesh->vertex_count,
		work->mesh->polygon_count);
	printf("%-10s %zu vertices from the rig's surface, %zu continued from these", "weights", facts->sure_count,
		facts->inpainted_count);
	if (nearest > 0) printf(", %zu from the nearest place", nearest);
	putchar('\n');
	if (facts->scale != 1) printf("%-10s by %.6g\n", "scaled", facts->scale);
	for (size_t i = 0; i < run->texts[TRANSFER_OUTPUT].count; i++) {
		printf("%-10s %s\n", "wrote", run->texts[TRANSFER_OUTPUT].values[i]);
	}
}

static ossa_status transfer(command_run *run, transfer_work *work)
{
	COMMAND_TRY(check_outputs(run));
	COMMAND_TRY(read_inputs(run, work));
	COMMAND_TRY(ossa_rig_transfer(run->context, work->from, work->mesh, run->options[TRANSFER_OWN], &work->rig, &work->facts));
	COMMAND_TRY(write_outputs(run, work));
	if (run->shared.json) return print_json(run, work);
	if (command_prints_text(run)) print_text(run, work);
	return OSSA_OK;
}

static ossa_status run_transfer(command_run *run)
{
	transfer_work work = {.from = NULL};
	const ossa_status status = transfer(run, &work);
	ossa_rig_free(run->context, work.rig);
	ossa_rig_free(run->context, work.from);
	ossa_mesh_free(run->context, work.mesh);
	return status;
}

static const ossa_option_group groups[] = {
	{"Transfer", "place", "distance|angle"},
	{"Input", "input-up|input-unit", ""},
	{"Output", "output", ""},
	{NULL, NULL, NULL},
};

const command_definition command_transfer = {
	.name = "transfer",
	.summary = "carry a rig to another mesh of the same character",
	.usage = "RIG OTHER -o OUT... [OPTIONS]",
	.details =
		"Gives the mesh of OTHER (coarser, finer, of another topology, clothes) the skeleton, the motions and the weights "
		"of RIG. OTHER may be any file that holds a mesh; its materials and UVs stay as they are, and of a glTF file "
		"everything else. It must be in the place of the mesh of RIG, in its rest pose and size.\n\n"
		"A vertex gets the weights at the nearest place of the surface of RIG where this is near and looks the same way. "
		"Elsewhere, as where limbs touch, weights continue those around.",
	.more = "--input-up and --input-unit are of OTHER, --clip and --frames of RIG, whose motions are all taken by default.",
	.examples = "ossa transfer hero.glb hero-low.obj -o hero-low.glb\n"
				"ossa transfer hero.glb coat.glb -o coat-rigged.glb --distance 8\n"
				"ossa transfer hero.glb scan.ply -o scan.glb --place align",
	.files_minimum = 2,
	.files_maximum = 2,
	.groups = groups,
	.texts = {[TRANSFER_OUTPUT] = {'o', "output", "FILE", true, "write the result to FILE; its ending selects the format",
				  false}},
	.tables = {ossa_transfer_option_table, ossa_read_option_table, ossa_write_option_table, command_target_table},
	.run = run_transfer,
};
