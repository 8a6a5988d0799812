/* tools/ossa/cmd_inspect.c: `ossa inspect`: prints what is in a file.

   Place in the path: the top.
   Input: a mesh, a rig or a point cache.
   Output: its counts and measures, its joints as a tree. */
#include "inspect.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

enum { INSPECT_OWN, INSPECT_READ, INSPECT_VOLUME, INSPECT_CONTRACTION }; /* tables */
enum { INSPECT_STAGES };                                                 /* texts */

typedef struct inspect_options {
	bool bend;
	bool voxels;
	bool contraction;
} inspect_options;

static const ossa_option_table *inspect_table(void)
{
	static const inspect_options defaults = {false, false, false};
	static const ossa_option options[] = {
		{"bend", OSSA_OPTION_BOOL, offsetof(inspect_options, bend), 0, 1, "", "",
			"bend every joint of the rig by 45 and 90 degrees and measure its surface", ""},
		{"voxels", OSSA_OPTION_BOOL, offsetof(inspect_options, voxels), 0, 1, "", "",
			"fill the mesh with voxels and list what the method volume finds in them", ""},
		{"contraction", OSSA_OPTION_BOOL, offsetof(inspect_options, contraction), 0, 1, "", "",
			"contract the mesh as the paper of the method contraction does, and list the steps and the curve", ""},
	};
	static const ossa_option_table table = {
		"inspect", options, sizeof options / sizeof options[0], &defaults, .size = sizeof(inspect_options)};
	return &table;
}

static ossa_status count_influences(command_run *run, inspect_work *work)
{
	const ossa_weights *weights = &work->rig->weights;
	work->bone_vertices = ossa_alloc(run->context, work->rig->skeleton.bone_count, sizeof *work->bone_vertices);
	if (!work->bone_vertices) return ossa_context_error(run->context)->status;
	for (size_t v = 0; v < weights->vertex_count; v++) {
		int used = 0;
		for (int i = 0; i < weights->influences; i++) {
			const size_t slot = v * (size_t)weights->influences + (size_t)i;
			used += weights->values[slot] > 1e-6F;
			work->bone_vertices[weights->bones[slot]] += weights->values[slot] > 1e-4F;
		}
		if (used > work->influences) work->influences = used;
	}
	return OSSA_OK;
}

static ossa_status read_mesh(command_run *run, inspect_work *work)
{
	COMMAND_TRY(ossa_read_mesh(run->context, work->path, run->options[INSPECT_READ], &work->own_mesh));
	work->mesh = work->own_mesh;
	return OSSA_OK;
}

/* a rig where the file holds one, else its mesh, else its frames */
static ossa_status read_file(command_run *run, inspect_work *work)
{
	COMMAND_TRY(ossa_read_paths(run->context, work->path, &work->file_count, &work->files));
	COMMAND_TRY(ossa_read_detect(run->context, work->path, &work->format));
	COMMAND_TRY(ossa_read_contents(run->context, work->path, NULL, &work->clip_count, &work->clips));
	COMMAND_TRY(ossa_read_scene(run->context, work->path, &work->item_count, &work->items));
	if (work->format->reads_rig) {
		const ossa_status status = ossa_read_rig(run->context, work->path, run->options[INSPECT_READ], &work->rig);
		if (status == OSSA_OK) {
			work->mesh = work->rig->mesh;
			return count_influences(run, work);
		}
		if (status != OSSA_ERROR_INPUT) return status;
		snprintf(work->no_rig, sizeof work->no_rig, "%s", ossa_context_error(run->context)->message);
	}
	if (work->format->reads_mesh) return read_mesh(run, work);
	return ossa_read_frames(run->context, NULL, 1, &work->path, true, run->options[INSPECT_READ], &work->frames);
}

static ossa_status bend_joints(command_run *run, inspect_work *work)
{
	if (!((const inspect_options *)run->options[INSPECT_OWN])->bend) return OSSA_OK;
	if (!work->rig) {
		return command_fail(
			run, OSSA_ERROR_INPUT, "%s: holds no rig to bend%s%s", work->path, work->no_rig[0] ? ": " : "", work->no_rig);
	}
	work->joint_bends = ossa_alloc(run->context, work->rig->skeleton.bone_count, sizeof *work->joint_bends);
	if (!work->joint_bends) return ossa_context_error(run->context)->status;
	return ossa_rig_measure_bend(run->context, work->rig, NULL, work->joint_bends, &work->bend);
}

