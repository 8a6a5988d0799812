/* import/fbx/assimp_mesh.c: meshes, skins and shapes out of assimp's scene.

   Place in the path: inside the FBX reader.
   Input: the aiMesh of each node.
   Output: one ossai_asset_mesh for each node that has any.

   assimp gives every face corners of its own and cuts a mesh into one part for each material. Here
   the parts become one mesh again, and corners of equal position, weights and shapes are welded, in
   the order of their first use; FBX's own numbering of vertices is lost before it gets here.
   FBX binds joints in the scene's space and assimp gives it in the mesh's: a skinned mesh is
   transformed into the scene's space, so that it stands upright in its bind pose wherever its
   joints are at rest. */
#include "import/fbx/assimp.h"

#include "base/csr.h"
#include "math/affine.h"

#include <assimp/scene.h>

#include <string.h>

/* a node's parts side by side; "raw" vertices are assimp's, one for each corner */
typedef struct parts {
	ossai_assimp *reader;
	const struct aiNode *node;
	size_t raw_count;
	size_t joint_count, joint_capacity, bind_capacity;
	uint32_t *joints;          /* the context's: nodes */
	ossai_rigid *inverse_bind; /* the context's */
	ossai_csr pairs_of;        /* each raw vertex: places in pairs */
	ossai_influence *pairs;
	size_t target_count;
	ossai_rigid map; /* from the node's space to that of the asset's mesh */
	bool is_mirrored;
	uint32_t *part_of_raw; /* which part of the node */
	uint32_t *first_of_part;
	size_t vertex_count;
	uint32_t *vertex_of_raw, *raw_of_vertex;
	ossai_arena scratch; /* all but the context's and what the asset keeps */
} parts;

static ossa_status no_memory(const parts *p) { return ossa_context_error(p->reader->context)->status; }

static const struct aiMesh *part_at(const parts *p, size_t part) { return p->reader->scene->mMeshes[p->node->mMeshes[part]]; }

/* the scene's space where the parts have bones, else the node's own */
static void find_map(parts *p, uint32_t node)
{
	bool is_skinned = false;
	ossai_rigid back;
	for (unsigned i = 0; i < p->node->mNumMeshes; i++) is_skinned = is_skinned || part_at(p, i)->mNumBones > 0;
	p->map = is_skinned ? p->reader->world[node] : ossai_affine_identity();
	if (!ossai_affine_inverse(&p->map, &back)) p->map = ossai_affine_identity();
	p->is_mirrored = ossai_mat3_det(&p->map.r) < 0;
}

/* ---- raw vertices ---- */

static ossa_status number_raw(parts *p)
{
	for (unsigned i = 0; i < p->node->mNumMeshes; i++) {
		if (p->node->mMeshes[i] >= p->reader->scene->mNumMeshes)
			return ossai_asset_fail(p->reader->asset, "a node has no mesh");
		p->raw_count += part_at(p, i)->mNumVertices;
		if (part_at(p, i)->mNumAnimMeshes > p->target_count) p->target_count = part_at(p, i)->mNumAnimMeshes;
	}
	if (p->raw_count >= OSSA_NONE) return ossai_asset_fail(p->reader->asset, "holds more than 2^32 corners");
	p->first_of_part = ossai_arena_new(&p->scratch, p->node->mNumMeshes, sizeof *p->first_of_part);
	p->part_of_raw = ossai_arena_new(&p->scratch, p->raw_count, sizeof *p->part_of_raw);
	if (!p->first_of_part || !p->part_of_raw) return no_memory(p);
	uint32_t raw = 0;
	for (unsigned i = 0; i < p->node->mNumMeshes; i++) {
		p->first_of_part[i] = raw;
		for (unsigned v = 0; v < part_at(p, i)->mNumVertices; v++) p->part_of_raw[raw++] = i;
	}
	return OSSA_OK;
}

/* the part and its own number of a raw vertex */
static const struct aiMesh *mesh_of_raw(const parts *p, uint32_t raw, uint32_t *own)
{
	*own = raw - p->first_of_part[p->part_of_raw[raw]];
	return part_at(p, p->part_of_raw[raw]);
}

static const struct aiVector3D *position_of(const parts *p, uint32_t raw)
{
	uint32_t own;
	return mesh_of_raw(p, raw, &own)->mVertices + own;
}

