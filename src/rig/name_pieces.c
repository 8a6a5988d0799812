/* rig/name_pieces.c: see name_pieces.h.

   Input: bones' names, parents, weights.
   Output: names.
   Of pieces that were rigged apart a file keeps only their bones' names
   (methods/pieces/piece_names.c): a group is a connected component of the tree whose names have one
   number, or none. Its skin are the faces that its bones influence most. */
#include "rig/name_pieces.h"

#include "skeleton/naming/names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef struct namer {
	ossa_context *context;
	ossai_arena *arena;
	ossa_rig *rig;
	size_t group_count;
	uint32_t *group;   /* of bones */
	uint32_t *local;   /* of bones: number in the group */
	uint8_t *moves;    /* of bones: some skin */
	uint32_t *of_face; /* the group that moves it; OSSA_NONE: several */
	char (*names)[64]; /* new ones */
} namer;

/* letters of "piece_12" in front of a name; 0 for other names */
static size_t prefix_length(const char *name)
{
	static const char word[] = "piece_";
	size_t length = sizeof word - 1;
	if (strncmp(name, word, length) != 0 || !isdigit((unsigned char)name[length])) return 0;
	while (isdigit((unsigned char)name[length])) length++;
	return name[length] == 0 || name[length] == '_' ? length : 0;
}

bool ossai_rig_names_pieces(const ossa_rig *rig)
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		if (prefix_length(rig->skeleton.bones[b].name) > 0) return true;
	}
	return false;
}

/* ---- groups ---- */

static bool is_of_one_piece(const char *a, const char *b)
{
	const size_t length = prefix_length(a);
	return length == prefix_length(b) && strncmp(a, b, length) == 0;
}

/* a common root, which moves nothing, belongs to no piece */
static void find_groups(namer *n)
{
	const ossa_bone *bones = n->rig->skeleton.bones;
	for (size_t b = 0; b < n->rig->skeleton.bone_count; b++) {
		const int32_t parent = bones[b].parent;
		const bool on_root = parent == 0 && strcmp(bones[0].name, "root") == 0 && !n->moves[0];
		const bool joins = parent >= 0 && !on_root && is_of_one_piece(bones[b].name, bones[parent].name);
		n->group[b] = joins ? n->group[parent] : (uint32_t)n->group_count++;
	}
}

static uint32_t main_bone(const ossa_rig *rig, uint32_t vertex)
{
	return rig->weights.bones[(size_t)vertex * (size_t)rig->weights.influences];
}

static void find_skin(namer *n)
{
	const ossa_mesh *mesh = n->rig->mesh;
	for (size_t f = 0; f < mesh->triangle_count; f++) {
		const uint32_t *t = mesh->triangles + 3 * f;
		const uint32_t of[3] = {
			n->group[main_bone(n->rig, t[0])], n->group[main_bone(n->rig, t[1])], n->group[main_bone(n->rig, t[2])]};
		n->of_face[f] = of[0] == of[1] && of[0] == of[2] ? of[0] : OSSA_NONE;
	}
}

static void find_moving(namer *n)
{
	const ossa_weights *w = &n->rig->weights;
	for (size_t i = 0; i < w->vertex_count * (size_t)w->influences; i++) {
		if (w->values[i] > 0) n->moves[w->bones[i]] = 1;
	}
}

/* ---- a group alone ---- */

static void take_bones(namer *n, uint32_t group, ossa_skeleton *own)
{
	const ossa_skeleton *all = &n->rig->skeleton;
	own->bone_count = 0;
	for (size_t b = 0; b < all->bone_count; b++) {
		if (n->group[b] != group) continue;
		ossa_bone *bone = &own->bones[own->bone_count];
		*bone = all->bones[b];
		bone->parent = own->bone_count == 0 ? -1 : (int32_t)n->local[bone->parent];
		n->local[b] = (uint32_t)own->bone_count++;
	}
}

/* the group's skin as a mesh; vertices: those of the rig */
static ossa_status take_skin(namer *n, ossai_arena *scratch, uint32_t group, uint32_t **vertices, ossa_mesh **mesh)
{
	const ossa_mesh *all = n->rig->mesh;
	uint32_t *new_index = ossai_arena_new(scratch, all->vertex_count, sizeof *new_index);
	uint32_t *triangles = ossai_arena_new(scratch, all->triangle_count, 3 * sizeof *triangles);
	float *positions = ossai_arena_new(scratch, all->vertex_count, 3 * sizeof *positions);
	*vertices = ossai_arena_new(scratch, all->vertex_count, sizeof **vertices);
	if (!new_index || !triangles || !positions || !*vertices) return ossa_context_error(n->context)->status;
	size_t count = 0, corners = 0;
	for (size_t v = 0; v < all->vertex_count; v++) new_index[v] = OSSA_NONE;
	for (size_t i = 0; i < 3 * all->triangle_count; i++) {
		const uint32_t v = all->triangles[i];
		if (n->of_face[i / 3] != group) continue;
		if (new_index[v] == OSSA_NONE) {
			memcpy(positions + 3 * count, all->positions + 3 * (size_t)v, 3 * sizeof *positions);
			(*vertices)[count] = v;
			new_index[v] = (uint32_t)count++;
		}
		triangles[corners++] = new_index[v];
	}
	return corners > 0 ? ossa_mesh_create(n->context, count, positions, corners / 3, triangles, mesh) : OSSA_OK;
}

