/* skeleton/from_curve/curve_bones.c: see curve_bones.h. */
#include "skeleton/from_curve/curve_bones.h"

#include "skeleton/from_curve/curve_chains.h"
#include "skeleton/from_curve/curve_enforce.h"
#include "skeleton/from_curve/curve_joints.h"
#include "skeleton/from_curve/joints_inside.h"

#include <ossa/mesh.h>

/* Where the mean distance between the shape and its mirror image is less than SAME_SHAPE,
   differences of up to SAME_PLACE between the joints of a pair are noise. Both are shares of the
   size. */
static const double SAME_SHAPE = 0.003;
static const double SAME_PLACE = 0.05;

/* A joint this close to the mirror image of its counterpart is made symmetric with it, and one this
   close to the plane of symmetry is moved onto it: in radii of the curve there. */
static const double PAIR_NEAR = 0.75;
static const double PLANE_NEAR = 0.5;

bool ossai_bones_are_on_plane(double off, double radius) { return fabs(off) <= radius; }

ossai_curve_bones_options ossai_curve_bones_default(void)
{
	return (ossai_curve_bones_options){.symmetry = OSSA_SYMMETRY_DETECT, .weights = ossai_joint_weights_calibrated};
}

typedef struct bone_maker {
	const ossai_proxy *proxy;
	const ossai_curve *curve;
	ossai_chains chains;
	ossai_chain_joints *joints; /* per chain */
	uint32_t with_root;
	/* per chain: its bones; of a chain without bones the parent of the chain */
	uint32_t *first, *last;
	uint32_t *bone_of_node; /* C */
} bone_maker;

ossa_status ossai_curve_bones_new(ossai_arena *arena, size_t count, size_t vertex_count, ossai_curve_bones *bones)
{
	OSSAI_TRY(ossai_tree_new(arena, count, &bones->tree));
	bones->role = NULL;
	bones->deviation = NULL;
	bones->joint = ossai_arena_new(arena, count, sizeof *bones->joint);
	bones->tail = ossai_arena_new(arena, count, sizeof *bones->tail);
	bones->radius = ossai_arena_new(arena, count, sizeof *bones->radius);
	bones->mirrored = ossai_arena_new(arena, count, sizeof *bones->mirrored);
	bones->bone_of_vertex = ossai_arena_new(arena, vertex_count, sizeof *bones->bone_of_vertex);
	if (!bones->joint || !bones->tail || !bones->radius || !bones->mirrored || !bones->bone_of_vertex) {
		return ossa_context_error(arena->context)->status;
	}
	for (size_t b = 0; b < count; b++) bones->mirrored[b] = OSSA_NONE;
	return OSSA_OK;
}

static void put_bone(ossai_curve_bones *bones, uint32_t bone, uint32_t parent, ossai_vec3 joint, double radius)
{
	bones->tree.parent[bone] = parent;
	bones->joint[bone] = bones->tail[bone] = joint;
	bones->radius[bone] = radius;
}

/* numbers the bones chain by chain; the parent of each is the one before it */
static void make_bones(bone_maker *m, ossai_curve_bones *bones)
{
	const ossai_chains *chains = &m->chains;
	put_bone(bones, 0, OSSA_NONE, m->curve->node[chains->root], m->curve->radius[chains->root]);
	bones->tree.root = 0;
	uint32_t next = 1;
	for (uint32_t c = 0; c < chains->count; c++) {
		uint32_t parent = chains->chain[c].parent == OSSA_NONE ? 0 : m->last[chains->chain[c].parent];
		m->first[c] = m->last[c] = parent;
		const size_t skip = c == m->with_root ? 1 : 0;
		for (size_t k = skip; k < m->joints[c].count; k++) {
			double radius;
			const ossai_vec3 joint = ossai_chain_at(chains, c, m->joints[c].arc[k], &radius);
			put_bone(bones, next, parent, joint, radius);
			if (k == skip) m->first[c] = next;
			m->last[c] = parent = next++;
		}
	}
}

static uint32_t mirrored_chain(const bone_maker *m, uint32_t c) { return m->chains.chain[c].mirrored; }

