/* tests/edit/test_solve.c: solving after edits: stale bones alone and all bones, constraints,
   splits. Oracle of every verb: after solving everything once, solving what is stale gives the
   same weights and motion as solving everything. */
#include "edit/solve.h"
#include "math/vec.h"
#include "samples/samples.h"
#include "support/compare.h"
#include "support/edits.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* A creature, a rig found for it from its poses, and an editor in which all of it was solved
   once. */
typedef struct scene {
	ossa_context *context;
	ossa_sample *sample;
	ossa_rig *rig;
	ossa_editor *editor;
} scene;

static ossa_sample *sample_of(ossa_context *context, int kind, int faces, int frames, double bulge)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = kind;
	options.faces = faces;
	options.frames = frames;
	options.bulge = bulge;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

static void do_line(scene *s, const char *line)
{
	assert_ok(s->context, ossa_editor_do_line(s->context, s->editor, line));
	assert_ok(s->context, ossa_rig_validate(s->context, ossa_editor_rig(s->editor)));
}

static scene scene_begin(int threads, int kind, int bones, bool moving)
{
	scene s = {.context = test_context(threads)};
	ossa_examples_options options = ossa_examples_default();
	options.bones = bones;
	s.sample = sample_of(s.context, kind, 1500, 8, 1);
	assert_ok(s.context, ossa_rig_from_examples(s.context, s.sample->rig->mesh, s.sample->frames, &options, &s.rig));
	if (!moving) {
		ossa_clip_free(s.context, s.rig->clip);
		ossa_clip_free(s.context, s.rig->free_clip);
		s.rig->clip = s.rig->free_clip = NULL;
	}
	assert_ok(s.context, ossa_editor_create(s.context, s.rig, moving ? s.sample->frames : NULL, &s.editor));
	do_line(&s, "solve all");
	return s;
}

static void scene_end(scene *s)
{
	ossa_editor_free(s->context, s->editor);
	ossa_rig_free(s->context, s->rig);
	ossa_sample_free(s->context, s->sample);
	test_context_end(s->context);
}

static const ossa_bone *bone_at(const scene *s, size_t b) { return &ossa_editor_rig(s->editor)->skeleton.bones[b]; }

/* the most by which weights differ, bones found by number */
static double weights_apart(const ossa_rig *a, const ossa_rig *b)
{
	double most = 0;
	assert_int_equal(a->skeleton.bone_count, b->skeleton.bone_count);
	for (size_t v = 0; v < a->mesh->vertex_count; v++) {
		for (size_t bone = 0; bone < a->skeleton.bone_count; bone++) {
			most = fmax(most, fabs((double)(test_weight_of(&a->weights, v, bone) - test_weight_of(&b->weights, v, bone))));
		}
	}
	return most;
}

static double motion_apart(const ossa_rig *a, const ossa_rig *b)
{
	double most = 0;
	if (!a->clip) return 0;
	for (size_t i = 0; i < 4 * a->clip->frame_count * a->clip->bone_count; i++) {
		most = fmax(most, fabs(a->clip->rotations[i] - b->clip->rotations[i]));
	}
	return most;
}

/* applies the line, solves, and alternatively solves everything */
static void compare(scene *s, const char *line, const char *name)
{
	do_line(s, line);
	do_line(s, "solve");
	const ossa_solve_facts facts = *ossa_editor_facts(s->editor);
	ossa_rig *copy;
	assert_ok(s->context,
		ossa_rig_create(
			s->context, s->rig->mesh, ossa_editor_rig(s->editor)->skeleton.bone_count, s->rig->weights.influences, &copy));
	const ossa_rig *some = ossa_editor_rig(s->editor);
	const size_t pairs = some->weights.vertex_count * (size_t)some->weights.influences;
	memcpy(copy->weights.bones, some->weights.bones, pairs * sizeof *copy->weights.bones);
	memcpy(copy->weights.values, some->weights.values, pairs * sizeof *copy->weights.values);
	if (some->clip) assert_ok(s->context, ossa_clip_copy(s->context, some->clip, &copy->clip));
	assert_ok(s->context, ossa_editor_undo(s->context, s->editor));
	do_line(s, "solve all");
	const ossa_rig *all = ossa_editor_rig(s->editor);
	const double weights = weights_apart(copy, all), motion = motion_apart(copy, all);
	if (weights > 1e-5 || motion > 1e-9) fail_msg("%s: \"%s\": weights %g, motion %g apart", name, line, weights, motion);
	/* painted or locked support may be disconnected */
	const int apart = facts.after.disconnected_supports;
	if (apart > 0 && !strstr(line, "paint") && !ossa_editor_constraint_count(s->editor)) {
		fail_msg("%s: \"%s\" leaves %d bones in several patches", name, line, apart);
	}
	ossa_rig_free(s->context, copy);
	assert_ok(s->context, ossa_editor_undo(s->context, s->editor));
	assert_ok(s->context, ossa_editor_undo(s->context, s->editor));
}