/* how a shape moves a raw vertex */
static void shape_of(const parts *p, uint32_t raw, size_t target, float delta[3])
{
	uint32_t own;
	const struct aiMesh *mesh = mesh_of_raw(p, raw, &own);
	const struct aiAnimMesh *shape = target < mesh->mNumAnimMeshes ? mesh->mAnimMeshes[target] : NULL;
	memset(delta, 0, 3 * sizeof *delta);
	if (!shape || !shape->mVertices || shape->mNumVertices != mesh->mNumVertices) return;
	delta[0] = shape->mVertices[own].x - mesh->mVertices[own].x;
	delta[1] = shape->mVertices[own].y - mesh->mVertices[own].y;
	delta[2] = shape->mVertices[own].z - mesh->mVertices[own].z;
}

/* ---- joints and weights ---- */

/* the joint of a bone, the same for all parts; OSSA_NONE where its node is not there */
static ossa_status find_joint(parts *p, const struct aiBone *bone, uint32_t *joint)
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

/* calls `use` for all weights of all parts */
static ossa_status each_weight(parts *p, void (*use)(parts *p, uint32_t raw, ossai_influence weight))
{
	for (unsigned i = 0; i < p->node->mNumMeshes; i++) {
		const struct aiMesh *mesh = part_at(p, i);
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

static void count_pair(parts *p, uint32_t raw, ossai_influence weight)
{
	(void)weight;
	ossai_csr_count(&p->pairs_of, raw);
}

static void place_pair(parts *p, uint32_t raw, ossai_influence weight) { p->pairs[ossai_csr_next(&p->pairs_of, raw)] = weight; }

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
static ossa_status sort_pairs(parts *p)
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

static uint64_t hash_of(const parts *p, uint32_t raw)
{
	const struct aiVector3D *place = position_of(p, raw);
	return mix(mix(mix(1, bits_of(place->x)), bits_of(place->y)), bits_of(place->z));
}

static bool is_same(const parts *p, uint32_t a, uint32_t b)
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
		shape_of(p, a, t, u);
		shape_of(p, b, t, v);
		if (!(u[0] == v[0] && u[1] == v[1] && u[2] == v[2])) return false;
	}
	return true;
}

/* an open hash table over the vertices found so far */
static ossa_status weld(parts *p)
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

/* ---- the mesh ---- */

static ossa_status put_vertices(const parts *p, ossai_builder *builder)
{
	for (size_t v = 0; v < p->vertex_count; v++) {
		uint32_t own;
		const struct aiMesh *mesh = mesh_of_raw(p, p->raw_of_vertex[v], &own);
		const struct aiVector3D *place = mesh->mVertices + own;
		const ossai_vec3 moved = ossai_rigid_point(&p->map, ossai_v3(place->x, place->y, place->z));
		OSSAI_TRY(ossai_builder_vertex(builder, (float[3]){(float)moved.x, (float)moved.y, (float)moved.z}));
		if (!mesh->mColors[0]) continue;
		const struct aiColor4D *color = mesh->mColors[0] + own;
		OSSAI_TRY(ossai_builder_color(builder, (float[4]){color->r, color->g, color->b, color->a}));
	}
	return OSSA_OK;
}

/* every corner has its own UV and normal */
static ossa_status put_corner(const parts *p, ossai_builder *builder, const struct aiMesh *mesh, uint32_t own, uint32_t vertex)
{
	uint32_t texcoord = OSSA_NONE, normal = OSSA_NONE;
	if (mesh->mTextureCoords[0]) {
		const struct aiVector3D *uv = mesh->mTextureCoords[0] + own;
		texcoord = (uint32_t)builder->mesh->texcoord_count;
		OSSAI_TRY(ossai_builder_texcoord(builder, uv->x, uv->y));
	}
	if (mesh->mNormals) {
		const struct aiVector3D *n = mesh->mNormals + own;
		const ossai_vec3 moved = ossai_affine_normal(&p->map.r, ossai_v3(n->x, n->y, n->z));
		normal = (uint32_t)builder->mesh->normal_count;
		OSSAI_TRY(ossai_builder_normal(builder, (float[3]){(float)moved.x, (float)moved.y, (float)moved.z}));
	}
	return ossai_builder_corner(builder, vertex, texcoord, normal);
}

static ossa_status put_faces(const parts *p, ossai_builder *builder, size_t part)
{
	const struct aiMesh *mesh = part_at(p, part);
	for (unsigned f = 0; f < mesh->mNumFaces; f++) {
		const struct aiFace *face = &mesh->mFaces[f];
		if (face->mNumIndices < 3) {
			p->reader->lines++;
			continue;
		}
		for (unsigned i = 0; i < face->mNumIndices; i++) {
			const uint32_t own = face->mIndices[p->is_mirrored ? face->mNumIndices - 1 - i : i];
			if (own >= mesh->mNumVertices) return ossai_asset_fail(p->reader->asset, "a face has a vertex that is not there");
			OSSAI_TRY(put_corner(p, builder, mesh, own, p->vertex_of_raw[p->first_of_part[part] + own]));
		}
		OSSAI_TRY(ossai_builder_polygon(builder));
	}
	return OSSA_OK;
}

