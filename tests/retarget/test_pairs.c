/* tests/retarget/test_pairs.c: which bones follow which. */
#include "retarget/pairs.h"

#include "retarget/name_pairs.h"
#include "support/named_bones.h"

/* bones of one part in a row up the y axis, each of its length */
typedef struct row {
	ossa_body_part part;
	int side, count;
	double length[4];
} row;

typedef struct rows {
	named_bones made;
	ossa_role role[NAMED_BONES_MAX];
} rows;

static void make(rows *r, size_t count, const row *list)
{
	named_bones_of(&r->made, "a0(a1(a2(a3(a4(a5(a6(a7)))))))");
	size_t b = 0;
	for (size_t i = 0; i < count; i++) {
		double at = 0;
		for (int k = 0; k < list[i].count; k++, b++) {
			ossai_v3_store(ossai_v3((double)i, at, 0), r->made.bones[b].joint);
			at += list[i].length[k];
			ossai_v3_store(ossai_v3((double)i, at, 0), r->made.bones[b].tail);
			r->role[b] = (ossa_role){.part = list[i].part, .side = list[i].side, .number = list[i].count > 1 ? k + 1 : 0};
		}
	}
	r->made.skeleton.bone_count = b;
}

static void assert_share(const ossai_pairs *pairs, size_t bone, size_t at, uint32_t source, double share)
{
	const ossai_share *found = pairs->share + pairs->first[bone] + at;
	assert_true(pairs->first[bone] + at < pairs->first[bone + 1]);
	assert_int_equal(found->bone, source);
	assert_near(found->share, share, 1e-12);
}

static size_t share_count(const ossai_pairs *pairs, size_t bone) { return pairs->first[bone + 1] - pairs->first[bone]; }

typedef struct stage {
	ossa_context *context;
	ossai_arena arena;
	rows target, source;
	uint32_t forced[NAMED_BONES_MAX];
	ossai_pairs pairs;
} stage;

static void find(stage *s)
{
	const ossa_skeleton *target = &s->target.made.skeleton, *source = &s->source.made.skeleton;
	assert_ok(s->context, ossai_find_pairs(&s->arena, target, s->target.role, source, s->source.role, s->forced, &s->pairs));
}

static void begin(stage *s, size_t count, const row *target, size_t source_count, const row *source)
{
	s->context = test_context(1);
	s->arena = ossai_arena_begin(s->context);
	make(&s->target, count, target);
	make(&s->source, source_count, source);
	for (size_t b = 0; b < NAMED_BONES_MAX; b++) s->forced[b] = OSSA_NONE;
	find(s);
}

static void end(stage *s)
{
	ossai_arena_end(&s->arena);
	test_context_end(s->context);
}

#define SPINE OSSA_PART_SPINE, 0
#define LEFT_CALF OSSA_PART_LOWER_LEG, 1

static void three_on_two(void **state)
{
	(void)state;
	stage s;
	begin(&s, 1, (row[]){{SPINE, 2, {3, 3}}}, 1, (row[]){{SPINE, 3, {1, 1, 1}}});
	assert_int_equal(s.pairs.target_count, 2);
	assert_int_equal(s.pairs.source_count, 3);
	assert_share(&s.pairs, 0, 0, 0, 2.0 / 3);
	assert_share(&s.pairs, 0, 1, 1, 1.0 / 3);
	assert_share(&s.pairs, 1, 0, 1, 1.0 / 3);
	assert_share(&s.pairs, 1, 1, 2, 2.0 / 3);
	end(&s);
}

static void two_on_three(void **state)
{
	(void)state;
	stage s;
	begin(&s, 1, (row[]){{SPINE, 3, {1, 1, 1}}}, 1, (row[]){{SPINE, 2, {3, 3}}});
	assert_share(&s.pairs, 0, 0, 0, 1);
	assert_share(&s.pairs, 1, 0, 0, 0.5);
	assert_share(&s.pairs, 1, 1, 1, 0.5);
	assert_share(&s.pairs, 2, 0, 1, 1);
	end(&s);
}

/* a long bone takes part in more */
static void stretches_count_by_their_length(void **state)
{
	(void)state;
	stage s;
	begin(&s, 1, (row[]){{SPINE, 2, {1, 3}}}, 1, (row[]){{SPINE, 3, {1, 2, 1}}});
	assert_int_equal(share_count(&s.pairs, 0), 1);
	assert_share(&s.pairs, 0, 0, 0, 1);
	assert_share(&s.pairs, 1, 0, 1, 2.0 / 3);
	assert_share(&s.pairs, 1, 1, 2, 1.0 / 3);
	end(&s);
}

