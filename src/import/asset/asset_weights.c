/* import/asset/asset_weights.c: normalises the weights of skinned meshes.

   Place in the path: before bones and frames are made of an asset.
   Input: pairs of joint and weight as a file has them.
   Output: of each vertex pairs in descending order, no joint twice, sum 1; none where it has no
   weight. Changes are counted in warnings. */
#include "import/asset/asset_parts.h"

#include <string.h>

/* sums that are off by less are the rounding of floats; by less than the second that of bytes and
   short integers */
static const double float_noise = 1e-6, rounding = 0.01;

typedef struct repair {
	ossai_asset *asset;
	ossai_influence *pairs;  /* of the current vertex */
	uint32_t *pair_of_joint; /* by joint: its index in `pairs`, if any */
	int64_t dropped, merged, unequal, loose;
} repair;

/* the pairs of a vertex, each joint once; returns how many, or SIZE_MAX with the error set */
static size_t gather(repair *r, const ossai_asset_mesh *mesh, size_t vertex)
{
	const size_t joint_count = r->asset->skins[mesh->skin].joint_count;
	size_t count = 0;
	for (size_t i = vertex * mesh->influences; i < (vertex + 1) * mesh->influences; i++) {
		const float weight = mesh->weights[i];
		const uint32_t joint = mesh->joints[i];
		if (weight == 0) continue;
		if (!(weight > 0) || !isfinite(weight)) {
			r->dropped++;
			continue;
		}
		if (joint >= joint_count) {
			ossai_asset_fail(r->asset, "vertex %zu of mesh \"%s\" follows joint %u, but there are %zu", vertex,
				mesh->mesh->name, joint, joint_count);
			return SIZE_MAX;
		}
		const uint32_t at = r->pair_of_joint[joint];
		if (at < count && r->pairs[at].joint == joint) {
			r->pairs[at].weight += (double)weight;
			r->merged++;
		} else {
			r->pair_of_joint[joint] = (uint32_t)count;
			r->pairs[count++] = (ossai_influence){joint, (double)weight};
		}
	}
	return count;
}

/* insertion: few pairs, and mostly sorted; equal ones keep the file's order */
static void sort_pairs(ossai_influence *pairs, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		const ossai_influence moved = pairs[i];
		size_t at = i;
		for (; at > 0 && pairs[at - 1].weight < moved.weight; at--) pairs[at] = pairs[at - 1];
		pairs[at] = moved;
	}
}

static ossa_status clean_vertex(repair *r, ossai_asset_mesh *mesh, size_t vertex)
{
	const size_t count = gather(r, mesh, vertex);
	if (count == SIZE_MAX) return ossa_context_error(r->asset->context)->status;
	double sum = 0;
	for (size_t i = 0; i < count; i++) sum += r->pairs[i].weight;
	sort_pairs(r->pairs, count);
	r->loose += count == 0;
	r->unequal += count > 0 && fabs(sum - 1) > rounding;
	const double scale = fabs(sum - 1) > float_noise ? 1 / sum : 1;
	for (size_t i = 0; i < mesh->influences; i++) {
		const size_t at = vertex * mesh->influences + i;
		mesh->joints[at] = i < count ? r->pairs[i].joint : 0;
		mesh->weights[at] = i < count ? (float)(r->pairs[i].weight * scale) : 0;
	}
	return OSSA_OK;
}

static ossa_status clean_mesh(repair *r, ossai_asset_mesh *mesh)
{
	ossa_context *context = r->asset->context;
	const size_t joint_count = r->asset->skins[mesh->skin].joint_count;
	r->pairs = ossai_new(context, mesh->influences, sizeof *r->pairs);
	r->pair_of_joint = ossa_alloc(context, joint_count, sizeof *r->pair_of_joint);
	ossa_status status = r->pairs && r->pair_of_joint ? OSSA_OK : ossa_context_error(context)->status;
	/* copies of seams follow their originals */
	for (size_t v = 0; v < mesh->own_count && status == OSSA_OK; v++) status = clean_vertex(r, mesh, v);
	ossa_free(context, r->pairs);
	ossa_free(context, r->pair_of_joint);
	return status;
}

static void tell(const repair *r)
{
	ossa_context *context = r->asset->context;
	const char *file = r->asset->path;
	if (r->dropped > 0) {
		ossai_warn(
			context, "weights-dropped", r->dropped, "%s: weights that are negative or no finite numbers are left out", file);
	}
	if (r->merged > 0) {
		ossai_warn(
			context, "weights-merged", r->merged, "%s: weights of a joint that a vertex names more than once are added", file);
	}
	if (r->unequal > 0) {
		ossai_warn(context, "weights-not-one", r->unequal, "%s: vertices whose weights do not sum to 1; they do now", file);
	}
	if (r->loose > 0) ossai_warn(context, "loose-vertices", r->loose, "%s: vertices without weights follow the root", file);
}

ossa_status ossai_asset_clean_weights(ossai_asset *asset)
{
	repair r = {.asset = asset};
	if (asset->weights_clean) return OSSA_OK;
	for (size_t m = 0; m < asset->mesh_count; m++) {
		if (asset->meshes[m].skin != OSSA_NONE) OSSAI_TRY(clean_mesh(&r, &asset->meshes[m]));
	}
	asset->weights_clean = true;
	tell(&r);
	return OSSA_OK;
}
