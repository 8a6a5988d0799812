/* skeleton/from_curve/body_bones.c: see body_bones.h. */
#include "skeleton/from_curve/body_bones.h"

#include "skeleton/from_curve/curve_chains.h"
#include "skeleton/from_curve/curve_joints.h"
#include "skeleton/from_curve/joints_inside.h"

typedef struct maker {
	const ossai_figure *figure;
	const ossai_body *body;
	const ossai_mirror *mirror; /* may not exist */
	ossai_body_joints *joints;
	ossai_chains chains;
	uint8_t *in_plan;          /* per chain: a limb of the plan ends in it or beyond */
	ossai_chain_joints *extra; /* per chain: joints along it; of extra limbs they are made */
	uint32_t *first, *last;    /* per extra chain: its bones; without bones the parent's */
	size_t count;              /* bones in all */
} maker;

/* ---- which limbs are not the plan's ---- */

static bool is_plan_end(const maker *m, size_t end)
{
	const ossai_form *form = m->body->form;
	if (m->joints->is_finger[end] || m->body->limbs.head == end || ossai_body_is_hem(m->figure, m->body, end)) return true;
	for (size_t l = 0; l < form->limb_count; l++) {
		const bool is_limb = m->body->end[l][0] == end || m->body->end[l][1] == end;
		if (is_limb && ossai_plan_has_limb(m->body->plan, form->limb[l].kind)) return true;
	}
	return false;
}

static bool is_plan_node(const maker *m, uint32_t node)
{
	for (size_t e = 0; e < m->figure->end_count; e++) {
		if (m->figure->end[e].node == node && is_plan_end(m, e)) return true;
	}
	return node == m->body->hip_node;
}

static void mark_plan(maker *m)
{
	const ossai_chains *chains = &m->chains;
	for (size_t c = chains->count; c-- > 0;) {
		const ossai_chain *chain = &chains->chain[c];
		for (uint32_t i = chain->begin; i < chain->begin + chain->count; i++) {
			if (chains->node[i] != OSSA_NONE && is_plan_node(m, chains->node[i])) m->in_plan[c] = 1;
		}
		if (m->in_plan[c] && chain->parent != OSSA_NONE) m->in_plan[chain->parent] = 1;
	}
}

static ossa_status find_extra(ossai_arena *scratch, const ossai_joint_weights *weights, maker *m)
{
	const size_t count = m->chains.count;
	m->in_plan = ossai_arena_zero(scratch, count, 1);
	m->extra = ossai_arena_new(scratch, count, sizeof *m->extra);
	m->first = ossai_arena_new(scratch, count, sizeof *m->first);
	m->last = ossai_arena_new(scratch, count, sizeof *m->last);
	if (!m->in_plan || !m->extra || !m->first || !m->last) return ossa_context_error(scratch->context)->status;
	uint32_t with_root;
	size_t total;
	ossai_bone_shortage shortage;
	OSSAI_TRY(ossai_chain_joints_place(scratch, &m->chains, weights, 0, NULL, m->extra, &with_root, &total, &shortage));
	mark_plan(m);
	m->count = m->joints->count;
	for (size_t c = 0; c < count; c++) m->count += m->in_plan[c] ? 0 : m->extra[c].count;
	return OSSA_OK;
}

/* ---- bones ---- */

static double off_bone(const ossai_curve_bones *bones, size_t bone, ossai_vec3 p)
{
	return ossai_distance(p, ossai_nearest_on_segment(bones->joint[bone], bones->tail[bone], p));
}

/* of the first `count` bones */
static uint32_t nearest_bone(const ossai_curve_bones *bones, size_t count, ossai_vec3 p)
{
	uint32_t best = 0;
	double nearest = INFINITY;
	for (uint32_t b = 0; b < count; b++) {
		const double own = off_bone(bones, b, p);
		if (!(own < nearest)) continue;
		nearest = own;
		best = b;
	}
	return best;
}

static void put_plan(const maker *m, ossai_curve_bones *bones)
{
	for (size_t b = 0; b < m->joints->count; b++) {
		const ossai_body_joint *from = &m->joints->bone[b];
		bones->tree.parent[b] = from->parent;
		bones->joint[b] = from->joint;
		bones->tail[b] = from->tail;
		bones->radius[b] = from->radius;
		bones->role[b] = from->role;
		bones->deviation[b] = from->deviation;
		if (m->mirror->exists) bones->mirrored[b] = from->image;
	}
	bones->tree.root = 0;
}

/* a limb of its own is the child of the bone nearest to where it begins */
static uint32_t parent_of(const maker *m, const ossai_chain *chain, const ossai_curve_bones *bones)
{
	const bool on_extra = chain->parent != OSSA_NONE && !m->in_plan[chain->parent];
	if (on_extra) return m->last[chain->parent];
	return nearest_bone(bones, m->joints->count, m->chains.point[chain->begin]);
}

