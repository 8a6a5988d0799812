/* import/asset/asset_check.c: checks that readers filled in what import/asset.h specifies. Nodes,
   skins and meshes; keys are in asset_keys.c.

   Place in the path: ossai_asset_finish.
   Input: an untrusted asset.
   Output: the first fault, or an asset whose indices, counts and numbers can be used without
   further checks. */
#include "import/asset/asset_parts.h"
#include "rig/universal_joint.h"

#include <stdio.h>
#include <string.h>

static bool is_finite(const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!isfinite(values[i])) return false;
	}
	return true;
}

size_t ossai_op_width(ossai_op_kind kind)
{
	switch (kind) {
	case OSSAI_OP_TRANSLATE:
	case OSSAI_OP_SCALE: return 3;
	case OSSAI_OP_ROTATE:
	case OSSAI_OP_TURN: return 4;
	case OSSAI_OP_MATRIX: return 16;
	}
	return 0;
}

/* ---- nodes ---- */

static ossa_status check_op(const ossai_asset *asset, uint32_t node, const ossai_op *op)
{
	const size_t width = ossai_op_width(op->kind);
	const char *name = ossai_asset_node_name(asset, node);
	if (width == 0) return ossai_asset_fail(asset, "node %u \"%s\" has a transform of no known kind", node, name);
	if (!is_finite(op->values, width)) {
		return ossai_asset_fail(asset, "node %u \"%s\" has a transform that is no finite number", node, name);
	}
	if (op->kind != OSSAI_OP_MATRIX) return OSSA_OK;
	const double *last = op->values + 12;
	if (last[0] == 0 && last[1] == 0 && last[2] == 0 && last[3] == 1) return OSSA_OK;
	return ossai_asset_fail(asset, "node %u \"%s\" has a matrix whose last row is not 0 0 0 1", node, name);
}

/* bones whose properties were left out: limits of turns and of slides, axes of slides */
typedef struct faults {
	int64_t turns, slides, axes;
} faults;

/* properties of a bone that make no sense are ignored */
static bool is_axis(const double axis[3]) { return is_finite(axis, 3) && fabs(ossai_length(ossai_v3_of(axis)) - 1) < 1e-6; }

static bool is_range(const double range[2]) { return range[0] >= -360 && range[0] <= 0 && range[1] >= 0 && range[1] <= 360; }

/* what does not fit the kind is left out */
static void check_axes(ossai_asset_bone *bone)
{
	const bool is_square = fabs(ossai_dot(ossai_v3_of(bone->axis), ossai_v3_of(bone->second_axis))) < 1e-6;
	const bool is_pair = is_axis(bone->axis) && is_axis(bone->second_axis) && is_square;
	if (bone->kind == OSSA_JOINT_HINGE && !is_axis(bone->axis)) bone->kind = OSSA_JOINT_UNKNOWN;
	if (bone->kind == OSSA_JOINT_UNIVERSAL && !is_pair) bone->kind = OSSA_JOINT_UNKNOWN;
	const bool is_universal = bone->kind == OSSA_JOINT_UNIVERSAL;
	if (!ossai_joint_has_axis(bone->kind)) memset(bone->axis, 0, sizeof bone->axis);
	if (!is_universal) memset(bone->second_axis, 0, sizeof bone->second_axis);
	const bool has_ranges = is_range(bone->axis_limits[0]) && is_range(bone->axis_limits[1]);
	if (!is_universal || !bone->has_limits || !has_ranges) memset(bone->axis_limits, 0, sizeof bone->axis_limits);
}

/* limits of turns about 0 of a joint that slides would lock one of another kind */
static void check_slide_axis(ossai_asset_bone *bone, faults *found)
{
	const ossai_vec3 none = {0, 0, 0}, axis = is_finite(bone->axis, 3) ? ossai_unit(ossai_v3_of(bone->axis), none) : none;
	ossai_v3_store(axis, bone->axis);
	if (is_axis(bone->axis)) return;
	bone->kind = OSSA_JOINT_UNKNOWN;
	bone->has_limits = false;
	memset(bone->limits, 0, sizeof bone->limits);
	found->axes++;
}

/* a joint that slides never turns, and is at 0 at rest */
static void check_slide(ossai_asset_bone *bone, faults *found)
{
	const double least = bone->slide_limits[0], largest = bone->slide_limits[1];
	const bool slides = bone->kind == OSSA_JOINT_PRISMATIC;
	const bool fits = isfinite(least) && isfinite(largest) && least <= 0 && largest >= 0;
	if (slides) {
		found->slides += bone->has_slide_limits && !fits;
		bone->has_limits = bone->has_slide_limits && fits;
		memset(bone->limits, 0, sizeof bone->limits);
	}
	if (!slides || !bone->has_limits) memset(bone->slide_limits, 0, sizeof bone->slide_limits);
}