/* the first bone but the root whose name ends so, 0 for none */
static size_t find_ended(const scene *s, const char *ending)
{
	for (size_t b = 1; b < s->rig->skeleton.bone_count; b++) {
		const char *name = bone_at(s, b)->name;
		if (strlen(name) > strlen(ending) && strcmp(name + strlen(name) - strlen(ending), ending) == 0) return b;
	}
	return 0;
}

/* every verb on some bones of the rig, each on the rig that was solved once */
static void compare_verbs(scene *s, const char *name)
{
	char line[512];
	const size_t bones = s->rig->skeleton.bone_count;
	for (size_t b = 1; b < bones; b += 3) {
		const ossa_bone bone = *bone_at(s, b), up = *bone_at(s, (size_t)bone.parent);
		const ossai_vec3 moved = ossai_lerp(ossai_v3_of(bone.joint), ossai_v3_of(bone.tail), 0.2);
		snprintf(line, sizeof line, "move %s %.9g %.9g %.9g", bone.name, moved.x, moved.y, moved.z);
		compare(s, line, name);
		snprintf(line, sizeof line, "split %s", bone.name);
		compare(s, line, name);
		snprintf(line, sizeof line, "split %s 0.4", bone.name);
		compare(s, line, name);
		if (up.parent >= 0) {
			snprintf(line, sizeof line, "merge %s %s", up.name, bone.name);
			compare(s, line, name);
			snprintf(line, sizeof line, "forbid %s %s", bone.name, up.name);
			compare(s, line, name);
		}
		snprintf(line, sizeof line, "remove %s", bone.name);
		compare(s, line, name);
		snprintf(line, sizeof line, "paint %s 0-11", bone.name);
		compare(s, line, name);
		snprintf(line, sizeof line, "lock weights %s", up.name);
		do_line(s, line);
		snprintf(line, sizeof line, "move %s %.9g %.9g %.9g", bone.name, moved.x, moved.y, moved.z);
		compare(s, line, name);
		assert_ok(s->context, ossa_editor_undo(s->context, s->editor));
	}
}

/* those that change parents and tails: too many to try at every bone */
static void compare_tree_verbs(scene *s, const char *name)
{
	char line[512];
	const size_t bones = s->rig->skeleton.bone_count;
	const ossa_bone bone = *bone_at(s, bones / 2), up = *bone_at(s, (size_t)bone.parent), first = *bone_at(s, 0);
	if (strcmp(up.name, first.name) != 0) {
		snprintf(line, sizeof line, "connect %s %s", bone.name, first.name);
		compare(s, line, name);
	}
	snprintf(line, sizeof line, "root %s", bone.name);
	compare(s, line, name);
	const ossa_bone end = *bone_at(s, bones - 1);
	const ossai_vec3 tail = ossai_lerp(ossai_v3_of(end.joint), ossai_v3_of(end.tail), 0.7);
	snprintf(line, sizeof line, "tail %s %.9g %.9g %.9g", end.name, tail.x, tail.y, tail.z);
	compare(s, line, name);
	/* to a point on the skin that the bone holds */
	size_t vertex = 0;
	const ossa_weights *weights = &ossa_editor_rig(s->editor)->weights;
	for (size_t v = 1; v < weights->vertex_count; v++) {
		if (test_weight_of(weights, v, bones / 2) > test_weight_of(weights, vertex, bones / 2)) vertex = v;
	}
	const float *skin = s->rig->mesh->positions + 3 * vertex;
	snprintf(line, sizeof line, "add %s %.9g %.9g %.9g", bone.name, (double)skin[0], (double)skin[1], (double)skin[2]);
	compare(s, line, name);
	/* a limb, where there are two alike */
	const size_t limb = find_ended(s, "_L");
	if (limb == 0) return;
	snprintf(line, sizeof line, "mirror %s", bone_at(s, limb)->name);
	compare(s, line, name);
}