/* bones of mirrored chains, counted from where they begin */
static void match_bones(const bone_maker *m, const ossai_mirror *mirror, ossai_curve_bones *bones)
{
	if (!mirror->exists) return;
	const double off = fabs(ossai_dot(mirror->normal, bones->joint[0]) - mirror->offset);
	if (ossai_bones_are_on_plane(off, bones->radius[0])) bones->mirrored[0] = 0;
	for (uint32_t c = 0; c < m->chains.count; c++) {
		const uint32_t other = mirrored_chain(m, c);
		if (other == OSSA_NONE || m->joints[c].count == 0) continue;
		const uint32_t skip = c == m->with_root ? 1 : 0;
		for (uint32_t k = skip; k < m->joints[c].count; k++)
			bones->mirrored[m->first[c] + k - skip] = m->first[other] + k - skip;
	}
}

/* one position for a joint and the image of its counterpart: the mean where they are close, else
   that of the larger radius */
static ossai_vec3 agree(const ossai_curve_bones *bones, uint32_t bone, ossai_vec3 own, ossai_vec3 image, double near)
{
	if (ossai_distance(own, image) < near) return ossai_lerp(own, image, 0.5);
	return bones->radius[bone] >= bones->radius[bones->mirrored[bone]] ? own : image;
}

/* makes joints symmetric that nearly are; a posed limb stays as it is */
static void make_symmetric(const ossai_mirror *mirror, ossai_curve_bones *bones)
{
	if (!mirror->exists) return;
	for (uint32_t b = 0; b < bones->tree.bone_count; b++) {
		const uint32_t other = bones->mirrored[b];
		if (other == OSSA_NONE || other < b) continue;
		const ossai_vec3 image = ossai_mirror_point(mirror, bones->joint[other]);
		const ossai_vec3 tail = ossai_mirror_point(mirror, bones->tail[other]);
		const double near = (other == b ? 2 * PLANE_NEAR : PAIR_NEAR) * fmin(bones->radius[b], bones->radius[other]);
		const double most = mirror->error < SAME_SHAPE && other != b ? fmax(near, SAME_PLACE) : near;
		if (ossai_distance(image, bones->joint[b]) < most) {
			bones->joint[b] = agree(bones, b, bones->joint[b], image, near);
			bones->joint[other] = ossai_mirror_point(mirror, bones->joint[b]);
		}
		if (ossai_distance(tail, bones->tail[b]) < most) {
			bones->tail[b] = agree(bones, b, bones->tail[b], tail, near);
			bones->tail[other] = ossai_mirror_point(mirror, bones->tail[b]);
		}
	}
}

/* whether the bone before a junction ends at this chain rather than at another one: the chain
   continues the bone, lies on the plane of symmetry, or leads to more volume */
static bool continues_bone(const bone_maker *m, uint32_t c, uint32_t other)
{
	if (other == OSSA_NONE || c == m->with_root) return true;
	if (other == m->with_root) return false;
	const bool is_middle = mirrored_chain(m, c) == c, other_is = mirrored_chain(m, other) == other;
	if (is_middle != other_is) return is_middle;
	return m->chains.chain[c].volume > m->chains.chain[other].volume;
}

/* tails: along a chain at the next joint; of leaves at the tip; at junctions at the first joint of
   the chain that continues the bone */
static ossa_status place_tails(ossai_arena *scratch, const bone_maker *m, ossai_curve_bones *bones)
{
	const ossai_chains *chains = &m->chains;
	uint32_t *next = ossai_arena_new(scratch, bones->tree.bone_count, sizeof *next);
	if (!next) return ossa_context_error(scratch->context)->status;
	for (uint32_t b = 0; b < bones->tree.bone_count; b++) next[b] = OSSA_NONE;
	for (uint32_t c = 0; c < chains->count; c++) {
		const ossai_chain *chain = &chains->chain[c];
		const uint32_t on = chain->parent == OSSA_NONE ? 0 : m->last[chain->parent];
		if (m->last[c] == on) continue;
		for (uint32_t b = m->first[c]; b < m->last[c]; b++) bones->tail[b] = bones->joint[b + 1];
		if (chain->is_leaf) bones->tail[m->last[c]] = chains->point[chain->begin + chain->count - 1];
		if (continues_bone(m, c, next[on])) next[on] = c;
	}
	for (uint32_t b = 0; b < bones->tree.bone_count; b++) {
		if (next[b] != OSSA_NONE) bones->tail[b] = bones->joint[m->first[next[b]]];
	}
	for (size_t c = chains->count; c-- > 0;) {
		const ossai_chain *chain = &chains->chain[c];
		const uint32_t on = chain->parent == OSSA_NONE ? 0 : m->last[chain->parent];
		/* a chain without bones gives its end to its parent bone where nothing else does */
		if (m->last[c] == on && ossai_distance(bones->tail[on], bones->joint[on]) == 0)
			bones->tail[on] = chains->point[chain->begin + chain->count - 1];
	}
	return OSSA_OK;
}