static void put_extra(const maker *m, ossai_curve_bones *bones)
{
	uint32_t next = (uint32_t)m->joints->count;
	for (uint32_t c = 0; c < m->chains.count; c++) {
		const ossai_chain *chain = &m->chains.chain[c];
		if (m->in_plan[c]) continue;
		uint32_t parent = parent_of(m, chain, bones);
		m->first[c] = m->last[c] = parent;
		for (size_t k = 0; k < m->extra[c].count; k++, next++) {
			bones->joint[next] = ossai_chain_at(&m->chains, c, m->extra[c].arc[k], &bones->radius[next]);
			bones->tail[next] = m->chains.point[chain->begin + chain->count - 1];
			bones->tree.parent[next] = parent;
			bones->role[next] = (ossa_role){.part = OSSA_PART_NONE};
			if (k == 0) m->first[c] = next;
			else bones->tail[next - 1] = bones->joint[next];
			m->last[c] = parent = next;
		}
	}
}

static void match_extra(const maker *m, ossai_curve_bones *bones)
{
	for (uint32_t c = 0; c < m->chains.count; c++) {
		const uint32_t other = m->chains.chain[c].mirrored;
		if (m->in_plan[c] || other == OSSA_NONE || m->in_plan[other]) continue;
		for (uint32_t k = 0; k < m->extra[c].count; k++) bones->mirrored[m->first[c] + k] = m->first[other] + k;
	}
}

/* Joints that the surface does not wind around are moved towards the nearest node of the curve, or
   the nearest other joint, as a finger may have no node. */
static ossa_status keep_inside(ossai_arena *arena, const maker *m, ossai_curve_bones *bones)
{
	const ossai_curve *curve = m->figure->curve;
	const ossai_mesh_view mesh = ossai_proxy_view(m->figure->proxy);
	ossai_vec3 *places = ossai_arena_new(arena, curve->node_count + m->count, sizeof *places);
	if (!places) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < curve->node_count; i++) places[i] = curve->node[i];
	for (size_t b = 0; b < m->count; b++) places[curve->node_count + b] = bones->joint[b];
	return ossai_joints_keep_inside(arena->context, &mesh, curve->node_count + m->count, places, m->count, bones->joint);
}

static ossa_status make(ossai_arena *arena, maker *m, ossai_curve_bones *bones)
{
	const ossai_figure *figure = m->figure;
	OSSAI_TRY(ossai_curve_bones_new(arena, m->count, figure->curve->vertex_count, bones));
	bones->role = ossai_arena_new(arena, m->count, sizeof *bones->role);
	bones->deviation = ossai_arena_zero(arena, m->count, sizeof *bones->deviation);
	if (!bones->role || !bones->deviation) return ossa_context_error(arena->context)->status;
	put_plan(m, bones);
	put_extra(m, bones);
	match_extra(m, bones);
	if (figure->proxy->is_closed) OSSAI_TRY(keep_inside(arena, m, bones));
	for (size_t v = 0; v < figure->proxy->vertex_count; v++) {
		bones->bone_of_vertex[v] = nearest_bone(bones, m->count, ossai_v3_of(figure->proxy->positions + 3 * v));
	}
	ossai_tree_sort(&bones->tree);
	return OSSA_OK;
}

ossa_status ossai_body_bones_make(ossai_arena *arena, const ossai_figure *figure, const ossai_body *body, uint32_t root,
	const ossai_mirror *mirror, const ossai_marks *marks, const ossai_curve_bones_options *options, ossai_curve_bones *bones)
{
	*bones = (ossai_curve_bones){.joint = NULL};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	maker m = {.figure = figure, .body = body, .mirror = mirror};
	const bool enforce = options->symmetry == OSSA_SYMMETRY_ENFORCE;
	m.joints = ossai_arena_new(&scratch, 1, sizeof *m.joints);
	ossa_status status = m.joints ? OSSA_OK : ossa_context_error(arena->context)->status;
	if (status == OSSA_OK) status = ossai_body_joints_find(&scratch, figure, body, mirror, enforce, m.joints);
	if (status == OSSA_OK) ossai_marks_apply(body, mirror, enforce, marks, m.joints);
	if (status == OSSA_OK) status = ossai_chains_make(&scratch, figure->proxy, figure->curve, root, &m.chains);
	if (status == OSSA_OK) status = ossai_chains_match(&scratch, mirror, &m.chains);
	if (status == OSSA_OK) status = find_extra(&scratch, &options->weights, &m);
	if (status == OSSA_OK) status = make(arena, &m, bones);
	ossai_arena_end(&scratch);
	return status;
}