static void solving_some_is_solving_all(void **state)
{
	static const struct {
		const char *name;
		int kind, bones;
	} rigs[] = {{"quadruped", OSSA_SAMPLE_QUADRUPED, 14}, {"hand", OSSA_SAMPLE_HAND, 10}, {"biped", OSSA_SAMPLE_BIPED, 12}};
	(void)state;
	for (size_t i = 0; i < sizeof rigs / sizeof rigs[0]; i += test_is_long() ? 1 : 2) {
		scene s = scene_begin(2, rigs[i].kind, rigs[i].bones, true);
		compare_verbs(&s, rigs[i].name);
		compare_tree_verbs(&s, rigs[i].name);
		scene_end(&s);
	}
}

static void solving_some_is_solving_all_without_motion(void **state)
{
	(void)state;
	scene s = scene_begin(2, OSSA_SAMPLE_QUADRUPED, 14, false);
	compare_verbs(&s, "still quadruped");
	compare_tree_verbs(&s, "still quadruped");
	scene_end(&s);
}

/* earlier edits and undos, or reading and solving, change no byte */
static void history_makes_no_difference(void **state)
{
	scene a = scene_begin(1, OSSA_SAMPLE_HAND, 10, true), b = scene_begin(4, OSSA_SAMPLE_HAND, 10, true);
	char line[256];
	(void)state;
	snprintf(line, sizeof line, "split %s", bone_at(&a, 4)->name);
	do_line(&a, line);
	do_line(&a, "solve");
	snprintf(line, sizeof line, "remove %s", bone_at(&b, 2)->name);
	do_line(&b, line);
	do_line(&b, "solve");
	assert_ok(b.context, ossa_editor_undo(b.context, b.editor));
	assert_ok(b.context, ossa_editor_undo(b.context, b.editor));
	snprintf(line, sizeof line, "split %s", bone_at(&b, 4)->name);
	do_line(&b, line);
	do_line(&b, "solve");
	test_bytes one = test_rig_bytes(a.context, ossa_editor_rig(a.editor));
	test_bytes two = test_rig_bytes(b.context, ossa_editor_rig(b.editor));
	assert_true(test_same_bytes(one, two));
	ossa_free(a.context, one.bytes);
	ossa_free(b.context, two.bytes);
	scene_end(&a);
	scene_end(&b);
}

/* where nothing is stale nothing is solved; solved twice is solved once */
static void what_is_solved_stays(void **state)
{
	scene s = scene_begin(1, OSSA_SAMPLE_QUADRUPED, 12, true);
	test_bytes one, two;
	(void)state;
	one = test_rig_bytes(s.context, ossa_editor_rig(s.editor));
	do_line(&s, "solve");
	do_line(&s, "solve all");
	two = test_rig_bytes(s.context, ossa_editor_rig(s.editor));
	assert_int_equal(ossa_editor_facts(s.editor)->vertices_changed, 0);
	assert_true(test_same_bytes(one, two));
	ossa_free(s.context, one.bytes);
	ossa_free(s.context, two.bytes);
	scene_end(&s);
}

/* of more than 48 frames weights are fitted to representative ones; every frame is still
   reproduced */
