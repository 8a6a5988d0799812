/* tests/support/actors.c: see actors.h. */
#include "support/actors.h"

#include "conventions/find_roles.h"

void test_actor_make(test_actor *a, const person *p)
{
	a->arena = ossai_arena_begin(p->context);
	assert_true(p->rig->skeleton.bone_count <= ACTOR_BONES);
	assert_ok(p->context, ossai_find_roles(p->context, &p->rig->skeleton, a->role, NULL));
	assert_ok(p->context, ossai_find_actor(&a->arena, "person", p->rig, a->role, &a->actor));
}

void test_actor_end(test_actor *a) { ossai_arena_end(&a->arena); }

ossai_moved test_moved_at_rest(test_actor *a)
{
	ossai_moved moved;
	assert_ok(a->arena.context, ossai_moved_begin(&a->arena, &a->actor, &moved));
	for (size_t b = 0; b < a->actor.rig->skeleton.bone_count; b++) {
		moved.turns[b] = a->role[b].part != OSSA_PART_NONE;
		moved.turn[b] = ossai_quat_identity();
	}
	ossai_moved_place(&moved, ossai_v3_of(a->actor.rig->skeleton.bones[moved.hips].joint));
	return moved;
}