/* runs the stages of the contraction method */
static ossa_status contract(command_run *run, inspect_work *work)
{
	const char *folder = command_text_value(run, INSPECT_STAGES);
	if (!((const inspect_options *)run->options[INSPECT_OWN])->contraction) return OSSA_OK;
	if (!work->mesh || work->mesh->vertex_count == 0) {
		return command_fail(run, OSSA_ERROR_INPUT, "%s: holds no mesh to contract", work->path);
	}
	COMMAND_TRY(ossa_contraction_stages_make(run->context, work->mesh, run->options[INSPECT_CONTRACTION], &work->contraction));
	return folder ? ossa_contraction_stages_write(run->context, &work->contraction, folder) : OSSA_OK;
}

/* runs the stages of the volume method, whose costs are then in the context */
static ossa_status fill_voxels(command_run *run, inspect_work *work)
{
	const inspect_options *own = run->options[INSPECT_OWN];
	const char *folder = command_text_value(run, INSPECT_STAGES);
	if (!own->voxels && (!folder || own->contraction)) return OSSA_OK;
	if (!work->mesh || work->mesh->vertex_count == 0) {
		return command_fail(run, OSSA_ERROR_INPUT, "%s: holds no mesh to fill with voxels", work->path);
	}
	COMMAND_TRY(ossa_volume_stages_make(run->context, work->mesh, run->options[INSPECT_VOLUME], &work->stages));
	return folder ? ossa_volume_stages_write(run->context, &work->stages, folder) : OSSA_OK;
}

/* ---- the tree of joints ---- */

static void print_bone(const void *user, size_t index, size_t depth)
{
	const inspect_work *work = user;
	enum { DEPTH_SHOWN = 24 };
	const ossa_bone *bone = &work->rig->skeleton.bones[index];
	const int indent = 2 * (int)(depth < DEPTH_SHOWN ? depth : DEPTH_SHOWN);
	printf("  %*s%-*s %-7s %8zu vertices   at %.5g %.5g %.5g", indent, "", 30 - indent > 1 ? 30 - indent : 1, bone->name,
		command_joint_kind(bone), work->bone_vertices[index], bone->joint[0], bone->joint[1], bone->joint[2]);
	inspect_print_role(bone);
	putchar('\n');
}

/* ---- bends ---- */

const char *inspect_joint_name(const inspect_work *work, int joint)
{
	return joint < 0 ? "-" : work->rig->skeleton.bones[joint].name;
}

static void print_joint_bend(const inspect_work *work, size_t bone)
{
	const ossa_metric_table *table = ossa_joint_bend_table();
	printf("%-24s", inspect_joint_name(work, (int)bone));
	for (size_t i = 0; i < table->count; i++) {
		char text[32];
		ossa_metric_print(&table->fields[i], &work->joint_bends[bone], text, sizeof text);
		printf(" %12s", text);
	}
	putchar('\n');
}

static void print_bend(const inspect_work *work)
{
	const ossa_metric_table *table = ossa_joint_bend_table();
	putchar('\n');
	command_print_metrics(
		&(command_metrics){.table = ossa_bend_table(), .skeleton = &work->rig->skeleton, .count = 1, .values = {&work->bend}});
	printf("\n%-24s", "bent joint");
	for (size_t i = 0; i < table->count; i++) printf(" %12s", table->fields[i].title);
	putchar('\n');
	for (size_t b = 0; b < work->rig->skeleton.bone_count; b++) {
		/* NAN: the joint moves nothing */
		if (work->joint_bends[b].crossing_45_percent == work->joint_bends[b].crossing_45_percent) print_joint_bend(work, b);
	}
}

/* ---- text ---- */

static void print_polygons(const ossa_mesh_facts *facts)
{
	static const char *const names[] = {"triangles", "quads", "larger"};
	const char *between = "  (";
	for (int i = 0; i < 3; i++) {
		if (facts->polygons_by_corners[i] == 0) continue;
		printf("%s%zu %s", between, facts->polygons_by_corners[i], names[i]);
		between = ", ";
	}
	printf("%s\n", between[0] == ',' ? ")" : "");
}

