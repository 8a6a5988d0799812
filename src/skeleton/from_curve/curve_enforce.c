/* skeleton/from_curve/curve_enforce.c: see curve_enforce.h. */
#include "skeleton/from_curve/curve_enforce.h"

#include "query/clearance.h"

#include <ossa/mesh.h>

enum { ON_PLANE = 0 }; /* else a side: 1 or -1 */

typedef struct enforcing {
	const ossai_mirror *mirror;
	const ossai_curve_bones *old;
	int8_t *side;    /* of each old bone */
	uint32_t *limb;  /* the first bone of the limb; itself on the plane */
	uint32_t *kept;  /* new number; OSSA_NONE: removed */
	uint32_t *image; /* number of its image; its own on the plane */
	int keep;        /* the side that is kept */
} enforcing;

static double off_plane(const ossai_mirror *mirror, ossai_vec3 p) { return ossai_dot(mirror->normal, p) - mirror->offset; }

/* a bone without a known mirror image lies on the plane where joint and tail do */
static bool is_middle(const enforcing *e, uint32_t bone)
{
	if (e->old->mirrored[bone] != OSSA_NONE) return e->old->mirrored[bone] == bone;
	const double radius = e->old->radius[bone];
	return ossai_bones_are_on_plane(off_plane(e->mirror, e->old->joint[bone]), radius) &&
		ossai_bones_are_on_plane(off_plane(e->mirror, e->old->tail[bone]), radius);
}

/* A limb begins with a child of a bone on the plane that is not on it, and has all bones after that
   one. It is on the side of its mean signed distance from the plane. */
static void find_sides(enforcing *e, double *lean)
{
	const ossai_tree *tree = &e->old->tree;
	for (size_t i = 0; i < tree->bone_count; i++) {
		const uint32_t bone = tree->order[i], parent = tree->parent[bone];
		lean[bone] = 0;
		e->limb[bone] = bone;
		if (parent == OSSA_NONE) {
			e->side[bone] = ON_PLANE;
			continue;
		}
		e->side[bone] = e->side[parent] == ON_PLANE && is_middle(e, bone) ? ON_PLANE : 1;
		if (e->side[parent] != ON_PLANE) e->limb[bone] = e->limb[parent];
		if (e->side[bone] != ON_PLANE) lean[e->limb[bone]] += off_plane(e->mirror, e->old->tail[bone]);
	}
	double length[2] = {0, 0};
	for (uint32_t bone = 0; bone < tree->bone_count; bone++) {
		if (e->side[bone] == ON_PLANE) continue;
		e->side[bone] = lean[e->limb[bone]] < 0 ? -1 : 1;
		length[e->side[bone] > 0] += ossai_distance(e->old->joint[bone], e->old->tail[bone]);
	}
	e->keep = length[1] >= length[0] ? 1 : -1;
}

static uint32_t number_bones(enforcing *e)
{
	uint32_t count = 0;
	for (uint32_t bone = 0; bone < e->old->tree.bone_count; bone++) {
		e->kept[bone] = e->image[bone] = OSSA_NONE;
		if (e->side[bone] != ON_PLANE && e->side[bone] != e->keep) continue;
		e->kept[bone] = count++;
		e->image[bone] = e->side[bone] == ON_PLANE ? e->kept[bone] : count++;
	}
	return count;
}

static ossai_vec3 onto_plane(const ossai_mirror *mirror, ossai_vec3 p)
{
	return ossai_madd(p, -off_plane(mirror, p), mirror->normal);
}

static void make_bones(const enforcing *e, ossai_curve_bones *made)
{
	const ossai_curve_bones *old = e->old;
	for (uint32_t bone = 0; bone < old->tree.bone_count; bone++) {
		const uint32_t at = e->kept[bone], image = e->image[bone], parent = old->tree.parent[bone];
		if (at == OSSA_NONE) continue;
		const bool is_middle_bone = image == at;
		made->joint[at] = is_middle_bone ? onto_plane(e->mirror, old->joint[bone]) : old->joint[bone];
		made->tail[at] = is_middle_bone ? onto_plane(e->mirror, old->tail[bone]) : old->tail[bone];
		made->joint[image] = ossai_mirror_point(e->mirror, made->joint[at]);
		made->tail[image] = ossai_mirror_point(e->mirror, made->tail[at]);
		made->radius[at] = made->radius[image] = old->radius[bone];
		made->tree.parent[at] = parent == OSSA_NONE ? OSSA_NONE : e->kept[parent];
		made->tree.parent[image] = parent == OSSA_NONE ? OSSA_NONE : e->image[parent];
		made->mirrored[at] = image;
		made->mirrored[image] = at;
	}
	made->tree.root = e->kept[old->tree.root];
	ossai_tree_sort(&made->tree);
}

/* the bone of a vertex on the side that is kept; of a removed limb, the bone that it was the child
   of */
static uint32_t own_bone(const enforcing *e, uint32_t vertex)
{
	uint32_t bone = e->old->bone_of_vertex[vertex];
	if (e->kept[bone] == OSSA_NONE) bone = e->old->tree.parent[e->limb[bone]];
	return bone;
}

/* vertices on the side that is kept keep their bones; the others get the images of the bones of
   their mirror images */
static void assign_vertices(
	const enforcing *e, const ossai_proxy *proxy, const ossai_clearance *clearance, ossai_curve_bones *made)
{
	for (uint32_t v = 0; v < proxy->vertex_count; v++) {
		const ossai_vec3 p = ossai_v3_of(proxy->positions + 3 * (size_t)v);
		uint32_t face = OSSA_NONE;
		const bool is_other = off_plane(e->mirror, p) * e->keep < 0;
		if (is_other) ossai_clearance_nearest(clearance, ossai_mirror_point(e->mirror, p), NULL, &face);
		if (!is_other || face == OSSA_NONE) made->bone_of_vertex[v] = e->kept[own_bone(e, v)];
		else made->bone_of_vertex[v] = e->image[own_bone(e, proxy->triangles[3 * (size_t)face])];
	}
}

ossa_status ossai_curve_bones_enforce(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_mirror *mirror, ossai_curve_bones *bones)
{
	const size_t count = bones->tree.bone_count;
	const ossai_curve_bones old = *bones;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	enforcing e = {.mirror = mirror, .old = &old};
	ossai_clearance clearance;
	const ossai_mesh_view mesh = ossai_proxy_view(proxy);
	ossa_status status = ossai_clearance_make(&scratch, &mesh, false, &clearance);
	e.side = status == OSSA_OK ? ossai_arena_zero(&scratch, count, sizeof *e.side) : NULL;
	e.limb = e.side ? ossai_arena_new(&scratch, count, 3 * sizeof *e.limb) : NULL;
	double *lean = e.limb ? ossai_arena_new(&scratch, count, sizeof *lean) : NULL;
	if (lean) {
		e.kept = e.limb + count;
		e.image = e.kept + count;
		find_sides(&e, lean);
		status = ossai_curve_bones_new(arena, number_bones(&e), proxy->vertex_count, bones);
	} else status = ossa_context_error(arena->context)->status;
	if (status == OSSA_OK) {
		make_bones(&e, bones);
		assign_vertices(&e, proxy, &clearance, bones);
	}
	ossai_arena_end(&scratch);
	return status;
}
