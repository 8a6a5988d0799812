/* tests/edit/test_edit_random.c: long random sequences of edits: every rig is valid, every state
   of the history gives the same bytes, the log gives the same rig; and failing memory
   everywhere. */
#include "edit/editor.h"
#include "support/edits.h"
#include "support/support.h"

#include "samples/samples.h"

#include <stdio.h>
#include <string.h>

enum { LINES = 700, BONES_MOST = 48, CHECKED_EVERY = 25 };

/* ---- random lines ---- */

typedef struct generator {
	uint32_t state;
	const ossa_rig *rig;
	size_t constraints;
} generator;

static uint32_t below(generator *g, uint32_t count) { return test_random_bits(&g->state) % count; }
static double share(generator *g) { return (double)test_random_bits(&g->state) / (double)(1 << 24); }

static const char *some_bone(generator *g)
{
	return g->rig->skeleton.bones[below(g, (uint32_t)g->rig->skeleton.bone_count)].name;
}

/* a point near a vertex, or on one */
static void some_point(generator *g, char text[96])
{
	const float *p = g->rig->mesh->positions + 3 * (size_t)below(g, (uint32_t)g->rig->mesh->vertex_count);
	const double away = below(g, 2) ? 0.1 : 0;
	snprintf(text, 96, "%.9g %.9g %.9g", (double)p[0] + away * (share(g) - 0.5), (double)p[1] + away * (share(g) - 0.5),
		(double)p[2] + away * (share(g) - 0.5));
}

static void some_faces(generator *g, char text[96])
{
	const uint32_t faces = (uint32_t)g->rig->mesh->triangle_count, first = below(g, faces);
	const uint32_t last = first + below(g, 20) < faces ? first + below(g, 20) : first;
	snprintf(text, 96, "%u,%u-%u", below(g, faces), first, last < faces && last >= first ? last : first);
}

static void some_line(generator *g, char line[256])
{
	char point[96], faces[96];
	some_point(g, point);
	some_faces(g, faces);
	const char *a = some_bone(g), *b = some_bone(g);
	/* as many bones go as come */
	const bool many = g->rig->skeleton.bone_count > BONES_MOST;
	switch (below(g, 24)) {
	case 0:
	case 1: snprintf(line, 256, many ? "remove %s" : "split %s %.3f", a, 0.05 + 0.9 * share(g)); return;
	case 2: snprintf(line, 256, many ? "remove %s" : "split %s", a); return;
	case 3:
	case 4: snprintf(line, 256, many ? "remove %s" : "add %s %s", a, point); return;
	case 5:
	case 6: snprintf(line, 256, "remove %s", a); return;
	case 7:
	case 8: snprintf(line, 256, "merge %s %s", a, b); return;
	case 9:
	case 10: snprintf(line, 256, "move %s %s", a, point); return;
	case 11: snprintf(line, 256, "tail %s %s", a, point); return;
	case 12:
	case 13: snprintf(line, 256, "connect %s %s", a, b); return;
	case 14: snprintf(line, 256, "root %s", a); return;
	case 15: snprintf(line, 256, "rename %s bone_%u_%c", a, below(g, 1000), "LR"[below(g, 2)]); return;
	case 16: snprintf(line, 256, many ? "remove %s" : "mirror %s", a); return;
	case 17: snprintf(line, 256, "limits %s -%u 10 0 0 -5 %u", a, below(g, 360), below(g, 360)); return;
	case 18: snprintf(line, 256, "lock %s %s", below(g, 2) ? "weights" : "joint", a); return;
	case 19: snprintf(line, 256, "%s %s %s", below(g, 2) ? "forbid" : "apart", a, b); return;
	case 20: snprintf(line, 256, "together %s %s", a, b); return;
	case 21: snprintf(line, 256, "paint %s %s", a, faces); return;
	case 22: snprintf(line, 256, "relax %u", 1 + below(g, (uint32_t)g->constraints + 1)); return;
	default:
		snprintf(line, 256, below(g, 4) ? "rename %s x%u" : below(g, 3) ? "solve" : "solve all", a, below(g, 1000));
		return;
	}
}