/* of a curve of one node: the vertex farthest from it */
static void place_lone_tail(const bone_maker *m, ossai_curve_bones *bones)
{
	double farthest = 0;
	for (size_t v = 0; v < m->curve->vertex_count; v++) {
		const ossai_vec3 p = ossai_v3_of(m->proxy->positions + 3 * v);
		const double distance = ossai_distance(p, bones->joint[0]);
		if (!(distance > farthest)) continue;
		farthest = distance;
		bones->tail[0] = p;
	}
}

/* the bone of each node: the last whose joint comes before it on its chain */
static void assign_nodes(const bone_maker *m)
{
	const ossai_chains *chains = &m->chains;
	m->bone_of_node[chains->root] = 0;
	for (uint32_t c = 0; c < chains->count; c++) {
		const ossai_chain *chain = &chains->chain[c];
		const uint32_t before = chain->parent == OSSA_NONE ? 0 : m->last[chain->parent];
		const uint32_t skip = c == m->with_root ? 1 : 0;
		for (uint32_t i = chain->begin + 1; i < chain->begin + chain->count; i++) {
			if (chains->node[i] == OSSA_NONE) continue;
			uint32_t bone = before;
			for (uint32_t k = skip; k < m->joints[c].count && m->joints[c].arc[k] <= chains->arc[i]; k++)
				bone = m->first[c] + k - skip;
			m->bone_of_node[chains->node[i]] = bone;
		}
	}
}

static double off_segment(ossai_vec3 p, ossai_vec3 a, ossai_vec3 b)
{
	return ossai_distance(p, ossai_nearest_on_segment(a, b, p));
}

/* each vertex gets the bone of its node, or the parent of that where it is closer */
static void assign_vertices(const bone_maker *m, ossai_curve_bones *bones)
{
	for (size_t v = 0; v < m->curve->vertex_count; v++) {
		const uint32_t bone = m->bone_of_node[m->curve->node_of_vertex[v]], parent = bones->tree.parent[bone];
		bones->bone_of_vertex[v] = bone;
		if (parent == OSSA_NONE) continue;
		const ossai_vec3 p = ossai_v3_of(m->proxy->positions + 3 * v);
		const double own = off_segment(p, bones->joint[bone], bones->tail[bone]);
		if (off_segment(p, bones->joint[parent], bones->joint[bone]) < own) bones->bone_of_vertex[v] = parent;
	}
}

/* why the number of bones differs */
static const char *reason_of(ossai_bone_shortage shortage, bool enforced)
{
	if (enforced) return "one side of the shape has them and was mirrored; `symmetry detect` keeps the number";
	switch (shortage) {
	case OSSAI_SHORTAGE_IMAGE:
		return "the shape is symmetric, and one more joint would have no mirror image; `symmetry off` makes it";
	case OSSAI_SHORTAGE_FULL: return "each chain between two junctions or ends has the most bones that it can have";
	default: return "more bones would be too short for the thickness of the limbs";
	}
}

static void warn_of_count(ossa_context *context, size_t wanted, size_t placed, size_t made, ossai_bone_shortage shortage)
{
	if (wanted == 0 || made == wanted) return;
	const char *reason = reason_of(shortage, made != placed);
	if (made > wanted) {
		ossai_warn(
			context, "more-bones", (int64_t)(made - wanted), "%zu bones were wanted and %zu made: %s", wanted, made, reason);
	} else {
		ossai_warn(
			context, "fewer-bones", (int64_t)(wanted - made), "%zu bones were wanted and %zu made: %s", wanted, made, reason);
	}
}

/* the number of bones of each chain that is a limb of a known body; 0 for others */
static ossa_status fix_limbs(
	ossai_arena *scratch, const ossai_chains *chains, const ossai_curve_bones_options *options, size_t **fixed)
{
	*fixed = ossai_arena_zero(scratch, chains->count, sizeof **fixed);
	if (!*fixed) return ossa_context_error(scratch->context)->status;
	for (size_t c = 0; c < chains->count; c++) {
		const ossai_chain *chain = &chains->chain[c];
		for (size_t l = 0; l < options->limb_count; l++) {
			for (uint32_t i = chain->begin + 1; i < chain->begin + chain->count; i++) {
				if (chains->node[i] == options->limb[l].node) (*fixed)[c] = options->limb[l].bones;
			}
		}
	}
	return OSSA_OK;
}