static void check_bone(ossai_asset_bone *bone, faults *found)
{
	if (bone->kind == OSSA_JOINT_PRISMATIC) check_slide_axis(bone, found);
	check_slide(bone, found);
	bool fits = true;
	for (int k = 0; k < 3 && bone->has_limits; k++) {
		const double low = bone->limits[k][0], high = bone->limits[k][1];
		fits = fits && low >= -360 && low <= 0 && high >= 0 && high <= 360;
	}
	if (!fits) {
		bone->has_limits = false;
		found->turns++;
	}
	bone->limits_of_motion = bone->limits_of_motion && bone->has_limits;
	if (bone->has_tail && !is_finite(bone->tail, 3)) bone->has_tail = false;
	check_axes(bone);
	if ((int)bone->kind < OSSA_JOINT_UNKNOWN || bone->kind > OSSA_JOINT_PRISMATIC) bone->kind = OSSA_JOINT_UNKNOWN;
	if (!(bone->turn_degrees >= 0) || !isfinite(bone->turn_degrees)) bone->turn_degrees = 0;
	if (!(bone->fit_residual >= 0) || !isfinite(bone->fit_residual)) bone->fit_residual = 0;
	if (!(bone->deviation >= 0) || !isfinite(bone->deviation)) bone->deviation = 0;
	const ossai_quat turn = ossai_quat_of(bone->modelled);
	const bool is_turn = is_finite(bone->modelled, 7) && fabs(ossai_quat_dot(turn, turn) - 1) < 1e-6;
	if (!is_turn) memset(bone->modelled, 0, sizeof bone->modelled);
}

static void warn_of_bones(const ossai_asset *asset, const faults *found)
{
	if (found->turns + found->slides > 0) {
		ossai_warn(asset->context, "limits-dropped", found->turns + found->slides,
			"%s: joints have limits that are no range around 0, of %s%s%s; they go without", asset->path,
			found->turns > 0 ? "turns within a full one" : "", found->turns > 0 && found->slides > 0 ? " or of " : "",
			found->slides > 0 ? "distances along their axes" : "");
	}
	if (found->axes > 0) {
		ossai_warn(asset->context, "axes-dropped", found->axes,
			"%s: joints that slide have no axis; they are of unknown kind, and go without limits", asset->path);
	}
}

ossa_status ossai_asset_check_nodes(ossai_asset *asset)
{
	faults found = {0};
	if (asset->node_count >= OSSA_NONE) return ossai_asset_fail(asset, "has %zu nodes, too many", asset->node_count);
	for (uint32_t n = 0; n < asset->node_count; n++) {
		const ossai_asset_node *node = &asset->nodes[n];
		if (node->parent != OSSA_NONE && node->parent >= asset->node_count) {
			return ossai_asset_fail(
				asset, "node %u \"%s\" has a parent node that is not there", n, ossai_asset_node_name(asset, n));
		}
		for (size_t i = 0; i < node->op_count; i++) OSSAI_TRY(check_op(asset, n, &node->ops[i]));
		if (node->bone) check_bone(node->bone, &found);
	}
	warn_of_bones(asset, &found);
	return OSSA_OK;
}

/* ---- skins ---- */

static ossa_status check_skin(const ossai_asset *asset, size_t s)
{
	const ossai_asset_skin *skin = &asset->skins[s];
	if (skin->joint_count == 0) return ossai_asset_fail(asset, "skin %zu has no joints", s);
	if (skin->joint_count > UINT16_MAX) {
		return ossai_asset_fail(asset, "skin %zu has %zu joints; ossa holds 65535", s, skin->joint_count);
	}
	for (size_t j = 0; j < skin->joint_count; j++) {
		ossai_rigid bind;
		if (skin->joints[j] >= asset->node_count) {
			return ossai_asset_fail(asset, "joint %zu of skin %zu is a node that is not there", j, s);
		}
		if (ossai_affine_is_finite(&skin->inverse_bind[j]) && ossai_affine_inverse(&skin->inverse_bind[j], &bind)) continue;
		return ossai_asset_fail(asset, "the inverse bind matrix of joint %zu, \"%s\", of skin %zu has no inverse", j,
			ossai_asset_node_name(asset, skin->joints[j]), s);
	}
	return OSSA_OK;
}

ossa_status ossai_asset_check_skins(ossai_asset *asset)
{
	for (size_t s = 0; s < asset->skin_count; s++) OSSAI_TRY(check_skin(asset, s));
	return OSSA_OK;
}

/* ---- meshes ---- */