/* ---- the row ---- */

typedef struct row {
	ossa_context *context;
	ossa_editor *editor;
	test_bytes *bytes; /* after so many edits; NULL: not checked */
} row;

static void check_place(row *r)
{
	const size_t at = ossa_editor_done_count(r->editor);
	if (!r->bytes[at].bytes) return;
	test_bytes now = test_rig_bytes(r->context, ossa_editor_rig(r->editor));
	if (!test_same_bytes(now, r->bytes[at])) fail_msg("after %zu edits the rig is not what it was", at);
	ossa_free(r->context, now.bytes);
}

static void keep_place(row *r)
{
	const size_t at = ossa_editor_done_count(r->editor);
	ossa_free(r->context, r->bytes[at].bytes);
	r->bytes[at] = at % CHECKED_EVERY == 0 ? test_rig_bytes(r->context, ossa_editor_rig(r->editor)) : (test_bytes){NULL, 0};
}

/* some steps back and forth again, all checked */
static void walk(row *r, generator *g)
{
	const size_t done = ossa_editor_done_count(r->editor), steps = below(g, (uint32_t)(done < 60 ? done + 1 : 60));
	for (size_t i = 0; i < steps; i++) {
		assert_ok(r->context, ossa_editor_undo(r->context, r->editor));
		check_place(r);
	}
	for (size_t i = 0; i < steps; i++) {
		assert_ok(r->context, ossa_editor_redo(r->context, r->editor));
		check_place(r);
	}
}

static size_t do_some(row *r, generator *g, size_t lines)
{
	char line[256];
	size_t refused = 0;
	for (size_t i = 0; i < lines; i++) {
		g->rig = ossa_editor_rig(r->editor);
		g->constraints = ossa_editor_constraint_count(r->editor);
		some_line(g, line);
		const size_t before = ossa_editor_done_count(r->editor);
		const ossa_status status = ossa_editor_do_line(r->context, r->editor, line);
		if (status != OSSA_OK) {
			/* what cannot be done is said, and nothing has changed; solving may find constraints
			   that contradict each other */
			if (status != OSSA_ERROR_ARGUMENT && status != OSSA_ERROR_INPUT) fail_msg("%s: %s", line, ossa_status_name(status));
			if (ossa_editor_rig(r->editor) != g->rig || ossa_editor_done_count(r->editor) != before)
				fail_msg("%s: half done", line);
			refused++;
			continue;
		}
		test_edits_check(r->context, ossa_editor_rig(r->editor), line);
		keep_place(r);
		if (below(g, 40) == 0) walk(r, g);
	}
	return refused;
}

static void play(int kind, int frames, uint32_t seed, size_t budget)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_edits_rig(context, kind, 1000, frames > 0 ? frames : 1);
	generator g = {.state = seed};
	row r = {.context = context};
	if (frames == 0) {
		ossa_clip_free(context, rig->clip);
		rig->clip = NULL;
	}
	assert_ok(context, ossa_editor_create(context, rig, NULL, &r.editor));
	ossai_editor_limit(context, r.editor, budget);
	r.bytes = ossa_alloc(context, LINES + 1, sizeof *r.bytes);
	assert_non_null(r.bytes);
	keep_place(&r);
	const size_t lines = test_is_long() ? LINES : LINES / 2, refused = do_some(&r, &g, lines);
	/* most lines mean something */
	assert_true(refused < 2 * lines / 3);
	check_place(&r);
	/* the log gives the same */
	char *log;
	ossa_editor *again;
	assert_ok(context, ossa_editor_log(context, r.editor, &log));
	assert_ok(context, ossa_editor_create(context, rig, NULL, &again));
	assert_ok(context, ossa_editor_replay(context, again, log));
	test_bytes one = test_rig_bytes(context, ossa_editor_rig(r.editor)), two = test_rig_bytes(context, ossa_editor_rig(again));
	assert_true(test_same_bytes(one, two));
	ossa_free(context, one.bytes);
	ossa_free(context, two.bytes);
	ossa_free(context, log);
	for (size_t i = 0; i <= LINES; i++) ossa_free(context, r.bytes[i].bytes);
	ossa_free(context, r.bytes);
	ossa_editor_free(context, again);
	ossa_editor_free(context, r.editor);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void random_edits_with_motion(void **unused)
{
	(void)unused;
	play(OSSA_SAMPLE_BIPED, 3, 1, SIZE_MAX);
	play(OSSA_SAMPLE_OCTOPUS, 2, 2, (size_t)4 << 20);
}

