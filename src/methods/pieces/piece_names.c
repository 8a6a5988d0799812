/* methods/pieces/piece_names.c: see piece_names.h. */
#include "methods/pieces/piece_names.h"

#include "skeleton/naming/names.h"

#include <stdio.h>
#include <string.h>

/* whether the plane of symmetry separates left from right, rather than front from back or top from
   bottom */
static bool is_sideways(ossai_vec3 normal) { return fabs(normal.x) > fmax(fabs(normal.y), fabs(normal.z)); }

typedef struct namer {
	const ossai_named_pieces *named;
	ossa_rig *rig;
	uint32_t *local; /* of the rig's bones: the number in the skeleton of the piece */
} namer;

/* the bones of a piece, as a skeleton of their own */
static void take_bones(const namer *n, uint32_t place, ossa_skeleton *own)
{
	const ossa_skeleton *all = &n->rig->skeleton;
	own->bone_count = 0;
	for (size_t b = 0; b < all->bone_count; b++) {
		if (n->named->piece_of_bone[b] != place) continue;
		ossa_bone *bone = &own->bones[own->bone_count];
		*bone = all->bones[b];
		const bool is_root = own->bone_count == 0;
		bone->parent = is_root ? -1 : (int32_t)n->local[bone->parent];
		n->local[b] = (uint32_t)own->bone_count++;
	}
}

static ossa_status name_alone(ossai_arena *scratch, const namer *n, uint32_t place, ossa_skeleton *own)
{
	own->bones = ossai_arena_new(scratch, n->rig->skeleton.bone_count, sizeof *own->bones);
	if (!own->bones) return ossa_context_error(scratch->context)->status;
	take_bones(n, place, own);
	if (n->named->pieces->skeletons > 1 && own->bone_count < OSSAI_NAMES_BODY_BONES) ossai_names_number(own);
	else ossai_names_by_roles(own);
	return OSSA_OK;
}

/* ---- sides ---- */

/* the piece itself if it has an image, its original if it is one; OSSA_NONE: neither */
static uint32_t original_of(const ossai_pieces *p, uint32_t place)
{
	if (p->piece[place].image != OSSA_NONE) return p->piece[place].image;
	for (uint32_t i = place + 1; i < p->skeletons + p->bones; i++) {
		if (p->piece[i].image == place) return place;
	}
	return OSSA_NONE;
}

static const char *side_of(const ossai_named_pieces *named, uint32_t place)
{
	const ossai_mirror *m = named->mirror;
	const double off = ossai_dot(m->normal, named->pieces->piece[place].center) - m->offset;
	return off * m->normal.x > 0 ? "_L" : "_R";
}

/* ---- the whole ---- */

static void put_name(const namer *n, uint32_t place, const char *own, bool sided, char name[64])
{
	const ossai_pieces *p = n->named->pieces;
	const uint32_t original = is_sideways(n->named->mirror->normal) ? original_of(p, place) : OSSA_NONE;
	const bool by_side = original != OSSA_NONE && !sided;
	const unsigned number = (by_side ? original : place) + 1;
	snprintf(name, 64, "piece_%u%s%.40s%s", number, own[0] ? "_" : "", own, by_side ? side_of(n->named, place) : "");
}

static void name_piece(const namer *n, uint32_t place, const ossa_skeleton *own)
{
	const bool alone = n->named->pieces->skeletons == 1, sided = ossai_names_have_sides(own);
	const bool has_root = n->named->piece_of_bone[0] == OSSA_NONE;
	for (size_t b = 0; b < n->rig->skeleton.bone_count; b++) {
		ossa_bone *bone = &n->rig->skeleton.bones[b];
		if (n->named->piece_of_bone[b] != place) continue;
		const char *name = own->bones[n->local[b]].name;
		/* but "root" is the common root of the piece and the ground */
		if (alone && !(has_root && strcmp(name, "root") == 0)) snprintf(bone->name, sizeof bone->name, "%s", name);
		else put_name(n, place, name, sided, bone->name);
	}
}

ossa_status ossai_pieces_name(ossai_arena *arena, const ossai_named_pieces *named, ossa_rig *rig)
{
	namer n = {.named = named, .rig = rig};
	ossa_status status = OSSA_OK;
	n.local = ossai_arena_zero(arena, rig->skeleton.bone_count, sizeof *n.local);
	if (!n.local) return ossa_context_error(arena->context)->status;
	for (uint32_t place = 0; place < named->pieces->skeletons && status == OSSA_OK; place++) {
		ossai_arena scratch = ossai_arena_begin(arena->context);
		ossa_skeleton own = {.bone_count = 0};
		status = name_alone(&scratch, &n, place, &own);
		if (status == OSSA_OK) name_piece(&n, place, &own);
		ossai_arena_end(&scratch);
	}
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const uint32_t place = named->piece_of_bone[b];
		if (place == OSSA_NONE) snprintf(rig->skeleton.bones[b].name, sizeof rig->skeleton.bones[b].name, "root");
		else if (place >= named->pieces->skeletons) put_name(&n, place, "", false, rig->skeleton.bones[b].name);
	}
	return status;
}
