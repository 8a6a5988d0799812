/* export/gltf/kept_orphans.c: children of old joints of a kept glTF file, which are no joints:
   sockets, cameras, lights become children of new bones.

   Place in the path: inside the GLB writer, when the old joints go, and after the new ones came.
   Input: the document's nodes, the rig.
   Output: nodes below bones, where they were. */
#include "export/gltf/kept.h"
#include "math/rigid_fit.h"
#include "mesh/bounds.h"

#include <string.h>

/* ---- which ---- */

bool ossai_kept_is_orphan(const ossai_kept *kept, uint32_t n)
{
	const uint32_t above = kept->parent[n];
	/* levels are below nothing */
	if (above == OSSA_NONE || !kept->is_replaced[above] || kept->is_replaced[n] || kept->is_lod[n]) return false;
	return !kept->is_mesh[n] || kept->holds_mesh[n] || !json_object_get(ossai_kept_item(kept, "nodes", n), "mesh");
}

void ossai_kept_find_orphans(ossai_kept *kept)
{
	for (uint32_t n = 0; n < kept->document->node_count; n++) {
		if (!ossai_kept_is_orphan(kept, n)) continue;
		kept->orphans[kept->orphan_count++] = n;
		ossai_kept_unlink(ossai_kept_item(kept, "nodes", kept->parent[n]), "children", n);
	}
}

/* ---- where they were ---- */

/* A joint of the new rig that is at most so far from an old one, as a share of the diagonal, is
   this joint. */
static const double same_place = 1e-3;

/* Vertices whose RMS distance from where a map takes them is at most this share of the diagonal
   were only turned, scaled and moved. */
static const double same_shape = 1e-4;

static ossai_vec3 mean_of(size_t count, const float *positions)
{
	ossai_vec3 sum = {0, 0, 0};
	for (size_t v = 0; v < count; v++) sum = ossai_add(sum, ossai_v3_of_float(positions + 3 * v));
	return ossai_scale(sum, 1 / (double)count);
}

/* What took the mesh from where the file has it to where it is written: other axes or another unit
   (Horn). False where its shape has changed, as in another rest pose. */
static bool find_map(const ossai_kept *kept, double diagonal, ossai_rigid *found)
{
	/* coarser levels are behind them */
	const size_t n = kept->document->vertex_count;
	const float *from = kept->document->positions, *to = kept->mesh->positions;
	*found = ossai_affine_identity();
	if (n == 0 || memcmp(from, to, 3 * n * sizeof *from) == 0) return true;
	const ossai_vec3 a = mean_of(n, from), b = mean_of(n, to);
	double m[9] = {0}, before = 0, after = 0, error = 0;
	for (size_t v = 0; v < n; v++) {
		const ossai_vec3 x = ossai_sub(ossai_v3_of_float(from + 3 * v), a), y = ossai_sub(ossai_v3_of_float(to + 3 * v), b);
		const double p[3] = {x.x, x.y, x.z}, q[3] = {y.x, y.y, y.z};
		for (int e = 0; e < 9; e++) m[e] += p[e / 3] * q[e % 3];
		before += ossai_length2(x);
		after += ossai_length2(y);
	}
	if (!(before > 0)) return true;
	ossai_rigid map = {ossai_quat_matrix(ossai_rigid_rotation(m)), {0, 0, 0}};
	for (int e = 0; e < 9; e++) map.r.m[e / 3][e % 3] *= sqrt(after / before);
	map.t = ossai_sub(b, ossai_mat3_mul_v(&map.r, a));
	for (size_t v = 0; v < n; v++)
		error += ossai_length2(
			ossai_sub(ossai_rigid_point(&map, ossai_v3_of_float(from + 3 * v)), ossai_v3_of_float(to + 3 * v)));
	*found = map;
	return error <= (double)n * pow(same_shape * diagonal, 2);
}

/* from where the file has what a bone moves to the bone's new rest pose, where the file has it as
   it was modelled */
static ossai_rigid posed_map(const ossa_bone *bone, const ossai_rigid *axes)
{
	const ossai_quat turn = ossai_quat_of(bone->modelled);
	if (ossai_quat_dot(turn, turn) == 0) return *axes;
	const ossai_rigid back = {ossai_quat_matrix(turn), ossai_v3_of(bone->modelled + 4)}, there = ossai_rigid_inverse(&back);
	return ossai_rigid_mul(&there, axes);
}

