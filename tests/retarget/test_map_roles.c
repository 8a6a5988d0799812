/* tests/retarget/test_map_roles.c: what a person says the bones of a rig are. */
#include "retarget/map_roles.h"

#include "support/people.h"

#include <string.h>

enum { ENTRIES = 4 };

typedef struct stage {
	ossa_context *context;
	person p;
	ossa_retarget_map map;
	ossa_map_entry entries[ENTRIES];
} stage;

static stage begin(void)
{
	stage s = {.context = test_context(1)};
	s.p = person_make(s.context, (person_form){0});
	return s;
}

static void end(stage *s)
{
	person_end(&s->p);
	test_context_end(s->context);
}

static void say(stage *s, ossa_map_kind kind, const char *bone, ossa_body_part part, int side)
{
	ossa_map_entry *entry = &s->entries[s->map.count++];
	*entry = (ossa_map_entry){.kind = kind, .role = {.part = part, .side = side}};
	strcpy(entry->bone, bone);
	s->map.entries = s->entries;
}

static ossa_role role_of(const stage *s, person_part part, int side)
{
	return s->p.rig->skeleton.bones[s->p.bone[part][side]].role;
}

/* the names of hand and forearm are exchanged: the exact T needs to know better */
static void rest_poses_follow_the_map(void **state)
{
	(void)state;
	stage s = begin();
	ossa_bone *bones = s.p.rig->skeleton.bones;
	strcpy(bones[s.p.bone[PERSON_LOWER_ARM][0]].name, "hand_L");
	strcpy(bones[s.p.bone[PERSON_HAND][0]].name, "lowerarm_L");
	say(&s, OSSA_MAP_RIG_ROLE, "hand_L", OSSA_PART_LOWER_ARM, 1);
	say(&s, OSSA_MAP_RIG_ROLE, "lowerarm_L", OSSA_PART_HAND, 1);
	assert_ok(s.context, ossa_rig_set_roles(s.context, s.p.rig, &s.map));
	assert_int_equal(role_of(&s, PERSON_LOWER_ARM, 0).part, OSSA_PART_LOWER_ARM);
	assert_int_equal(role_of(&s, PERSON_HAND, 0).part, OSSA_PART_HAND);
	/* the others are those of their names */
	assert_int_equal(role_of(&s, PERSON_CALF, 1).part, OSSA_PART_LOWER_LEG);
	assert_int_equal(role_of(&s, PERSON_CALF, 1).side, -1);
	assert_ok(s.context, ossa_rig_set_rest_pose(s.context, s.p.rig, OSSA_REST_T));
	const ossai_vec3 shoulder = person_joint(&s.p, NULL, 0, PERSON_UPPER_ARM, 0);
	const person_part parts[] = {PERSON_LOWER_ARM, PERSON_HAND};
	for (int i = 0; i < 2; i++) {
		const ossai_vec3 at = ossai_sub(person_joint(&s.p, NULL, 0, parts[i], 0), shoulder);
		assert_near_vec3(ossai_unit(at, at), ossai_v3(1, 0, 0), 1e-6);
	}
	end(&s);
}

/* who is called a part in the map takes it from who was found; null takes it away */
static void a_part_is_of_one_bone(void **state)
{
	(void)state;
	stage s = begin();
	strcpy(s.p.rig->skeleton.bones[s.p.bone[PERSON_TOES][0]].name, "something");
	say(&s, OSSA_MAP_RIG_ROLE, "something", OSSA_PART_HEAD, 0);
	say(&s, OSSA_MAP_RIG_ROLE, "hand_R", OSSA_PART_NONE, 0);
	/* of the motion, and of pairs: not of the rig */
	say(&s, OSSA_MAP_SOURCE_ROLE, "foot_L", OSSA_PART_NONE, 0);
	assert_ok(s.context, ossa_rig_set_roles(s.context, s.p.rig, &s.map));
	assert_int_equal(role_of(&s, PERSON_TOES, 0).part, OSSA_PART_HEAD);
	assert_int_equal(role_of(&s, PERSON_HEAD, 0).part, OSSA_PART_NONE);
	assert_int_equal(role_of(&s, PERSON_HAND, 1).part, OSSA_PART_NONE);
	assert_int_equal(role_of(&s, PERSON_HAND, 0).part, OSSA_PART_HAND);
	assert_int_equal(role_of(&s, PERSON_FOOT, 0).part, OSSA_PART_FOOT);
	end(&s);
}

static void what_is_wrong_changes_nothing(void **state)
{
	(void)state;
	stage s = begin();
	say(&s, OSSA_MAP_SOURCE_ROLE, "head", OSSA_PART_NONE, 0);
	assert_ok(s.context, ossa_rig_set_roles(s.context, s.p.rig, &s.map));
	assert_int_equal(role_of(&s, PERSON_HAND, 0).part, OSSA_PART_NONE);
	say(&s, OSSA_MAP_RIG_ROLE, "nobody", OSSA_PART_HEAD, 0);
	assert_fails(s.context, ossa_rig_set_roles(s.context, s.p.rig, &s.map), OSSA_ERROR_ARGUMENT, "nobody");
	assert_int_equal(role_of(&s, PERSON_HAND, 0).part, OSSA_PART_NONE);
	assert_fails(s.context, ossa_rig_set_roles(s.context, s.p.rig, NULL), OSSA_ERROR_ARGUMENT, "map");
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rest_poses_follow_the_map),
		cmocka_unit_test(a_part_is_of_one_bone),
		cmocka_unit_test(what_is_wrong_changes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