static void many_frames_are_solved_by_few(void **state)
{
	enum { FRAMES = 60 };
	ossa_context *context = test_context(2);
	ossa_sample *sample = sample_of(context, OSSA_SAMPLE_BIPED, 1000, FRAMES, 0);
	ossa_editor *editor;
	(void)state;
	assert_ok(context, ossa_editor_create(context, sample->rig, sample->frames, &editor));
	scene s = {context, sample, sample->rig, editor};
	do_line(&s, "solve all");
	assert_true(ossa_editor_facts(editor)->after.rms_percent < 0.01);
	compare(&s, "merge thigh-l shin-l", "60 frames");
	compare(&s, "split forearm-r", "60 frames");
	do_line(&s, "merge thigh-l shin-l");
	do_line(&s, "split thigh-l 0 again");
	do_line(&s, "solve");
	const ossa_solve_facts *facts = ossa_editor_facts(editor);
	assert_true(ossa_editor_rig(editor)->clip->frame_count == FRAMES);
	if (!(facts->before.rms_percent > 0.5 && facts->after.rms_percent < 0.02 && facts->after.max_percent < 0.5)) {
		fail_msg(
			"RMS %g %% of %g %%, at most %g %%", facts->after.rms_percent, facts->before.rms_percent, facts->after.max_percent);
	}
	ossa_editor_free(context, editor);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- splits ---- */

/* Two bones of the true rig are merged and split again: the joint is where it was, and the motion
   is reproduced as before. */
static void bones_part_where_they_were_split(void **state)
{
	static const char *const pairs[][2] = {
		{"thigh-l", "shin-l"}, {"shin-r", "hock-r"}, {"forearm-l", "cannon-l"}, {"upperarm-r", "forearm-r"}};
	ossa_context *context = test_context(2);
	ossa_sample *sample = sample_of(context, OSSA_SAMPLE_QUADRUPED, 3000, 12, 0);
	const double diagonal = test_diagonal(sample->rig->mesh);
	size_t tried = 0;
	(void)state;
	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		char line[256];
		ossa_editor *editor;
		const int32_t upper = ossa_rig_bone(sample->rig, pairs[i][0]), lower = ossa_rig_bone(sample->rig, pairs[i][1]);
		if (upper < 0 || lower < 0) continue;
		tried++;
		assert_ok(context, ossa_editor_create(context, sample->rig, sample->frames, &editor));
		scene s = {context, sample, sample->rig, editor};
		snprintf(line, sizeof line, "merge %s %s", pairs[i][0], pairs[i][1]);
		do_line(&s, line);
		snprintf(line, sizeof line, "split %s 0 again", pairs[i][0]);
		do_line(&s, line);
		do_line(&s, "solve");
		const ossa_solve_facts *facts = ossa_editor_facts(editor);
		const int32_t again = ossa_rig_bone(ossa_editor_rig(editor), "again");
		assert_true(again >= 0);
		const double off = ossai_distance(
			ossai_v3_of(bone_at(&s, (size_t)again)->joint), ossai_v3_of(sample->rig->skeleton.bones[lower].joint));
		if (!(off < 0.01 * diagonal)) fail_msg("%s parts %g of the diagonal from where it did", line, off / diagonal);
		if (!(facts->before.rms_percent > 0.5 && facts->after.rms_percent < 0.01)) {
			fail_msg("%s: RMS %g %% of %g %%", line, facts->after.rms_percent, facts->before.rms_percent);
		}
		assert_true(facts->joints && facts->weights && facts->motion && facts->bones_changed >= 2);
		ossa_editor_free(context, editor);
	}
	assert_true(tried >= 3);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* a GLB file holds enough of the merge hierarchy that a bone parts there as it would have before */
static void merges_survive_a_file(void **state)
{
	scene s = scene_begin(1, OSSA_SAMPLE_HAND, 8, true);
	const char *path = test_path("merges.glb");
	ossa_rig *read;
	char line[128];
	(void)state;
	assert_ok(s.context, ossa_write_rig(s.context, s.rig, path, NULL));
	assert_ok(s.context, ossa_read_rig(s.context, path, NULL, &read));
	assert_true(read->merge_count == 511 && read->face_clusters);
	ossa_editor *editor;
	assert_ok(s.context, ossa_editor_create(s.context, read, s.sample->frames, &editor));
	scene other = {s.context, s.sample, read, editor};
	do_line(&other, "solve all");
	snprintf(line, sizeof line, "split %s 0 again", bone_at(&s, 3)->name);
	do_line(&s, line);
	do_line(&s, "solve");
	do_line(&other, line);
	do_line(&other, "solve");
	const int32_t a = ossa_rig_bone(ossa_editor_rig(s.editor), "again"), b = ossa_rig_bone(ossa_editor_rig(editor), "again");
	const double off = ossai_distance(
		ossai_v3_of(bone_at(&s, (size_t)a)->joint), ossai_v3_of(bone_at(&other, (size_t)b)->joint));
	assert_true(off < 1e-3 * test_diagonal(s.rig->mesh));
	ossa_editor_free(s.context, editor);
	ossa_rig_free(s.context, read);
	scene_end(&s);
}

/* ---- bounds ---- */

/* Weights of a locked bone are the same bits; painted faces follow their bone alone. */
static void locks_and_paint_are_kept(void **state)
{
	scene s = scene_begin(1, OSSA_SAMPLE_QUADRUPED, 12, true);
	char line[256];
	(void)state;
	const size_t bone = 5, parent = (size_t)bone_at(&s, bone)->parent;
	const ossa_bone moved = *bone_at(&s, bone);
	const size_t vertices = s.rig->mesh->vertex_count;
	float *before = ossa_alloc(s.context, vertices, sizeof *before);
	for (size_t v = 0; v < vertices; v++) before[v] = test_weight_of(&ossa_editor_rig(s.editor)->weights, v, parent);
	snprintf(line, sizeof line, "lock weights %s", bone_at(&s, parent)->name);
	do_line(&s, line);
	snprintf(line, sizeof line, "move %s %.9g %.9g %.9g", moved.name, moved.joint[0] + 0.03, moved.joint[1], moved.joint[2]);
	do_line(&s, line);
	do_line(&s, "solve");
	assert_true(ossa_editor_facts(s.editor)->vertices_changed > 0);
	for (size_t v = 0; v < vertices; v++) {
		assert_true(test_weight_of(&ossa_editor_rig(s.editor)->weights, v, parent) == before[v]);
	}
	ossa_free(s.context, before);
	/* faces that follow another bone now */
	const ossa_rig *rig = ossa_editor_rig(s.editor);
	size_t face = 0;
	while (test_weight_of(&rig->weights, rig->mesh->triangles[3 * face], bone) < 0.5F) face++;
	const size_t other = bone == 2 ? 3 : 2;
	snprintf(line, sizeof line, "paint %s %zu", bone_at(&s, other)->name, face);
	do_line(&s, line);
	do_line(&s, "solve all");
	rig = ossa_editor_rig(s.editor);
	for (size_t i = 0; i < 3; i++) assert_true(test_weight_of(&rig->weights, rig->mesh->triangles[3 * face + i], other) == 1);
	scene_end(&s);
}

/* a bone with locked weights cannot compensate for removed ones: weights still sum to 1 */
static void locked_weights_where_a_patch_would_be_cut(void **state)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_edits_rig(context, OSSA_SAMPLE_BIPED, 1000, 3);
	ossa_editor *editor;
	(void)state;
	const int32_t shin = ossa_rig_bone(rig, "shin-l");
	const uint16_t head = (uint16_t)ossa_rig_bone(rig, "head");
	const size_t width = (size_t)rig->weights.influences;
	/* some of the shin follow the head a little */
	size_t count = 0;
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		if (test_weight_of(&rig->weights, v, (size_t)shin) < 1) continue;
		const uint16_t bones[] = {
			(uint16_t)shin, (uint16_t)ossa_rig_bone(rig, "thigh-l"), (uint16_t)ossa_rig_bone(rig, "foot-l"), head};
		const float values[] = {0.9945F, 0.003F, 0.002F, 0.0005F};
		memcpy(rig->weights.bones + width * v, bones, sizeof bones);
		memcpy(rig->weights.values + width * v, values, sizeof values);
		count++;
	}
	assert_true(count > 10);
	assert_ok(context, ossa_editor_create(context, rig, NULL, &editor));
	static const char *const lines[] = {"lock weights shin-l", "lock weights thigh-l", "lock weights foot-l", "solve all"};
	for (size_t i = 0; i < 4; i++) assert_ok(context, ossa_editor_do_line(context, editor, lines[i]));
	test_edits_check(context, ossa_editor_rig(editor), "solve all");
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		const float before = test_weight_of(&rig->weights, v, (size_t)shin);
		assert_true(test_weight_of(&ossa_editor_rig(editor)->weights, v, (size_t)shin) == before);
	}
	ossa_editor_free(context, editor);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a face of a locked bone cannot be another's */