/* By bone, in another rest pose: the map of its pose or that of the axes alone, whichever takes the
   skin of the bone nearer to where it is written. errors: 2 a bone, zeroed. */
static void find_posed_maps(const ossai_kept *kept, const ossai_rigid *axes, double *errors, ossai_rigid *maps)
{
	const ossa_skeleton *skeleton = &kept->rig->skeleton;
	const ossa_weights *weights = &kept->finest->weights;
	const size_t width = (size_t)weights->influences;
	for (size_t b = 0; b < skeleton->bone_count; b++) maps[b] = posed_map(&skeleton->bones[b], axes);
	for (size_t i = 0; i < kept->document->vertex_count * width; i++) {
		if (!(weights->values[i] > 0)) continue;
		const uint16_t b = weights->bones[i];
		const ossai_vec3 from = ossai_v3_of_float(kept->document->positions + 3 * (i / width));
		const ossai_vec3 to = ossai_v3_of_float(kept->mesh->positions + 3 * (i / width));
		const ossai_vec3 posed = ossai_rigid_point(&maps[b], from), turned = ossai_rigid_point(axes, from);
		errors[2 * b] += weights->values[i] * ossai_length2(ossai_sub(posed, to));
		errors[2 * b + 1] += weights->values[i] * ossai_length2(ossai_sub(turned, to));
	}
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		if (errors[2 * b] > errors[2 * b + 1]) maps[b] = *axes;
	}
}

/* By bone: what took the file to where it is written, at the bone; axes: those of the rig to those
   that are written. NULL with the error set. */
static ossai_rigid *find_maps(const ossai_kept *kept, double diagonal, const ossai_rigid *axes)
{
	const size_t count = kept->rig->skeleton.bone_count;
	ossai_rigid whole, *maps = ossai_arena_new(&kept->writer->arena, count, sizeof *maps);
	double *errors = ossai_arena_zero(&kept->writer->arena, 2 * count, sizeof *errors);
	if (!maps || !errors) return NULL;
	if (!find_map(kept, diagonal, &whole)) find_posed_maps(kept, axes, errors, maps);
	else
		for (size_t b = 0; b < count; b++) maps[b] = whole;
	return maps;
}

/* the bone of the joint that a node was below, where the rig still has it; OSSA_NONE */
static uint32_t same_bone(const ossai_kept *kept, uint32_t node, const ossai_rigid *maps, double reach)
{
	const ossa_skeleton *skeleton = &kept->rig->skeleton;
	const uint32_t above = kept->parent[node];
	const char *name = json_string_value(
		json_object_get(json_array_get(json_object_get(kept->document->root, "nodes"), above), "name"));
	uint32_t best = OSSA_NONE;
	double least = reach;
	for (uint32_t b = 0; b < skeleton->bone_count; b++) {
		const ossai_vec3 place = ossai_rigid_point(&maps[b], kept->document->world[above].t);
		const double distance = ossai_distance(ossai_v3_of(skeleton->bones[b].joint), place);
		/* of several at one place the one of its name */
		const bool is_called = name && strcmp(name, skeleton->bones[b].name) == 0;
		if (distance > reach || (distance >= least && !is_called)) continue;
		least = is_called ? 0 : distance;
		best = b;
	}
	return best;
}

/* to a point of the file */
static uint32_t nearest_bone(const ossa_skeleton *skeleton, const ossai_rigid *maps, ossai_vec3 point)
{
	uint32_t nearest = 0;
	double best = HUGE_VAL;
	for (uint32_t b = 0; b < skeleton->bone_count; b++) {
		const ossa_bone *bone = &skeleton->bones[b];
		const ossai_vec3 p = ossai_rigid_point(&maps[b], point);
		const ossai_vec3 joint = ossai_v3_of(bone->joint), along = ossai_sub(ossai_v3_of(bone->tail), joint);
		const double length = ossai_dot(along, along);
		const double share = length > 0 ? ossai_dot(ossai_sub(p, joint), along) / length : 0;
		const double distance = ossai_distance(p, ossai_madd(joint, fmin(fmax(share, 0), 1), along));
		if (distance >= best) continue;
		best = distance;
		nearest = b;
	}
	return nearest;
}

