/* tests/clients/make_collada.c: the Collada files that other programs are asked to read.

   usage: make_collada FOLDER.  For each NAME.dae there is NAME.pc2 (what ossa itself says of the
   vertices: the rest pose, then every frame). Where the file has joint limits there is NAME.json,
   which says what readers must find of them, and NAME.bent.pc2: the vertices when every joint is
   turned about one of its axes as NAME.json says. */
#include "base/context.h"
#include "math/vec.h"
#include "rig/hinge.h"
#include "support/rich_rig.h"

#include <jansson.h>

#include <stdio.h>
#include <string.h>

typedef struct fixture {
	ossa_context *context;
	const char *folder, *name;
	ossa_rig *rig;
	ossa_write_options options;
} fixture;

static ossa_status write_cache(const fixture *f, const float *rest, const ossa_frames *frames, const char *ending)
{
	char path[1024];
	ossa_frames *all;
	const size_t size = 3 * f->rig->mesh->vertex_count, first = rest ? 1 : 0;
	OSSAI_TRY(ossa_frames_create(f->context, frames->frame_count + first, f->rig->mesh->vertex_count, 24, &all));
	if (rest) memcpy(all->positions, rest, size * sizeof *rest);
	memcpy(all->positions + first * size, frames->positions, frames->frame_count * size * sizeof *frames->positions);
	snprintf(path, sizeof path, "%s/%s%s", f->folder, f->name, ending);
	const ossa_status status = ossa_write_frames(f->context, NULL, all, path, NULL);
	ossa_frames_free(f->context, all);
	return status;
}

static ossa_status write_motion(const fixture *f)
{
	ossa_frames *frames;
	OSSAI_TRY(ossa_rig_frames(f->context, f->rig, NULL, &frames));
	const ossa_status status = write_cache(f, f->rig->mesh->positions, frames, ".pc2");
	ossa_frames_free(f->context, frames);
	return status;
}

/* a joint's turn in the file: about an axis of its frame, between two limits, bent by an angle well
   within these; degrees */
typedef struct turn {
	double axis[3], limits[2], bend;
} turn;

/* about z, y and x, of which one is bent, or a hinge's own; returns how many */
static size_t turns_of(size_t index, const ossa_bone *bone, turn turns[3])
{
	const size_t count = bone->kind == OSSA_JOINT_HINGE ? 1 : 3;
	for (size_t i = 0; i < count; i++) {
		const size_t k = 2 - i;
		turns[i] = (turn){{k == 0, k == 1, k == 2}, {bone->limits[k][0], bone->limits[k][1]}, 0};
	}
	if (count == 1) {
		ossai_v3_store(ossai_hinge_axis(bone), turns[0].axis);
		ossai_hinge_limits(bone, turns[0].limits);
	}
	turn *bent = &turns[count == 1 ? 0 : 2 - index % 3];
	bent->bend = 0.6 * (bent->limits[1] > -bent->limits[0] ? bent->limits[1] : bent->limits[0]);
	return count;
}

static ossa_status write_bent(const fixture *f)
{
	const ossa_skeleton *skeleton = &f->rig->skeleton;
	ossa_clip *clip;
	OSSAI_TRY(ossa_clip_create(f->context, 1, skeleton->bone_count, false, &clip));
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const ossa_bone *bone = &skeleton->bones[b];
		turn turns[3];
		const size_t count = turns_of(b, bone, turns);
		ossai_quat bent = ossai_quat_identity();
		for (size_t i = 0; i < count; i++) {
			const double radians = turns[i].bend * OSSAI_PI / 180;
			bent = ossai_quat_mul(bent, ossai_quat_axis_angle(ossai_v3_of(turns[i].axis), radians));
		}
		ossai_quat rest = ossai_quat_of(bone->orientation);
		if (b > 0) {
			const ossai_quat parent = ossai_quat_of(skeleton->bones[bone->parent].orientation);
			rest = ossai_quat_mul(ossai_quat_conjugate(parent), rest);
		}
		ossai_quat_store(ossai_quat_mul(rest, bent), clip->rotations + 4 * b);
	}
	memcpy(clip->root_positions, skeleton->bones[0].joint, 3 * sizeof(double));
	ossa_frames *frames;
	ossa_status status = ossa_rig_frames(f->context, f->rig, clip, &frames);
	ossa_clip_free(f->context, clip);
	if (status != OSSA_OK) return status;
	status = write_cache(f, NULL, frames, ".bent.pc2");
	ossa_frames_free(f->context, frames);
	return status;
}

static json_t *triple(const double *values) { return json_pack("[f,f,f]", values[0], values[1], values[2]); }

static json_t *turns_as_json(size_t index, const ossa_bone *bone)
{
	turn turns[3];
	const size_t count = turns_of(index, bone, turns);
	json_t *list = json_array();
	for (size_t i = 0; i < count; i++) {
		json_array_append_new(list,
			json_pack("{s:o,s:f,s:f,s:f}", "axis", triple(turns[i].axis), "least", turns[i].limits[0], "most",
				turns[i].limits[1], "bend", turns[i].bend));
	}
	return list;
}

