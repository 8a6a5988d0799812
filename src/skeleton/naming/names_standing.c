/* skeleton/naming/names_standing.c: names for bodies that stand on legs in pairs: people, horses,
   spiders.

   Place in the path: inside names.c.
   Input: a naming whose body is measured.
   Output: names; false where the shape is not sure. */
#include "skeleton/naming/stance.h"

#include <stdio.h>

static size_t pair_count(const ossai_stance *s) { return s->leg_count / 2; }

static void name_crawler(ossai_stance *s)
{
	const ossai_vec3 up = {0, 1, 0};
	ossai_stance_face(s, ossai_faces_forward(ossai_cross(s->naming->body->across, up)));
	for (size_t i = 0; i < s->leg_count; i++) {
		char word[32];
		snprintf(word, sizeof word, "leg_%zu", i % pair_count(s) + 1);
		ossai_name_chain(s->naming, word, s->leg[i].count, s->leg[i].bones, ossai_side_suffix(s->leg[i].side));
	}
}

/* `applied` false: these are no legs */
static ossa_status name_legs(ossai_stance *s, bool *applied)
{
	ossai_ends_clear(s->naming);
	for (size_t i = 0; i < s->leg_count; i++) {
		const uint32_t bone = s->naming->body->feet[s->foot[i]].bone;
		if (bone != OSSA_NONE) ossai_end_mark(s->naming, bone);
	}
	OSSAI_TRY(ossai_stance_trace(s));
	*applied = s->leg_count > 4 || ossai_stance_carries(s);
	if (!*applied) return OSSA_OK;
	if (s->leg_count == 2) return ossai_name_two_legs(s);
	if (s->leg_count == 4) return ossai_name_four_legs(s);
	name_crawler(s);
	return OSSA_OK;
}

bool ossai_name_standing(ossai_naming *naming, ossa_status *status)
{
	ossai_stance s = {.naming = naming};
	ossai_body_mirror(naming->body);
	if (!naming->body->mirrored || !ossai_stance_find_legs(&s)) return false;
	const uint32_t trunk = ossai_stance_trunk(&s);
	if (trunk == OSSA_NONE) return false;
	ossai_body_reroot(naming->body, trunk);
	bool applied = false;
	*status = name_legs(&s, &applied);
	return applied;
}
