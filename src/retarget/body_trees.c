/* retarget/body_trees.c: see bodies.h. */
#include "retarget/body_trees.h"

#include "conventions/find_roles.h"
#include "rig/join_rigs.h"

/* hips, upper and lower legs, upper arms: no human has fewer bones (ossai_kind_of_roles) */
enum { FEWEST_OF_HUMAN = 7 };

typedef struct finding {
	ossai_arena *arena;
	const ossa_skeleton *skeleton;
	size_t count;
	uint32_t *tree; /* B: the root of the tree that may be a body, or OSSA_NONE */
	ossa_role *role;
	ossa_bone *own;      /* B: the bones of one tree */
	uint32_t *number;    /* B: of each bone in its tree */
	ossa_role *own_role; /* B: of one tree */
	size_t humans;       /* trees that are whole humans */
} finding;

static ossa_status last_error(const finding *f) { return ossa_context_error(f->arena->context)->status; }

static ossa_status begin(ossai_arena *arena, const ossa_skeleton *skeleton, finding *f)
{
	const size_t count = skeleton->bone_count;
	*f = (finding){.arena = arena, .skeleton = skeleton, .count = count};
	f->tree = ossai_arena_new(arena, count, sizeof *f->tree);
	f->role = ossai_arena_new(arena, count, sizeof *f->role);
	f->own = ossai_arena_new(arena, count, sizeof *f->own);
	f->number = ossai_arena_new(arena, count, sizeof *f->number);
	f->own_role = ossai_arena_new(arena, count, sizeof *f->own_role);
	return f->tree && f->role && f->own && f->number && f->own_role ? OSSA_OK : last_error(f);
}

/* ---- trees ---- */

/* the first bone that has several children; the last one where none has */
static size_t find_fork(const ossa_skeleton *skeleton)
{
	size_t fork = 0, children = 1;
	while (children == 1) {
		size_t child = 0;
		children = 0;
		for (size_t b = fork + 1; b < skeleton->bone_count; b++) {
			if (skeleton->bones[b].parent != (int32_t)fork) continue;
			children++;
			child = b;
		}
		if (children == 1) fork = child;
	}
	return fork;
}

/* is_joined: those that ossa joined; else all below the fork */
static void mark_trees(finding *f, bool is_joined)
{
	const size_t fork = is_joined ? 0 : find_fork(f->skeleton);
	for (size_t b = 0; b < f->count; b++) {
		const ossa_bone *bone = &f->skeleton->bones[b];
		const bool is_root = is_joined ? ossai_is_body_root(bone) : bone->parent == (int32_t)fork;
		f->tree[b] = is_root ? (uint32_t)b : bone->parent < 0 ? OSSA_NONE : f->tree[bone->parent];
	}
}

/* ---- roles ---- */

/* a tree as a skeleton of its own */
static size_t take_bones(finding *f, uint32_t root)
{
	size_t count = 0;
	for (size_t b = root; b < f->count; b++) {
		if (f->tree[b] != root) continue;
		f->number[b] = (uint32_t)count;
		f->own[count] = f->skeleton->bones[b];
		f->own[count++].parent = b == root ? -1 : (int32_t)f->number[f->skeleton->bones[b].parent];
	}
	return count;
}

static ossa_status find_roles_of_tree(finding *f, uint32_t root)
{
	const ossa_skeleton own = {.bone_count = take_bones(f, root), .bones = f->own};
	ossai_roles_source source = {.kind = OSSA_BODY_NONE};
	for (size_t i = 0; i < own.bone_count; i++) f->own_role[i] = f->own[i].role;
	if (own.bone_count >= FEWEST_OF_HUMAN) OSSAI_TRY(ossai_find_roles(f->arena->context, &own, f->own_role, &source));
	for (size_t b = root; b < f->count; b++) {
		if (f->tree[b] == root) f->role[b] = f->own_role[f->number[b]];
	}
	f->humans += source.kind == OSSA_BODY_HUMAN;
	return OSSA_OK;
}

static ossa_status find_roles_of_trees(finding *f)
{
	for (size_t b = 0; b < f->count; b++) f->role[b] = (ossa_role){.part = OSSA_PART_NONE};
	for (uint32_t b = 0; b < f->count; b++) {
		if (f->tree[b] == b) OSSAI_TRY(find_roles_of_tree(f, b));
	}
	return OSSA_OK;
}

/* ---- all ---- */

static ossa_status take_one_tree(finding *f, const ossa_rig *rig, ossai_body_trees *bodies)
{
	ossai_roles_source source;
	OSSAI_TRY(ossai_find_roles(f->arena->context, f->skeleton, f->role, &source));
	for (size_t b = 0; b < f->count; b++) f->tree[b] = 0;
	*bodies = (ossai_body_trees){f->tree, f->role, ossa_body_is_known(&rig->body) ? rig->body.kind : source.kind};
	return OSSA_OK;
}

ossa_status ossai_body_trees_find(ossai_arena *arena, const ossa_rig *rig, ossai_body_trees *bodies)
{
	finding f;
	const bool is_joined = ossai_rig_body_count(&rig->skeleton) > 0;
	OSSAI_TRY(begin(arena, &rig->skeleton, &f));
	mark_trees(&f, is_joined);
	OSSAI_TRY(find_roles_of_trees(&f));
	if (!is_joined && f.humans < 2) return take_one_tree(&f, rig, bodies);
	*bodies = (ossai_body_trees){f.tree, f.role, rig->body.kind};
	return OSSA_OK;
}

bool ossai_roles_of_body(const ossai_body_trees *bodies, size_t bone_count, uint32_t root, ossa_role *own)
{
	bool any = false;
	for (size_t b = 0; b < bone_count; b++) {
		own[b] = bodies->body[b] == root ? bodies->role[b] : (ossa_role){.part = OSSA_PART_NONE};
		any = any || own[b].part != OSSA_PART_NONE;
	}
	return any;
}
