/* import/fbx/assimp_weld.c: assimp's corners as vertices: see assimp_parts.h.

   assimp gives every face corners of its own and cuts a mesh into one part for each material.
   Corners of equal position, weights and shapes are welded, in the order of their first use; FBX's
   own numbering of vertices is lost before it gets here. */
#include "import/fbx/assimp_parts.h"

#include <string.h>

static ossa_status no_memory(const ossai_assimp_parts *p) { return ossa_context_error(p->reader->context)->status; }

const struct aiMesh *ossai_parts_mesh(const ossai_assimp_parts *p, size_t part)
{
	return p->reader->scene->mMeshes[p->node->mMeshes[part]];
}

/* ---- raw vertices ---- */

ossa_status ossai_parts_number(ossai_assimp_parts *p)
{
	for (unsigned i = 0; i < p->node->mNumMeshes; i++) {
		if (p->node->mMeshes[i] >= p->reader->scene->mNumMeshes)
			return ossai_asset_fail(p->reader->asset, "a node has no mesh");
		p->raw_count += ossai_parts_mesh(p, i)->mNumVertices;
		if (ossai_parts_mesh(p, i)->mNumAnimMeshes > p->target_count) p->target_count = ossai_parts_mesh(p, i)->mNumAnimMeshes;
	}
	if (p->raw_count >= OSSA_NONE) return ossai_asset_fail(p->reader->asset, "holds more than 2^32 corners");
	p->first_of_part = ossai_arena_new(&p->scratch, p->node->mNumMeshes, sizeof *p->first_of_part);
	p->part_of_raw = ossai_arena_new(&p->scratch, p->raw_count, sizeof *p->part_of_raw);
	if (!p->first_of_part || !p->part_of_raw) return no_memory(p);
	uint32_t raw = 0;
	for (unsigned i = 0; i < p->node->mNumMeshes; i++) {
		p->first_of_part[i] = raw;
		for (unsigned v = 0; v < ossai_parts_mesh(p, i)->mNumVertices; v++) p->part_of_raw[raw++] = i;
	}
	return OSSA_OK;
}

/* the part and its own number of a raw vertex */
const struct aiMesh *ossai_parts_mesh_of(const ossai_assimp_parts *p, uint32_t raw, uint32_t *own)
{
	*own = raw - p->first_of_part[p->part_of_raw[raw]];
	return ossai_parts_mesh(p, p->part_of_raw[raw]);
}

static const struct aiVector3D *position_of(const ossai_assimp_parts *p, uint32_t raw)
{
	uint32_t own;
	return ossai_parts_mesh_of(p, raw, &own)->mVertices + own;
}

/* how a shape moves a raw vertex */
void ossai_parts_shape(const ossai_assimp_parts *p, uint32_t raw, size_t target, float delta[3])
{
	uint32_t own;
	const struct aiMesh *mesh = ossai_parts_mesh_of(p, raw, &own);
	const struct aiAnimMesh *shape = target < mesh->mNumAnimMeshes ? mesh->mAnimMeshes[target] : NULL;
	memset(delta, 0, 3 * sizeof *delta);
	if (!shape || !shape->mVertices || shape->mNumVertices != mesh->mNumVertices) return;
	delta[0] = shape->mVertices[own].x - mesh->mVertices[own].x;
	delta[1] = shape->mVertices[own].y - mesh->mVertices[own].y;
	delta[2] = shape->mVertices[own].z - mesh->mVertices[own].z;
}

/* ---- joints and weights ---- */

/* the joint of a bone, the same for all parts; OSSA_NONE where its node is not there */
static ossa_status find_joint(ossai_assimp_parts *p, const struct aiBone *bone, uint32_t *joint)
{
	ossa_context *context = p->reader->context;
	const uint32_t node = ossai_assimp_find(p->reader, bone->mName.data);
	*joint = node == OSSA_NONE ? OSSA_NONE : p->reader->joint_of_node[node];
	if (node == OSSA_NONE || *joint != OSSA_NONE) return OSSA_OK;
	OSSAI_TRY(ossai_reserve(context, &p->joints, &p->joint_capacity, p->joint_count, sizeof *p->joints));
	OSSAI_TRY(ossai_reserve(context, &p->inverse_bind, &p->bind_capacity, p->joint_count, sizeof *p->inverse_bind));
	p->joints[p->joint_count] = node;
	const ossai_rigid own = ossai_assimp_map(&bone->mOffsetMatrix);
	ossai_rigid back = ossai_affine_identity();
	ossai_affine_inverse(&p->map, &back);
	p->inverse_bind[p->joint_count] = ossai_rigid_mul(&own, &back);
	*joint = p->reader->joint_of_node[node] = (uint32_t)p->joint_count++;
	return OSSA_OK;
}