static void one_on_three_and_back(void **state)
{
	(void)state;
	stage s;
	begin(&s, 1, (row[]){{SPINE, 1, {5}}}, 1, (row[]){{SPINE, 3, {1, 1, 2}}});
	assert_share(&s.pairs, 0, 0, 0, 0.25);
	assert_share(&s.pairs, 0, 1, 1, 0.25);
	assert_share(&s.pairs, 0, 2, 2, 0.5);
	end(&s);
	begin(&s, 1, (row[]){{LEFT_CALF, 2, {1, 1}}}, 1, (row[]){{LEFT_CALF, 1, {7}}});
	for (size_t b = 0; b < 2; b++) {
		assert_int_equal(share_count(&s.pairs, b), 1);
		assert_share(&s.pairs, b, 0, 0, 1);
	}
	end(&s);
}

/* as many bones: one by one, however long they are */
static void equal_numbers_pair_one_by_one(void **state)
{
	(void)state;
	stage s;
	begin(&s, 1, (row[]){{SPINE, 3, {1, 1, 1}}}, 1, (row[]){{SPINE, 3, {0.1, 5, 2}}});
	for (uint32_t b = 0; b < 3; b++) {
		assert_int_equal(share_count(&s.pairs, b), 1);
		assert_share(&s.pairs, b, 0, b, 1);
	}
	end(&s);
}

/* chains without length are divided by number, a bone without length follows one */
static void bones_may_have_no_length(void **state)
{
	(void)state;
	stage s;
	begin(&s, 1, (row[]){{SPINE, 2, {0, 0}}}, 1, (row[]){{SPINE, 3, {0, 0, 0}}});
	assert_share(&s.pairs, 0, 0, 0, 2.0 / 3);
	assert_share(&s.pairs, 0, 1, 1, 1.0 / 3);
	end(&s);
	begin(&s, 1, (row[]){{SPINE, 3, {1, 0, 1}}}, 1, (row[]){{SPINE, 2, {1, 1}}});
	assert_int_equal(share_count(&s.pairs, 1), 1);
	assert_share(&s.pairs, 1, 0, 0, 1);
	assert_share(&s.pairs, 2, 0, 1, 1);
	end(&s);
}

/* sides, parts and limbs are apart; what the target lacks is counted */
static void other_parts_do_not_pair(void **state)
{
	(void)state;
	stage s;
	begin(&s, 2, (row[]){{SPINE, 1, {1}}, {LEFT_CALF, 1, {1}}}, 3,
		(row[]){{OSSA_PART_LOWER_LEG, -1, 1, {1}}, {SPINE, 1, {1}}, {OSSA_PART_TAIL, 0, 2, {1, 1}}});
	assert_share(&s.pairs, 0, 0, 1, 1);
	assert_int_equal(share_count(&s.pairs, 1), 0);
	assert_int_equal(s.pairs.target_count, 1);
	assert_int_equal(s.pairs.source_unused, 3);
	end(&s);
	begin(&s, 1, (row[]){{SPINE, 1, {1}}}, 1, (row[]){{SPINE, 1, {1}}});
	s.source.role[0].limb = 1;
	find(&s);
	assert_int_equal(s.pairs.target_count, 0);
	end(&s);
}

/* bones without a role pair by name, those with one do not */
static void the_rest_pairs_by_name(void **state)
{
	(void)state;
	stage s;
	begin(&s, 2, (row[]){{SPINE, 1, {1}}, {OSSA_PART_NONE, 0, 2, {1, 1}}}, 2,
		(row[]){{SPINE, 2, {1, 1}}, {OSSA_PART_NONE, 0, 1, {1}}});
	/* a0 is a spine in both, a1 in the source only, a2 in neither */
	assert_int_equal(s.pairs.twin[0], OSSA_NONE);
	assert_int_equal(s.pairs.twin[1], OSSA_NONE);
	assert_int_equal(s.pairs.twin[2], 2);
	end(&s);
}

/* what a map says is stronger than chains and names */
static void a_person_knows_better(void **state)
{
	(void)state;
	stage s;
	begin(&s, 2, (row[]){{SPINE, 2, {1, 1}}, {OSSA_PART_NONE, 0, 1, {1}}}, 2,
		(row[]){{SPINE, 2, {1, 1}}, {OSSA_PART_NONE, 0, 1, {1}}});
	assert_int_equal(s.pairs.twin[2], 2);
	s.forced[0] = 1;
	s.forced[1] = OSSAI_FOLLOWS_NONE;
	s.forced[2] = 0;
	find(&s);
	assert_int_equal(share_count(&s.pairs, 0), 1);
	assert_share(&s.pairs, 0, 0, 1, 1);
	assert_int_equal(share_count(&s.pairs, 1), 0);
	assert_share(&s.pairs, 2, 0, 0, 1);
	assert_int_equal(s.pairs.twin[2], OSSA_NONE);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_on_two),
		cmocka_unit_test(two_on_three),
		cmocka_unit_test(stretches_count_by_their_length),
		cmocka_unit_test(one_on_three_and_back),
		cmocka_unit_test(equal_numbers_pair_one_by_one),
		cmocka_unit_test(bones_may_have_no_length),
		cmocka_unit_test(other_parts_do_not_pair),
		cmocka_unit_test(the_rest_pairs_by_name),
		cmocka_unit_test(a_person_knows_better),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