/* one of the things in a row; *count: of those before */
static void print_carried(size_t *count, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void print_carried(size_t *count, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fputs((*count)++ > 0 ? ", " : " ", stdout);
	vprintf(format, arguments);
	va_end(arguments);
}

static const char *plural(size_t count) { return count == 1 ? "" : "s"; }

static void print_extras(const ossa_mesh *mesh)
{
	size_t count = 0;
	printf("%-12s", "carries");
	const size_t set_count = ossa_mesh_uv_set_count(mesh);
	if (mesh->corner_texcoord) print_carried(&count, "%zu UVs", mesh->texcoord_count);
	if (set_count > 1) printf(" in the first of %zu sets", set_count);
	if (mesh->corner_normal) print_carried(&count, "%zu normals", mesh->normal_count);
	if (mesh->colors) print_carried(&count, "colors");
	if (mesh->material_count > 0) print_carried(&count, "%zu material%s", mesh->material_count, plural(mesh->material_count));
	if (mesh->morph_count > 0) print_carried(&count, "%zu morph target%s", mesh->morph_count, plural(mesh->morph_count));
	printf("%s\n", count == 0 ? " positions only" : "");
}

static void print_mesh(const ossa_mesh *mesh, const ossa_mesh_facts *facts)
{
	printf("%-12s %zu", "vertices", mesh->vertex_count);
	if (facts->unused_vertices > 0) printf("  (%zu that no face uses)", facts->unused_vertices);
	printf("\n%-12s %zu", "faces", mesh->polygon_count);
	print_polygons(facts);
	printf("%-12s %zu\n", "pieces", facts->pieces);
	printf("%-12s %zu, %zu on a border", "edges", facts->edges, facts->border_edges);
	if (facts->crowded_edges > 0) printf(", %zu of more than two faces (not manifold)", facts->crowded_edges);
	putchar('\n');
	if (facts->degenerate_triangles > 0)
		printf("%-12s %zu triangles without area\n", "degenerate", facts->degenerate_triangles);
	for (int k = 0; k < 3; k++) {
		printf(
			"%-12s %.6g to %.6g\n", (const char *const[]){"box x", "    y", "    z"}[k], facts->minimum[k], facts->maximum[k]);
	}
	printf("%-12s %.6g\n%-12s %.6g\n", "diagonal", facts->diagonal, "area", facts->area);
	if (facts->border_edges == 0 && facts->edges > 0) {
		printf("%-12s %.6g%s\n", "volume", facts->volume, facts->volume < 0 ? "  (faces look inward)" : "");
	}
	print_extras(mesh);
}

/* "joints", "shapes", "parts" of what an animation moves */
static const char *moved_words(const ossa_clip_facts *clip, char text[64])
{
	snprintf(text, 64, "%s%s%s", clip->moves_joints ? " joints" : "", clip->moves_shapes ? " shapes" : "",
		clip->moves_parts ? " parts" : "");
	return text[0] ? text + 1 : "nothing";
}

static void print_clips(const inspect_work *work)
{
	for (size_t i = 0; i < work->clip_count; i++) {
		const ossa_clip_facts *clip = &work->clips[i];
		char words[64];
		printf("%-12s %zu \"%s\": %zu keys, %.6g s, moves %s\n", i == 0 ? "animations" : "", i + 1, clip->name, clip->key_count,
			clip->seconds, moved_words(clip, words));
	}
}

static ossa_status print_rig(command_run *run, const inspect_work *work)
{
	const ossa_clip *clip = work->rig->clip;
	printf("%-12s %d at most on a vertex\n", "weights", work->influences);
	if (clip) {
		printf("%-12s \"%s\": %zu keyframes, %.6g s%s\n", "motion", clip->name, clip->frame_count,
			clip->frame_count > 0 ? clip->times[clip->frame_count - 1] : 0, clip->translations ? ", bones move freely" : "");
	} else printf("%-12s none\n", "motion");
	inspect_print_body(&work->rig->body);
	printf("%-12s %zu\n", "bones", work->rig->skeleton.bone_count);
	return command_walk_joints(run, &work->rig->skeleton, print_bone, work);
}

/* whether numbered files were named, of which the first is described */
bool inspect_is_sequence(const inspect_work *work) { return strcmp(work->files[0], work->path) != 0; }

static ossa_status print_text(command_run *run, const inspect_work *work)
{
	printf("%-12s %s\n", "file", work->path);
	if (inspect_is_sequence(work)) {
		printf("%-12s %zu, %s to %s; the first is\n", "numbered", work->file_count, work->files[0],
			work->files[work->file_count - 1]);
	}
	printf("%-12s %s\n", "format", work->format->title);
	if (work->frames) {
		const ossa_frames *frames = work->frames;
		printf("%-12s %zu\n%-12s %zu\n", "frames", frames->frame_count, "vertices", frames->vertex_count);
		if (frames->frame_count > 0) printf("%-12s %.6g s\n", "lasts", frames->times[frames->frame_count - 1]);
		return OSSA_OK;
	}
	if (work->mesh->vertex_count > 0) print_mesh(work->mesh, &work->facts);
	else printf("%-12s none: a skeleton alone\n", "mesh");
	inspect_print_objects(work->mesh);
	inspect_print_materials(run, work->mesh);
	inspect_print_morphs(work->mesh);
	inspect_print_scene(work);
	print_clips(work);
	if (work->rig) COMMAND_TRY(print_rig(run, work));
	if (work->joint_bends) print_bend(work);
	if (work->no_rig[0]) printf("%-12s none: %s\n", "rig", work->no_rig);
	if (work->contraction.positions) inspect_print_contraction(work);
	if (work->stages.segments) inspect_print_voxels(run, work);
	return OSSA_OK;
}

static ossa_status inspect(command_run *run, inspect_work *work)
{
	COMMAND_TRY(read_file(run, work));
	COMMAND_TRY(command_check(run));
	if (work->mesh && work->mesh->vertex_count > 0) COMMAND_TRY(ossa_mesh_inspect(run->context, work->mesh, &work->facts));
	COMMAND_TRY(bend_joints(run, work));
	COMMAND_TRY(contract(run, work));
	COMMAND_TRY(fill_voxels(run, work));
	if (run->shared.json) return inspect_print_json(run, work);
	return command_prints_text(run) ? print_text(run, work) : OSSA_OK;
}

static ossa_status run_inspect(command_run *run)
{
	inspect_work work = {.path = run->files.values[0]};
	const ossa_status status = inspect(run, &work);
	ossa_free(run->context, work.files);
	ossa_free(run->context, work.bone_vertices);
	ossa_free(run->context, work.joint_bends);
	ossa_contraction_stages_free(run->context, &work.contraction);
	ossa_volume_stages_free(run->context, &work.stages);
	ossa_rig_free(run->context, work.rig);
	ossa_mesh_free(run->context, work.own_mesh);
	ossa_frames_free(run->context, work.frames);
	ossa_free(run->context, work.clips);
	ossa_free(run->context, work.items);
	return status;
}

static const ossa_option_group groups[] = {
	{"Measures", "bend|voxels|contraction", "stages"},
	{"Input", "", ""},
	{NULL, NULL, NULL},
};

const command_definition command_inspect = {
	.name = "inspect",
	.summary = "show what is in a file",
	.usage = "FILE [OPTIONS]",
	.details = "Prints the counts and measures of a mesh, its objects, UV sets, materials, images and morph targets, the "
			   "cameras, lights "
			   "and tangents of a scene, the frames of a point cache, the animations of a scene, and the joints, weights and "
			   "motion of a rig. The type of a file is recognized "
			   "by its "
			   "content, not by its name.",
	.more =
		"With --bend every joint of a rig is bent alone, by 45 and by 90 degrees, both ways about the two axes across its "
		"bone. The table shows the change of the volume, the faces that then cross others, and the weights that bleed from "
		"limb to limb: the quality of weights without motion to compare with.\n\n"
		"With --voxels the mesh goes through the stages of `ossa rig --method volume --refine 0`. The table shows the grid, "
		"the interior voxels, those of the medial surface, the extreme points and paths found on it, the segments, and the "
		"different sets of segments that voxels are anchored to. --stages FOLDER writes them as files: voxels.ply, "
		"medial.ply, heart.ply, extremes.ply, path-voxels.ply and anchors.ply as colored points, paths.obj and segments.obj "
		"as lines.\n\n"
		"With --contraction the mesh is contracted as `ossa rig --method contraction --refine 0` does. The tables show the "
		"mesh graph, W_L and what is left of volume and area after each step, and the curve of control points. --stages "
		"FOLDER writes graph.obj, step-01.obj and so on, points.ply and curve.obj.",
	.examples = "ossa inspect horse.obj\n"
				"ossa inspect horse.glb --json\n"
				"ossa inspect horse.glb --bend\n"
				"ossa inspect horse.obj --voxels --voxel-size 0.005\n"
				"ossa inspect horse.obj --contraction --stages horse-stages",
	.files_minimum = 1,
	.files_maximum = 1,
	.groups = groups,
	.texts = {{0, "stages", "FOLDER", false, "with --voxels or --contraction: write the stages into this folder", false}},
	.tables = {inspect_table, ossa_read_option_table, ossa_volume_stage_option_table, ossa_contraction_stage_option_table},
	.run = run_inspect,
};