/* Below a bone, whose node is `joint`, where it was. moves: animations move it. */
static ossa_status attach(ossai_kept *kept, uint32_t orphan, const ossai_rigid *map, size_t bone, size_t joint, bool moves)
{
	const ossa_bone *of = &kept->rig->skeleton.bones[bone];
	const ossai_rigid rest = {ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(of->orientation))), ossai_v3_of(of->joint)};
	const ossai_rigid back = ossai_rigid_inverse(&rest), to_bone = ossai_rigid_mul(&back, map);
	const ossai_rigid local = ossai_rigid_mul(&to_bone, &kept->document->world[moves ? kept->parent[orphan] : orphan]);
	size_t n = kept->node_of[orphan];
	if (moves) OSSAI_TRY(ossai_kept_put_base(kept, n, &local, &n));
	else OSSAI_TRY(ossai_kept_set_transform(kept, ossai_kept_item(kept, "nodes", n), &local));
	return ossai_glb_add_child(kept->writer, joint, n);
}

/* By orphan the new bone in place of the joint that it was below. *moved: how many of these bones
   are elsewhere. */
static ossa_status choose_bones(ossai_kept *kept, const ossai_rigid *maps, double reach, uint32_t *bones, int64_t *moved)
{
	const size_t count = kept->orphan_count;
	uint32_t *joints = ossai_arena_new(&kept->writer->arena, count, sizeof *joints);
	uint32_t *successors = ossai_arena_new(&kept->writer->arena, count, sizeof *successors);
	if (!joints || !successors) return ossa_context_error(kept->writer->context)->status;
	for (size_t i = 0; i < count; i++) {
		joints[i] = kept->parent[kept->orphans[i]];
		bones[i] = same_bone(kept, kept->orphans[i], maps, reach);
		*moved += bones[i] == OSSA_NONE;
	}
	if (*moved == 0) return OSSA_OK;
	OSSAI_TRY(ossai_kept_find_successors(kept, count, joints, successors));
	for (size_t i = 0; i < count; i++) {
		if (bones[i] == OSSA_NONE) bones[i] = successors[i];
		if (bones[i] != OSSA_NONE) continue;
		bones[i] = nearest_bone(&kept->rig->skeleton, maps, kept->document->world[joints[i]].t);
	}
	return OSSA_OK;
}

static ossa_status attach_all(ossai_kept *kept, size_t first_bone, const ossai_rigid *maps, const uint32_t *bones)
{
	const size_t count = json_array_size(json_object_get(kept->writer->root, "nodes"));
	uint8_t *moves = ossai_arena_zero(&kept->writer->arena, count, 1);
	if (!moves) return ossa_context_error(kept->writer->context)->status;
	ossai_kept_mark_moving(kept, moves, count);
	for (size_t i = 0; i < kept->orphan_count; i++) {
		const uint32_t orphan = kept->orphans[i];
		OSSAI_TRY(attach(kept, orphan, &maps[bones[i]], bones[i], first_bone + bones[i], moves[kept->node_of[orphan]]));
	}
	return OSSA_OK;
}

ossa_status ossai_kept_attach_orphans(ossai_kept *kept, size_t first_bone, const ossai_rigid *axes)
{
	if (kept->orphan_count == 0) return OSSA_OK;
	const ossai_bounds bounds = ossai_bounds_make(kept->mesh->vertex_count, kept->mesh->positions);
	const ossai_rigid *maps = find_maps(kept, bounds.diagonal, axes);
	int64_t moved = 0;
	uint32_t *bones = ossai_arena_new(&kept->writer->arena, kept->orphan_count, sizeof *bones);
	if (!maps || !bones) return ossa_context_error(kept->writer->context)->status;
	OSSAI_TRY(choose_bones(kept, maps, same_place * bounds.diagonal, bones, &moved));
	OSSAI_TRY(attach_all(kept, first_bone, maps, bones));
	if (moved > 0) {
		ossai_warn(kept->writer->context, "nodes-moved", moved,
			"%s: children of joints that are replaced are children of the new bones that move the same skin",
			kept->document->path);
	}
	return OSSA_OK;
}
