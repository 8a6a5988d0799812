/* tests/proxy/test_proxy_split.c: short edges are removed, and the distance that leaves no cycle is
   found. */
#include "proxy/proxy_split.h"

#include "support/proxies.h"
#include "support/support.h"

#include <string.h>

typedef struct split_case {
	ossa_context *context;
	ossai_arena arena;
} split_case;

static split_case begin(void)
{
	ossa_context *context = test_context(1);
	return (split_case){context, ossai_arena_begin(context)};
}

static void end(split_case *c)
{
	ossai_arena_end(&c->arena);
	test_context_end(c->context);
}

static double length_of(const ossai_proxy *p, const uint32_t *edge)
{
	return ossai_distance(ossai_v3_of(p->positions + 3 * (size_t)edge[0]), ossai_v3_of(p->positions + 3 * (size_t)edge[1]));
}

static void nothing_is_removed_unless_asked_for(void **state)
{
	(void)state;
	split_case c = begin();
	ossai_proxy p = test_torus(&c.arena, 20, 8, 0.1);
	const size_t faces = p.face_count;
	ossai_split split;
	assert_ok(c.context, ossai_proxy_split(&c.arena, 0, &p, &split));
	assert_true(split.distance == 0 && split.count == 0 && p.face_count == faces && p.is_closed);
	end(&c);
}

/* faces with a short edge go, and edges that have no other face */
static void short_edges_are_removed(void **state)
{
	(void)state;
	split_case c = begin();
	ossai_proxy p = test_torus(&c.arena, 40, 10, 0.1);
	const size_t faces = p.face_count;
	ossai_split split;
	double least = INFINITY;
	for (size_t i = 0; i < 3 * faces; i++) {
		const uint32_t edge[2] = {p.triangles[i], p.triangles[i % 3 == 2 ? i - 2 : i + 1]};
		least = fmin(least, length_of(&p, edge));
	}
	const double distance = 1.01 * least;
	assert_ok(c.context, ossai_proxy_split(&c.arena, distance, &p, &split));
	assert_true(split.distance == distance && split.cycles == 1 && split.count > 0);
	assert_true(p.face_count < faces && !p.is_closed);
	for (size_t i = 0; i < 3 * p.face_count; i++) {
		const uint32_t edge[2] = {p.triangles[i], p.triangles[i % 3 == 2 ? i - 2 : i + 1]};
		assert_true(length_of(&p, edge) >= distance);
		for (size_t k = 0; k < split.count; k++) {
			const uint32_t *gone = split.edges + 2 * k;
			assert_false((gone[0] == edge[0] && gone[1] == edge[1]) || (gone[0] == edge[1] && gone[1] == edge[0]));
		}
	}
	end(&c);
}

/* three tubes that links join to a ring: without the shortest link it is a chain */
static void the_distance_opens_a_ring_of_pieces(void **state)
{
	(void)state;
	split_case c = begin();
	const ossai_proxy one = test_tube(&c.arena, 6, 5, 0.2);
	const ossai_proxy pair = test_proxy_pair(&c.arena, &one, &one, 1);
	ossai_proxy p = test_proxy_pair(&c.arena, &pair, &one, 1);
	const uint32_t second = (uint32_t)one.vertex_count, third = (uint32_t)pair.vertex_count;
	uint32_t links[6] = {0, second, second, third, 0, third};
	/* all at one place but for 0.01 and 0.004, which is less than any edge of the tubes */
	for (size_t v = second; v < p.vertex_count; v++) {
		const size_t own = v % second;
		for (size_t k = 0; k < 3; k++) p.positions[3 * v + k] = one.positions[3 * own + k];
		p.positions[3 * v + (v >= third ? 2 : 1)] += v >= third ? 0.004 : 0.01;
	}
	p.links = links;
	p.link_count = 3;
	p.tie_count = 0;
	ossai_split split;
	assert_ok(c.context, ossai_proxy_split(&c.arena, -1, &p, &split));
	assert_int_equal(split.cycles, 1);
	assert_int_equal(split.left, 0);
	assert_int_equal(split.torn, 0);
	assert_true(split.distance > 0.004 && split.distance < 0.00401);
	assert_int_equal(split.count, 1);
	assert_int_equal(p.link_count, 2);
	assert_true(p.is_closed && p.face_count == 3 * one.face_count);
	end(&c);
}

/* where a cycle cannot be opened without tearing vertices off, nothing is removed */
static void no_vertex_is_torn_off(void **state)
{
	(void)state;
	split_case c = begin();
	for (size_t around = 8; around <= 24; around += 8) {
		ossai_proxy p = test_torus(&c.arena, around, 6, 0.3);
		ossai_split split;
		assert_ok(c.context, ossai_proxy_split(&c.arena, -1, &p, &split));
		assert_int_equal(split.torn, 0);
		assert_int_equal(split.cycles, 1);
		assert_true(split.distance > 0 ? split.left == 0 : split.count == 0);
	}
	end(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_removed_unless_asked_for),
		cmocka_unit_test(short_edges_are_removed),
		cmocka_unit_test(the_distance_opens_a_ring_of_pieces),
		cmocka_unit_test(no_vertex_is_torn_off),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