static ossa_status place(ossai_arena *arena, ossai_arena *scratch, bone_maker *m, const ossai_mirror *mirror,
	const ossai_curve_bones_options *options, ossai_curve_bones *bones)
{
	const size_t chain_count = m->chains.count;
	m->joints = ossai_arena_new(scratch, chain_count, sizeof *m->joints);
	m->first = ossai_arena_new(scratch, chain_count, sizeof *m->first);
	m->last = ossai_arena_new(scratch, chain_count, sizeof *m->last);
	m->bone_of_node = ossai_arena_zero(scratch, m->curve->node_count, sizeof *m->bone_of_node);
	if (!m->joints || !m->first || !m->last || !m->bone_of_node) return ossa_context_error(arena->context)->status;
	size_t count, *fixed;
	ossai_bone_shortage shortage;
	OSSAI_TRY(fix_limbs(scratch, &m->chains, options, &fixed));
	OSSAI_TRY(ossai_chain_joints_place(
		scratch, &m->chains, &options->weights, options->bones, fixed, m->joints, &m->with_root, &count, &shortage));
	OSSAI_TRY(ossai_curve_bones_new(arena, count, m->curve->vertex_count, bones));
	make_bones(m, bones);
	OSSAI_TRY(place_tails(scratch, m, bones));
	if (chain_count == 0) place_lone_tail(m, bones);
	match_bones(m, mirror, bones);
	make_symmetric(mirror, bones);
	if (m->proxy->is_closed) {
		const ossai_mesh_view mesh = ossai_proxy_view(m->proxy);
		OSSAI_TRY(ossai_joints_keep_inside(
			arena->context, &mesh, m->curve->node_count, m->curve->node, bones->tree.bone_count, bones->joint));
	}
	ossai_tree_sort(&bones->tree);
	assign_nodes(m);
	assign_vertices(m, bones);
	if (options->symmetry == OSSA_SYMMETRY_ENFORCE && mirror->exists) {
		OSSAI_TRY(ossai_curve_bones_enforce(arena, m->proxy, mirror, bones));
	}
	warn_of_count(arena->context, options->bones, count, bones->tree.bone_count, shortage);
	return OSSA_OK;
}

/* enforced symmetry uses the best plane that was found; the warning says how poor it is */
static void enforce_plane(ossa_context *context, ossai_mirror *used)
{
	if (used->exists) return;
	used->exists = isfinite(used->error) && ossai_length(used->normal) > 0.5;
	if (!used->exists) {
		ossai_warn(
			context, "not-symmetric", 1, "the shape has no plane of symmetry, not even a poor one, so that none was enforced");
		return;
	}
	ossai_warn(context, "not-symmetric", 1,
		"the shape is not symmetric, and its bones were made symmetric: the mean distance of its surface from its mirror "
		"image is %.1f %% of the size, and %.0f %% of it is farther than %.0f %%; look at both sides, or use "
		"`symmetry detect`",
		100 * used->error, 100 * used->off_share, 100 * OSSAI_MIRROR_OFF);
}

ossai_mirror ossai_bones_mirror(ossa_context *context, const ossai_mirror *mirror, ossa_symmetry_kind symmetry)
{
	ossai_mirror used = {.exists = false};
	if (mirror && symmetry != OSSA_SYMMETRY_OFF) used = *mirror;
	if (symmetry == OSSA_SYMMETRY_ENFORCE) enforce_plane(context, &used);
	return used;
}

ossa_status ossai_curve_bones_place(ossai_arena *arena, const ossai_proxy *proxy, const ossai_curve *curve, uint32_t root,
	const ossai_mirror *mirror, const ossai_curve_bones_options *options, ossai_curve_bones *bones)
{
	*bones = (ossai_curve_bones){.joint = NULL};
	if (curve->node_count == 0) return ossai_fail(arena->context, OSSA_ERROR_INPUT, NULL, "the curve has no nodes");
	const ossai_mirror used = ossai_bones_mirror(arena->context, mirror, options->symmetry);
	ossai_arena scratch = ossai_arena_begin(arena->context);
	bone_maker m = {.proxy = proxy, .curve = curve};
	ossa_status status = ossai_chains_make(&scratch, proxy, curve, root, &m.chains);
	if (status == OSSA_OK) status = ossai_chains_match(&scratch, &used, &m.chains);
	if (status == OSSA_OK) status = place(arena, &scratch, &m, &used, options, bones);
	ossai_arena_end(&scratch);
	return status;
}