static void bounds_that_contradict_are_named(void **state)
{
	scene s = scene_begin(1, OSSA_SAMPLE_QUADRUPED, 12, true);
	ossa_rig *rig = s.rig;
	enum { LOCKED = 5, WANTED = 2 };
	const size_t bones = rig->skeleton.bone_count, faces = rig->mesh->triangle_count;
	uint16_t *bone_of_face = ossa_alloc(s.context, faces, sizeof *bone_of_face);
	uint8_t *locked = ossa_alloc(s.context, bones, 1);
	ossai_solver *solver;
	ossa_solve_facts facts;
	(void)state;
	for (size_t f = 0; f < faces; f++) {
		const bool follows = test_weight_of(&rig->weights, rig->mesh->triangles[3 * f], LOCKED) > 0.5F;
		bone_of_face[f] = follows ? WANTED : OSSAI_FREE_FACE;
	}
	locked[LOCKED] = 1;
	test_bytes before = test_rig_bytes(s.context, rig);
	const ossai_solve_bounds bounds = {.weights_locked = locked, .bone_of_face = bone_of_face};
	assert_ok(s.context, ossai_solver_create(s.context, rig->mesh, s.sample->frames, &solver));
	assert_fails(s.context, ossai_solve(s.context, solver, rig, locked, &bounds, NULL, &facts), OSSA_ERROR_INPUT,
		rig->skeleton.bones[LOCKED].name);
	test_bytes after = test_rig_bytes(s.context, rig);
	assert_true(test_same_bytes(before, after));
	ossa_free(s.context, before.bytes);
	ossa_free(s.context, after.bytes);
	ossa_free(s.context, bone_of_face);
	ossa_free(s.context, locked);
	ossai_solver_free(s.context, solver);
	scene_end(&s);
}

