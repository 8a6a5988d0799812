/* methods/characters/drop_ends.c: removes bones without children that move no vertex of any
   character.

   Place in the path: inside of characters, for the rigs that store keeps.
   Poses that are carried to another shape have errors, which bones of the draft may stand for. When
   weights are solved for each character's own poses, these bones lose their skin. */
#include "methods/characters/characters.h"

#include "methods/rig_warnings.h"
#include "rig/rebuild.h"

/* bones that move something, that a loop joins, or that have children that stay */
static void mark_kept(const ossa_rig *rig, uint8_t *kept)
{
	kept[0] = 1;
	for (size_t i = 0; i < rig->loop_count; i++) {
		for (size_t k = 0; k < 2; k++) {
			if (rig->loops[i].bones[k] >= 0) kept[rig->loops[i].bones[k]] = 1;
		}
	}
	for (size_t b = rig->skeleton.bone_count; b-- > 1;) {
		if (kept[b]) kept[rig->skeleton.bones[b].parent] = 1;
	}
}

static ossa_status keep_bones(const ossai_characters *c, const uint8_t *kept, ossa_rig *rig)
{
	const size_t bones = rig->skeleton.bone_count;
	ossai_rebuilt to = {.keep_tails = true};
	int32_t *place = ossai_arena_new(c->arena, bones, sizeof *place);
	to.bone = ossai_arena_new(c->arena, bones, sizeof *to.bone);
	to.source = ossai_arena_new(c->arena, bones, sizeof *to.source);
	if (!place || !to.bone || !to.source) return ossa_context_error(c->context)->status;
	for (size_t b = 0; b < bones; b++) {
		if (!kept[b]) continue;
		place[b] = (int32_t)to.count;
		to.bone[to.count] = rig->skeleton.bones[b];
		if (b > 0) to.bone[to.count].parent = place[rig->skeleton.bones[b].parent];
		to.source[to.count++] = (uint32_t)b;
	}
	return to.count < bones ? ossai_rig_rebuild(c->context, &to, rig) : OSSA_OK;
}

ossa_status ossai_characters_drop_ends(ossai_characters *c)
{
	/* weights are the same in all rigs */
	const ossa_rig *first = c->members[0].best;
	uint8_t *kept;
	if (!c->solves_weights) return OSSA_OK;
	OSSAI_TRY(ossai_find_moving_bones(c->arena, &c->members[0].surface, first, &kept));
	mark_kept(first, kept);
	for (size_t i = 0; i < c->count; i++) OSSAI_TRY(keep_bones(c, kept, c->members[i].best));
	return OSSA_OK;
}