static void random_edits_without_motion(void **unused)
{
	(void)unused;
	play(OSSA_SAMPLE_QUADRUPED, 0, 3, (size_t)4 << 20);
	play(OSSA_SAMPLE_HAND, 0, 4, SIZE_MAX);
}

/* ---- memory ---- */

static ossa_status some_edits(ossa_context *context, void *arg)
{
	static const char *const lines[] = {"split b 0.3", "forbid c a", "lock weights b", "paint c 0-3", "move c 2.9 0 0.05",
		"merge b b_02", "add a 0.5 0.5 0", "root c", "relax 1", "connect a c", "rename a first", "remove b"};
	const ossa_rig *rig = arg;
	ossa_editor *editor, *again;
	char *log = NULL;
	ossa_status status = ossa_editor_create(context, rig, NULL, &editor);
	if (status != OSSA_OK) return status;
	for (size_t i = 0; status == OSSA_OK && i < sizeof lines / sizeof lines[0]; i++) {
		status = ossa_editor_do_line(context, editor, lines[i]);
	}
	ossai_editor_limit(context, editor, 1);
	for (int i = 0; status == OSSA_OK && i < 3; i++) status = ossa_editor_undo(context, editor);
	if (status == OSSA_OK) status = ossa_editor_redo(context, editor);
	if (status == OSSA_OK) status = ossa_editor_log(context, editor, &log);
	if (status == OSSA_OK) status = ossa_editor_create(context, rig, NULL, &again);
	if (status == OSSA_OK) {
		status = ossa_editor_replay(context, again, log);
		ossa_editor_free(context, again);
	}
	ossa_free(context, log);
	ossa_editor_free(context, editor);
	return status;
}

static void memory_fails_at_every_point(void **unused)
{
	(void)unused;
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_edits_chain(context);
	assert_ok(context, ossa_clip_of_rest(context, rig, 2, 24, &rig->clip));
	assert_true(test_allocation_sweep(some_edits, rig, 400, 7) > 300);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static ossa_status mirror_and_solve(ossa_context *context, void *arg)
{
	ossa_editor *editor;
	ossa_status status = ossa_editor_create(context, arg, NULL, &editor);
	if (status != OSSA_OK) return status;
	status = ossa_editor_do_line(context, editor, "split forearm-l");
	if (status == OSSA_OK) status = ossa_editor_do_line(context, editor, "mirror forearm-l");
	if (status == OSSA_OK) status = ossa_editor_do_line(context, editor, "solve");
	ossa_editor_free(context, editor);
	return status;
}

static void memory_fails_while_mirroring_and_solving(void **unused)
{
	(void)unused;
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_edits_rig(context, OSSA_SAMPLE_BIPED, 1000, 2);
	assert_true(test_allocation_sweep(mirror_and_solve, rig, 60, 37) > 100);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_edits_with_motion),
		cmocka_unit_test(random_edits_without_motion),
		cmocka_unit_test(memory_fails_at_every_point),
		cmocka_unit_test(memory_fails_while_mirroring_and_solving),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
