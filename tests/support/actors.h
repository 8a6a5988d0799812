/* tests/support/actors.h: people of boxes as retargeting sees them. */
#ifndef OSSA_TEST_ACTORS_H
#define OSSA_TEST_ACTORS_H

#include "retarget/moved.h"
#include "support/people.h"

enum { ACTOR_BONES = 256 };

typedef struct test_actor {
	ossai_arena arena;
	ossa_role role[ACTOR_BONES];
	ossai_actor actor;
} test_actor;

/* The roles are found by the bones' names. End with test_actor_end. */
void test_actor_make(test_actor *a, const person *p);
void test_actor_end(test_actor *a);

/* A placed body at rest, the turns of its roles given. In the actor's arena. */
ossai_moved test_moved_at_rest(test_actor *a);

#endif
