/* tools/ossa/cmd_sample.c: `ossa sample`: makes a creature with known skeleton, weights and motion.

   Place in the path: the top.
   Input: a kind and options.
   Output: a folder with rest pose, poses and the truth. */
#include "command.h"
#include "samples/samples.h"

enum { TEXT_OUTPUT };
enum { TABLE_SAMPLE };

static ossa_status print_sample(command_run *run, const ossa_sample *sample, const char *folder)
{
	const ossa_rig *rig = sample->rig;
	const size_t faces = rig->mesh->triangle_count, bones = rig->skeleton.bone_count, frames = sample->frames->frame_count;
	if (run->shared.json) {
		return command_print_json(run,
			json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:f, s:o}", "sample", rig->mesh->name, "folder", folder, "vertices",
				(json_int_t)rig->mesh->vertex_count, "triangles", (json_int_t)faces, "bones", (json_int_t)bones, "frames",
				(json_int_t)frames, "seconds", command_clock() - run->wall_begin, "warnings", command_json_warnings(run)));
	}
	if (!command_prints_text(run)) return OSSA_OK;
	printf("%s: %zu triangles, %zu bones, %zu poses\n", rig->mesh->name, faces, bones, frames);
	printf("  %s/rest.obj, pose-1.obj to pose-%zu.obj   what a method is given\n", folder, frames);
	printf("  %s/truth.glb, truth.json   the true skeleton, weights and motion\n", folder);
	return OSSA_OK;
}

static ossa_status sample(command_run *run)
{
	ossa_sample_options *options = run->options[TABLE_SAMPLE];
	const ossa_option_table *table = ossa_sample_option_table();
	if (run->files.count > 0) {
		COMMAND_TRY(ossa_option_set(run->context, table, options, "kind", run->files.values[0]));
	}
	char kind[32];
	ossa_option_print(ossa_option_find(table, "kind"), options, kind, sizeof kind);
	const char *folder = command_text_value(run, TEXT_OUTPUT);
	if (!folder) folder = kind;
	ossa_sample *made;
	COMMAND_TRY(ossa_sample_create(run->context, options, &made));
	ossa_status status = ossa_sample_write(run->context, made, folder);
	if (status == OSSA_OK) status = print_sample(run, made, folder);
	ossa_sample_free(run->context, made);
	return status;
}

const command_definition command_sample = {
	.name = "sample",
	.summary = "make a sample creature with a known skeleton",
	.usage = "[KIND] [-o FOLDER] [OPTION]...",
	.details =
		"KIND is tube, biped, quadruped, hand (two fingers move alike), octopus, snake, pieces (a robot of closed "
		"pieces), open (a jacket with open borders), machine (pieces whose joints depend on each other), gimbals (joints of "
		"two axes), face (a head whose skin slides), linkage (joints that form loops), arms (with twist bones) or slides "
		"(pieces that slide).\n\n"
		"The folder gets rest.obj and pose-1.obj, pose-2.obj ..., the input of a method, and the truth to compare with: "
		"truth.glb with the true rig, and truth.json with its joints. Poses that a longer sample left there are "
		"removed. The same options give the same bytes.",
	.examples = "ossa sample quadruped --faces 20000 --frames 24 -o wolf\n"
				"ossa rig wolf/rest.obj wolf/pose-*.obj -o wolf.glb\n"
				"ossa sample biped --bulge 2 --noise 0.1 --seed 7",
	.files_maximum = 1,
	.texts = {{'o', "output", "FOLDER", false, "the folder to write to, made where it is missing (the kind's name)", false}},
	.tables = {ossa_sample_option_table},
	.run = sample,
};