/* whether two vertices have the same weights, targets and samples */
static bool is_same_vertex(const ossai_asset_mesh *mesh, size_t a, size_t b)
{
	if (!ossai_same_floats(mesh->mesh->positions + 3 * a, mesh->mesh->positions + 3 * b, 3)) return false;
	for (size_t k = 0; mesh->joints && k < mesh->influences; k++) {
		const size_t i = a * mesh->influences + k, j = b * mesh->influences + k;
		if (mesh->joints[i] != mesh->joints[j] || !(mesh->weights[i] == mesh->weights[j])) return false;
	}
	for (size_t t = 0; t < mesh->target_count; t++) {
		const float *deltas = mesh->targets[t].deltas;
		if (!ossai_same_floats(deltas + 3 * a, deltas + 3 * b, 3)) return false;
	}
	return true;
}

/* Another program may have changed the mesh and kept ossa's data about seams: data that does not
   fit exactly is ignored. */
static void check_copies(ossai_asset_mesh *mesh)
{
	const size_t count = mesh->mesh->vertex_count;
	bool fits = mesh->copy_of && mesh->own_count <= count;
	for (size_t i = mesh->own_count; fits && i < count; i++) {
		const uint32_t original = mesh->copy_of[i - mesh->own_count];
		fits = original < mesh->own_count && is_same_vertex(mesh, i, original);
	}
	if (fits) return;
	mesh->own_count = count;
	mesh->copy_of = NULL;
}

static ossa_status check_targets(const ossai_asset *asset, size_t m)
{
	const ossai_asset_mesh *mesh = &asset->meshes[m];
	for (size_t t = 0; t < mesh->target_count; t++) {
		const ossai_asset_target *target = &mesh->targets[t];
		bool fits = target->deltas && isfinite(target->weight);
		for (size_t i = 0; fits && i < 3 * mesh->mesh->vertex_count; i++) fits = isfinite(target->deltas[i]);
		if (!fits)
			return ossai_asset_fail(
				asset, "morph target %zu of mesh \"%s\" has numbers that are not finite", t, mesh->mesh->name);
	}
	return OSSA_OK;
}

static ossa_status check_samples(const ossai_asset *asset, size_t m)
{
	const ossai_asset_mesh *mesh = &asset->meshes[m];
	if (mesh->sample_count > 0 && (!mesh->sample_times || !mesh->read_sample)) {
		return ossai_asset_fail(asset, "mesh \"%s\" has samples that cannot be read", mesh->mesh->name);
	}
	for (size_t i = 0; i < mesh->sample_count; i++) {
		const double time = mesh->sample_times[i];
		if (isfinite(time) && (i == 0 || time > mesh->sample_times[i - 1])) continue;
		return ossai_asset_fail(asset, "sample %zu of mesh \"%s\" has the time %g, which does not follow the one before", i + 1,
			mesh->mesh->name, time);
	}
	return OSSA_OK;
}

static ossa_status check_mesh(ossai_asset *asset, size_t m)
{
	ossai_asset_mesh *mesh = &asset->meshes[m];
	if (!mesh->mesh) return ossai_asset_fail(asset, "mesh %zu is missing", m);
	if (ossa_mesh_validate(asset->context, mesh->mesh) != OSSA_OK) {
		char fault[512];
		if (ossa_context_error(asset->context)->status != OSSA_ERROR_INPUT) return ossa_context_error(asset->context)->status;
		snprintf(fault, sizeof fault, "%s", ossa_context_error(asset->context)->message);
		return ossai_asset_fail(asset, "mesh %zu \"%.63s\": %s", m, mesh->mesh->name, fault);
	}
	if (mesh->node != OSSA_NONE && mesh->node >= asset->node_count) {
		return ossai_asset_fail(asset, "mesh \"%s\" has a parent node that is not there", mesh->mesh->name);
	}
	if (mesh->skin != OSSA_NONE && mesh->skin >= asset->skin_count) {
		return ossai_asset_fail(asset, "mesh \"%s\" has a skin that is not there", mesh->mesh->name);
	}
	if (mesh->skin != OSSA_NONE && (mesh->influences == 0 || !mesh->joints || !mesh->weights)) {
		return ossai_asset_fail(
			asset, "mesh \"%s\" has a skin but no joints and weights (JOINTS_0 and WEIGHTS_0)", mesh->mesh->name);
	}
	OSSAI_TRY(check_targets(asset, m));
	OSSAI_TRY(check_samples(asset, m));
	check_copies(mesh);
	return OSSA_OK;
}

ossa_status ossai_asset_check_meshes(ossai_asset *asset)
{
	size_t vertices = 0, corners = 0;
	for (size_t m = 0; m < asset->mesh_count; m++) {
		OSSAI_TRY(check_mesh(asset, m));
		vertices += asset->meshes[m].mesh->vertex_count;
		corners += asset->meshes[m].mesh->corner_count;
	}
	if (vertices < OSSA_NONE && corners < OSSA_NONE) return OSSA_OK;
	return ossai_asset_fail(asset, "holds more than 2^32 vertices or corners");
}