/* calls `use` for all weights of all ossai_assimp_parts */
static ossa_status each_weight(ossai_assimp_parts *p, void (*use)(ossai_assimp_parts *p, uint32_t raw, ossai_influence weight))
{
	for (unsigned i = 0; i < p->node->mNumMeshes; i++) {
		const struct aiMesh *mesh = ossai_parts_mesh(p, i);
		for (unsigned b = 0; b < mesh->mNumBones; b++) {
			const struct aiBone *bone = mesh->mBones[b];
			uint32_t joint;
			OSSAI_TRY(find_joint(p, bone, &joint));
			for (unsigned w = 0; joint != OSSA_NONE && w < bone->mNumWeights; w++) {
				const struct aiVertexWeight *weight = &bone->mWeights[w];
				if (weight->mVertexId >= mesh->mNumVertices || weight->mWeight == 0) continue;
				use(p, p->first_of_part[i] + weight->mVertexId, (ossai_influence){joint, (double)weight->mWeight});
			}
		}
	}
	return OSSA_OK;
}

static void count_pair(ossai_assimp_parts *p, uint32_t raw, ossai_influence weight)
{
	(void)weight;
	ossai_csr_count(&p->pairs_of, raw);
}

static void place_pair(ossai_assimp_parts *p, uint32_t raw, ossai_influence weight)
{
	p->pairs[ossai_csr_next(&p->pairs_of, raw)] = weight;
}

/* by joint: parts may name them in different orders */
static void sort_run(ossai_influence *pairs, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		const ossai_influence moved = pairs[i];
		size_t at = i;
		for (; at > 0 && pairs[at - 1].joint > moved.joint; at--) pairs[at] = pairs[at - 1];
		pairs[at] = moved;
	}
}

/* the pairs of each raw vertex */
ossa_status ossai_parts_sort_pairs(ossai_assimp_parts *p)
{
	size_t count;
	OSSAI_TRY(ossai_csr_begin(&p->scratch, p->raw_count, &p->pairs_of));
	OSSAI_TRY(each_weight(p, count_pair));
	OSSAI_TRY(ossai_csr_lay_out(p->scratch.context, &p->pairs_of, &count));
	p->pairs = ossai_arena_new(&p->scratch, count, sizeof *p->pairs);
	if (!p->pairs) return no_memory(p);
	OSSAI_TRY(each_weight(p, place_pair));
	for (size_t v = 0; v < p->raw_count; v++) {
		sort_run(p->pairs + p->pairs_of.start[v], ossai_csr_size(&p->pairs_of, v));
	}
	return OSSA_OK;
}

/* ---- raw vertices that are one ---- */

static uint32_t bits_of(float value)
{
	uint32_t bits;
	value += 0.0f; /* -0 is 0 */
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static uint64_t mix(uint64_t hash, uint32_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 29;
}

static uint64_t hash_of(const ossai_assimp_parts *p, uint32_t raw)
{
	const struct aiVector3D *place = position_of(p, raw);
	return mix(mix(mix(1, bits_of(place->x)), bits_of(place->y)), bits_of(place->z));
}

static bool is_same(const ossai_assimp_parts *p, uint32_t a, uint32_t b)
{
	const struct aiVector3D *x = position_of(p, a), *y = position_of(p, b);
	if (!(x->x == y->x && x->y == y->y && x->z == y->z)) return false;
	const size_t count = ossai_csr_size(&p->pairs_of, a);
	if (count != ossai_csr_size(&p->pairs_of, b)) return false;
	for (size_t i = 0; i < count; i++) {
		const ossai_influence *u = &p->pairs[p->pairs_of.start[a] + i], *v = &p->pairs[p->pairs_of.start[b] + i];
		if (u->joint != v->joint || !(u->weight == v->weight)) return false;
	}
	for (size_t t = 0; t < p->target_count; t++) {
		float u[3], v[3];
		ossai_parts_shape(p, a, t, u);
		ossai_parts_shape(p, b, t, v);
		if (!(u[0] == v[0] && u[1] == v[1] && u[2] == v[2])) return false;
	}
	return true;
}

/* an open hash table over the vertices found so far */
ossa_status ossai_parts_weld(ossai_assimp_parts *p)
{
	size_t slot_count = 16;
	while (slot_count < 2 * p->raw_count) slot_count *= 2;
	uint32_t *slots = ossai_arena_new(&p->scratch, slot_count, sizeof *slots);
	p->vertex_of_raw = ossai_arena_new(&p->scratch, p->raw_count, sizeof *p->vertex_of_raw);
	p->raw_of_vertex = ossai_arena_new(&p->scratch, p->raw_count, sizeof *p->raw_of_vertex);
	if (!slots || !p->vertex_of_raw || !p->raw_of_vertex) return no_memory(p);
	memset(slots, 0xff, slot_count * sizeof *slots);
	for (uint32_t raw = 0; raw < p->raw_count; raw++) {
		size_t slot = (size_t)hash_of(p, raw) & (slot_count - 1);
		while (slots[slot] != OSSA_NONE && !is_same(p, p->raw_of_vertex[slots[slot]], raw))
			slot = (slot + 1) & (slot_count - 1);
		if (slots[slot] == OSSA_NONE) {
			slots[slot] = (uint32_t)p->vertex_count;
			p->raw_of_vertex[p->vertex_count++] = raw;
		}
		p->vertex_of_raw[raw] = slots[slot];
	}
	return OSSA_OK;
}