static ossa_status put_material(const parts *p, ossai_builder *builder, size_t part)
{
	const unsigned index = part_at(p, part)->mMaterialIndex;
	const char *name = index < p->reader->scene->mNumMaterials ? p->reader->materials[index].data : "";
	return name[0] ? ossai_builder_material(builder, (ossai_word){name, strlen(name)}) : OSSA_OK;
}

static ossa_status put_all(const parts *p, ossai_builder *builder)
{
	OSSAI_TRY(put_vertices(p, builder));
	for (size_t i = 0; i < p->node->mNumMeshes; i++) {
		OSSAI_TRY(put_material(p, builder, i));
		OSSAI_TRY(put_faces(p, builder, i));
	}
	return OSSA_OK;
}

static ossa_status make_mesh(const parts *p, ossa_mesh **mesh)
{
	ossai_builder builder;
	const char *name = p->node->mName.data[0] ? p->node->mName.data : part_at(p, 0)->mName.data;
	OSSAI_TRY(ossai_builder_begin(p->reader->context, p->reader->source, OSSAI_PARTS_ALL, &builder));
	OSSAI_TRY(ossai_builder_end(&builder, put_all(p, &builder), mesh));
	ossai_name_copy((*mesh)->name, (ossai_word){name, strlen(name)});
	return OSSA_OK;
}

/* ---- skin and shapes ---- */

/* of a vertex with more weights than a rig holds the largest stay, in the order of the joints */
static size_t largest_pairs(const parts *p, uint32_t raw, ossai_influence kept[OSSAI_INFLUENCES_MAX])
{
	size_t count = 0;
	for (size_t i = p->pairs_of.start[raw]; i < p->pairs_of.start[raw + 1]; i++) {
		if (count < OSSAI_INFLUENCES_MAX) {
			kept[count++] = p->pairs[i];
			continue;
		}
		size_t least = 0;
		for (size_t k = 1; k < count; k++) least = kept[k].weight < kept[least].weight ? k : least;
		if (!(p->pairs[i].weight > kept[least].weight)) continue;
		memmove(kept + least, kept + least + 1, (count - 1 - least) * sizeof *kept);
		kept[count - 1] = p->pairs[i];
	}
	return count;
}

static ossa_status make_weights(const parts *p, ossai_asset_mesh *mesh)
{
	ossai_arena *arena = &p->reader->asset->arena;
	mesh->influences = 1;
	for (size_t v = 0; v < p->vertex_count; v++) {
		const uint32_t raw = p->raw_of_vertex[v];
		const size_t count = ossai_csr_size(&p->pairs_of, raw);
		if (count > mesh->influences) mesh->influences = count < OSSAI_INFLUENCES_MAX ? count : OSSAI_INFLUENCES_MAX;
	}
	mesh->joints = ossai_arena_zero(arena, p->vertex_count, mesh->influences * sizeof *mesh->joints);
	mesh->weights = ossai_arena_zero(arena, p->vertex_count, mesh->influences * sizeof *mesh->weights);
	if (!mesh->joints || !mesh->weights) return no_memory(p);
	for (size_t v = 0; v < p->vertex_count; v++) {
		ossai_influence kept[OSSAI_INFLUENCES_MAX];
		const size_t count = largest_pairs(p, p->raw_of_vertex[v], kept);
		for (size_t k = 0; k < count; k++) {
			mesh->joints[v * mesh->influences + k] = kept[k].joint;
			mesh->weights[v * mesh->influences + k] = (float)kept[k].weight;
		}
	}
	return OSSA_OK;
}

static ossa_status make_skin(const parts *p, ossai_asset_mesh *mesh)
{
	ossai_asset *asset = p->reader->asset;
	mesh->skin = OSSA_NONE;
	if (p->joint_count == 0) return OSSA_OK;
	ossai_asset_skin *skin = &asset->skins[asset->skin_count];
	skin->joints = ossai_arena_new(&asset->arena, p->joint_count, sizeof *skin->joints);
	skin->inverse_bind = ossai_arena_new(&asset->arena, p->joint_count, sizeof *skin->inverse_bind);
	if (!skin->joints || !skin->inverse_bind) return no_memory(p);
	memcpy(skin->joints, p->joints, p->joint_count * sizeof *skin->joints);
	memcpy(skin->inverse_bind, p->inverse_bind, p->joint_count * sizeof *skin->inverse_bind);
	skin->joint_count = p->joint_count;
	mesh->skin = (uint32_t)asset->skin_count++;
	return make_weights(p, mesh);
}