/* bones in the file's order, each with its position and its turns, outermost first */
static ossa_status write_facts(const fixture *f)
{
	char path[1024];
	json_t *bones = json_array();
	for (size_t b = 0; b < f->rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &f->rig->skeleton.bones[b];
		json_array_append_new(bones,
			json_pack("{s:s,s:o,s:o}", "name", bone->name, "joint", triple(bone->joint), "turns", turns_as_json(b, bone)));
	}
	json_t *facts = json_pack("{s:s,s:o}", "clip", f->rig->clip->name, "bones", bones);
	snprintf(path, sizeof path, "%s/%s.json", f->folder, f->name);
	const int failed = json_dump_file(facts, path, JSON_INDENT(1));
	json_decref(facts);
	if (failed) return ossai_fail(f->context, OSSA_ERROR_WRITE, NULL, "%s cannot be written", path);
	return OSSA_OK;
}

static ossa_status write_fixture(const fixture *f)
{
	char path[1024];
	snprintf(path, sizeof path, "%s/%s.dae", f->folder, f->name);
	OSSAI_TRY(ossa_write_rig(f->context, f->rig, path, &f->options));
	OSSAI_TRY(write_motion(f));
	if (f->options.collada == OSSA_COLLADA_1_4_1) return OSSA_OK;
	OSSAI_TRY(ossa_rig_find_limits(f->context, f->rig, f->options.limit_slack));
	OSSAI_TRY(write_bent(f));
	return write_facts(f);
}

/* ---- the rigs ---- */

static ossa_status make_plain(fixture *f)
{
	(void)f;
	return OSSA_OK;
}

static ossa_status make_older(fixture *f)
{
	f->options.collada = OSSA_COLLADA_1_4_1;
	return OSSA_OK;
}

/* the first frame is not at 0 */
static ossa_status make_late(fixture *f)
{
	for (size_t i = 0; i < f->rig->clip->frame_count; i++) f->rig->clip->times[i] += 1.5;
	return OSSA_OK;
}

static ossa_status make_turned(fixture *f)
{
	f->options.up = OSSA_UP_Z;
	f->options.unit = 0.01;
	return OSSA_OK;
}

/* names that are no ids of XML, that are other names with an axis behind, or that hold what
   programs cut names at */
static ossa_status make_names(fixture *f)
{
	static const char *const names[] = {"arm", "arm_rz", "arm_rz_rz", "r", "rz", "_rz", "transform", "axis", "spine_axis",
		"inst_", "dist_inst", "ossa-mesh", "_ossa-mesh", "ossa-3", "01_hip", "_01_hip"};
	for (size_t i = 0; i < sizeof names / sizeof names[0] && i < f->rig->skeleton.bone_count; i++) {
		strcpy(f->rig->skeleton.bones[i].name, names[i]);
	}
	strcpy(f->rig->mesh->name, "arm");
	return OSSA_OK;
}

/* every bone wanders a little along its own axes */
static ossa_status make_free(fixture *f)
{
	f->options.leaf_bones = true;
	return test_rich_rig_slides(f->context, f->rig);
}

static ossa_status make(
	ossa_context *context, const char *folder, const char *name, int influences, ossa_status (*change)(fixture *))
{
	fixture f = {context, folder, name, NULL, ossa_write_default()};
	OSSAI_TRY(test_rich_rig(context, 1000, 8, influences, &f.rig));
	ossa_status status = change(&f);
	if (status == OSSA_OK) status = write_fixture(&f);
	ossa_rig_free(context, f.rig);
	return status;
}

static ossa_status make_mesh(ossa_context *context, const char *folder)
{
	char path[1024];
	ossa_rig *rig;
	OSSAI_TRY(test_rich_rig(context, 1000, 1, 4, &rig));
	snprintf(path, sizeof path, "%s/mesh.dae", folder);
	const ossa_status status = ossa_write_mesh(context, rig->mesh, NULL, path, NULL);
	ossa_rig_free(context, rig);
	return status;
}

static ossa_status make_all(ossa_context *context, const char *folder)
{
	OSSAI_TRY(make_mesh(context, folder));
	OSSAI_TRY(make(context, folder, "collada", 4, make_plain));
	OSSAI_TRY(make(context, folder, "collada-141", 4, make_older));
	OSSAI_TRY(make(context, folder, "collada-six", 6, make_plain));
	OSSAI_TRY(make(context, folder, "collada-late", 4, make_late));
	OSSAI_TRY(make(context, folder, "collada-turned", 4, make_turned));
	OSSAI_TRY(make(context, folder, "collada-names", 4, make_names));
	return make(context, folder, "collada-free", 4, make_free);
}

int main(int count, char **arguments)
{
	ossa_context *context;
	if (count != 2 || ossa_context_create(NULL, &context) != OSSA_OK) {
		fprintf(stderr, "usage: make_collada FOLDER\n");
		return 2;
	}
	const ossa_status status = make_all(context, arguments[1]);
	if (status != OSSA_OK) fprintf(stderr, "make_collada: %s\n", ossa_context_error(context)->message);
	ossa_context_free(context);
	return status == OSSA_OK ? 0 : 1;
}