/* two that may not be parent and child are not, and the motion is still repeated about as well */
static void forbidden_pairs_are_kept_apart(void **state)
{
	scene s = scene_begin(1, OSSA_SAMPLE_BIPED, 12, true);
	char line[256];
	(void)state;
	for (size_t b = 1; b < s.rig->skeleton.bone_count; b++) {
		const ossa_bone bone = *bone_at(&s, b), up = *bone_at(&s, (size_t)bone.parent);
		snprintf(line, sizeof line, "forbid %s %s", bone.name, up.name);
		do_line(&s, line);
		do_line(&s, "solve");
		const ossa_rig *rig = ossa_editor_rig(s.editor);
		const int32_t now = ossa_rig_bone(rig, bone.name), was = ossa_rig_bone(rig, up.name);
		assert_true(rig->skeleton.bones[now].parent != was && rig->skeleton.bones[was].parent != now);
		assert_true(ossa_editor_facts(s.editor)->tree);
		assert_ok(s.context, ossa_editor_undo(s.context, s.editor));
		assert_ok(s.context, ossa_editor_undo(s.context, s.editor));
	}
	scene_end(&s);
}

/* ---- failures ---- */

typedef struct sweep {
	const ossa_rig *rig;
	const ossa_frames *frames;
} sweep;

static ossa_status sweep_body(ossa_context *context, void *arg)
{
	const sweep *s = arg;
	ossa_editor *editor = NULL;
	char line[128];
	ossa_status status = ossa_editor_create(context, s->rig, s->frames, &editor);
	snprintf(line, sizeof line, "split %s", s->rig->skeleton.bones[1].name);
	if (status == OSSA_OK) status = ossa_editor_do_line(context, editor, line);
	if (status == OSSA_OK) status = ossa_editor_do_line(context, editor, "solve");
	ossa_editor_free(context, editor);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	ossa_context *context = test_context(1);
	ossa_sample *sample = sample_of(context, OSSA_SAMPLE_TUBE, 1000, 3, 0);
	sweep s = {sample->rig, sample->frames};
	(void)state;
	assert_true(test_allocation_sweep(sweep_body, &s, 0, 7) > 100);
	s.frames = NULL;
	ossa_clip_free(context, sample->rig->clip);
	sample->rig->clip = NULL;
	assert_true(test_allocation_sweep(sweep_body, &s, 0, 7) > 50);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(solving_some_is_solving_all),
		cmocka_unit_test(solving_some_is_solving_all_without_motion), cmocka_unit_test(history_makes_no_difference),
		cmocka_unit_test(what_is_solved_stays), cmocka_unit_test(many_frames_are_solved_by_few),
		cmocka_unit_test(bones_part_where_they_were_split), cmocka_unit_test(merges_survive_a_file),
		cmocka_unit_test(locks_and_paint_are_kept), cmocka_unit_test(locked_weights_where_a_patch_would_be_cut),
		cmocka_unit_test(bounds_that_contradict_are_named), cmocka_unit_test(forbidden_pairs_are_kept_apart),
		cmocka_unit_test(every_allocation_may_fail)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