/* the name of a shape, from the first part that has it */
static const char *shape_name(const parts *p, size_t target)
{
	for (unsigned i = 0; i < p->node->mNumMeshes; i++) {
		if (target < part_at(p, i)->mNumAnimMeshes) return part_at(p, i)->mAnimMeshes[target]->mName.data;
	}
	return "";
}

/* assimp does not tell how far a shape is in at rest: not at all */
static ossa_status make_targets(const parts *p, ossai_asset_mesh *mesh)
{
	ossai_arena *arena = &p->reader->asset->arena;
	mesh->targets = ossai_arena_zero(arena, p->target_count, sizeof *mesh->targets);
	if (!mesh->targets) return no_memory(p);
	for (size_t t = 0; t < p->target_count; t++) {
		ossai_asset_target *target = &mesh->targets[t];
		const char *name = shape_name(p, t);
		target->name = ossai_asset_text(p->reader->asset, name, strlen(name));
		target->deltas = ossai_arena_new(arena, p->vertex_count, 3 * sizeof *target->deltas);
		if (!target->name || !target->deltas) return no_memory(p);
		for (size_t v = 0; v < p->vertex_count; v++) {
			float *delta = target->deltas + 3 * v;
			shape_of(p, p->raw_of_vertex[v], t, delta);
			const ossai_vec3 moved = ossai_mat3_mul_v(&p->map.r, ossai_v3_of_float(delta));
			delta[0] = (float)moved.x;
			delta[1] = (float)moved.y;
			delta[2] = (float)moved.z;
		}
	}
	mesh->target_count = p->target_count;
	return OSSA_OK;
}

/* ---- all meshes ---- */

static ossa_status read_parts(parts *p, uint32_t node)
{
	ossai_asset *asset = p->reader->asset;
	ossai_asset_mesh *mesh = &asset->meshes[asset->mesh_count];
	OSSAI_TRY(number_raw(p));
	find_map(p, node);
	OSSAI_TRY(sort_pairs(p));
	OSSAI_TRY(weld(p));
	OSSAI_TRY(make_mesh(p, &mesh->mesh));
	mesh->node = node;
	mesh->own_count = mesh->mesh->vertex_count;
	asset->mesh_count++;
	p->reader->mesh_of_node[node] = (uint32_t)asset->mesh_count - 1;
	OSSAI_TRY(make_skin(p, mesh));
	return make_targets(p, mesh);
}

/* whether anything of a node's meshes is a surface */
static bool has_faces(const ossai_assimp *reader, const struct aiNode *node)
{
	for (unsigned i = 0; i < node->mNumMeshes; i++) {
		if (node->mMeshes[i] >= reader->scene->mNumMeshes) return true;
		const struct aiMesh *mesh = reader->scene->mMeshes[node->mMeshes[i]];
		for (unsigned f = 0; f < mesh->mNumFaces; f++) {
			if (mesh->mFaces[f].mNumIndices >= 3) return true;
		}
	}
	return false;
}

static ossa_status read_node_mesh(ossai_assimp *reader, uint32_t node)
{
	parts p = {.reader = reader, .node = reader->nodes[node], .scratch = ossai_arena_begin(reader->context)};
	const ossa_status status = read_parts(&p, node);
	for (size_t j = 0; j < p.joint_count; j++) reader->joint_of_node[p.joints[j]] = OSSA_NONE;
	ossai_arena_end(&p.scratch);
	ossa_free(reader->context, p.joints);
	ossa_free(reader->context, p.inverse_bind);
	return status;
}

ossa_status ossai_assimp_read_meshes(ossai_assimp *reader)
{
	ossai_asset *asset = reader->asset;
	size_t count = 0;
	for (size_t n = 0; n < reader->node_count; n++) count += reader->nodes[n]->mNumMeshes > 0;
	asset->meshes = ossai_arena_zero(&asset->arena, count, sizeof *asset->meshes);
	asset->skins = ossai_arena_zero(&asset->arena, count, sizeof *asset->skins);
	if (!asset->meshes || !asset->skins) return ossa_context_error(reader->context)->status;
	for (uint32_t n = 0; n < reader->node_count; n++) {
		if (has_faces(reader, reader->nodes[n])) OSSAI_TRY(read_node_mesh(reader, n));
	}
	return OSSA_OK;
}