static ossa_status take_weights(
	const namer *n, ossai_arena *scratch, uint32_t group, const uint32_t *vertices, ossa_weights *own)
{
	const ossa_weights *all = &n->rig->weights;
	const size_t width = (size_t)all->influences;
	own->bones = ossai_arena_zero(scratch, own->vertex_count * width, sizeof *own->bones);
	own->values = ossai_arena_zero(scratch, own->vertex_count * width, sizeof *own->values);
	if (!own->bones || !own->values) return ossa_context_error(n->context)->status;
	for (size_t i = 0; i < own->vertex_count * width; i++) {
		const size_t from = (size_t)vertices[i / width] * width + i % width;
		if (!(all->values[from] > 0) || n->group[all->bones[from]] != group) continue;
		own->bones[i] = (uint16_t)n->local[all->bones[from]];
		own->values[i] = all->values[from];
	}
	return OSSA_OK;
}

/* ---- names ---- */

/* "_L" or "_R" where all names of a piece end so: it is one of a pair */
static const char *side_of(const ossa_skeleton *own)
{
	const char *side = NULL;
	for (size_t b = 0; b < own->bone_count; b++) {
		const char *name = own->bones[b].name;
		const size_t length = strlen(name);
		const char *end = name + length - (length > 1 ? 2 : 0);
		if (strcmp(end, "_L") != 0 && strcmp(end, "_R") != 0) return "";
		if (side && strcmp(side, end) != 0) return "";
		side = end[1] == 'L' ? "_L" : "_R";
	}
	return side ? side : "";
}

static void write_names(namer *n, uint32_t group, const ossa_skeleton *own, const char *side)
{
	for (size_t b = 0; b < n->rig->skeleton.bone_count; b++) {
		const char *before = n->rig->skeleton.bones[b].name;
		if (n->group[b] != group) continue;
		const char *name = own->bones[n->local[b]].name;
		const size_t length = prefix_length(before);
		snprintf(n->names[b], sizeof n->names[b], "%.*s%s%.40s%s", (int)(length < 20 ? length : 20), before,
			length > 0 ? "_" : "", name, side);
	}
}

static ossa_status name_skin(
	namer *n, ossai_arena *scratch, uint32_t group, const uint32_t *vertices, const ossa_mesh *mesh, ossa_skeleton *own)
{
	const char *side = side_of(own);
	ossa_weights weights = {.vertex_count = mesh->vertex_count, .influences = n->rig->weights.influences};
	OSSAI_TRY(take_weights(n, scratch, group, vertices, &weights));
	const bool is_piece = prefix_length(own->bones[0].name) > 0;
	const bool is_body = !is_piece || own->bone_count >= OSSAI_NAMES_BODY_BONES;
	OSSAI_TRY(ossai_skeleton_name(n->context, own, mesh, &weights, is_body ? OSSA_NAMES_BODY : OSSA_NAMES_NUMBERS));
	/* two of a pair share a number: sides of their own would make their names equal */
	if (side[0] && ossai_names_have_sides(own))
		OSSAI_TRY(ossai_skeleton_name(n->context, own, mesh, &weights, OSSA_NAMES_NUMBERS));
	write_names(n, group, own, side);
	return OSSA_OK;
}

/* a single bone, or one without skin, keeps its name */
static ossa_status name_group(namer *n, ossai_arena *scratch, uint32_t group)
{
	ossa_skeleton own = {.bones = ossai_arena_new(scratch, n->rig->skeleton.bone_count, sizeof *own.bones)};
	if (!own.bones) return ossa_context_error(n->context)->status;
	take_bones(n, group, &own);
	if (own.bone_count < 2) return OSSA_OK;
	uint32_t *vertices;
	ossa_mesh *mesh = NULL;
	OSSAI_TRY(take_skin(n, scratch, group, &vertices, &mesh));
	if (!mesh) return OSSA_OK;
	const ossa_status status = name_skin(n, scratch, group, vertices, mesh, &own);
	ossa_mesh_free(n->context, mesh);
	return status;
}

/* should two be the same, all keep their names */
static bool are_unique(const namer *n)
{
	for (size_t b = 1; b < n->rig->skeleton.bone_count; b++) {
		for (size_t other = 0; other < b; other++) {
			if (strcmp(n->names[b], n->names[other]) == 0) return false;
		}
	}
	return true;
}

static ossa_status name_all(namer *n)
{
	const size_t bones = n->rig->skeleton.bone_count;
	n->group = ossai_arena_new(n->arena, bones, sizeof *n->group);
	n->local = ossai_arena_zero(n->arena, bones, sizeof *n->local);
	n->moves = ossai_arena_zero(n->arena, bones, sizeof *n->moves);
	n->of_face = ossai_arena_new(n->arena, n->rig->mesh->triangle_count, sizeof *n->of_face);
	n->names = ossai_arena_new(n->arena, bones, sizeof *n->names);
	if (!n->group || !n->local || !n->moves || !n->of_face || !n->names) return ossa_context_error(n->context)->status;
	for (size_t b = 0; b < bones; b++) memcpy(n->names[b], n->rig->skeleton.bones[b].name, sizeof n->names[b]);
	find_moving(n);
	find_groups(n);
	find_skin(n);
	for (uint32_t group = 0; group < n->group_count; group++) {
		ossai_arena scratch = ossai_arena_begin(n->context);
		const ossa_status status = name_group(n, &scratch, group);
		ossai_arena_end(&scratch);
		OSSAI_TRY(status);
	}
	if (!are_unique(n)) return OSSA_OK;
	for (size_t b = 0; b < bones; b++) memcpy(n->rig->skeleton.bones[b].name, n->names[b], sizeof n->names[b]);
	return OSSA_OK;
}

ossa_status ossai_rig_name_pieces(ossa_context *context, ossa_rig *rig)
{
	ossai_arena arena = ossai_arena_begin(context);
	namer n = {.context = context, .arena = &arena, .rig = rig};
	const ossa_status status = name_all(&n);
	ossai_arena_end(&arena);
	return status;
}
