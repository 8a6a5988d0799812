/* import/asset/asset_frames.c: the vertices of an asset in every frame of its animation.

   Place in the path: the end of the asset layer.
   Input: meshes, skins with their matrices, morph targets, stored samples, the chosen animation.
   Output: the mesh at rest and the same vertices in one frame after the other, welding those that
   always coincide where that is wanted; asset_animation.c has all frames in one. */
#include "import/asset/asset_parts.h"

#include "base/scan.h"
#include "base/search.h"
#include "mesh/bounds.h"
#include "scene/document.h"

#include <string.h>

enum { VERTICES_PER_RANGE = 4096 };

/* vertices that move less than this share of the diagonal are static */
static const double still = 1e-6;

typedef struct ossai_asset_motion {
	ossai_asset *asset;
	ossai_bones bones;
	ossai_blocks blocks;
	ossai_takes takes;
	size_t posed_take; /* whose channels have moved the pose */
	ossai_pose pose;
	ossai_rigid root_back; /* inverse of where the root was when meshes were bound */
	/* by joint of the current mesh, and after them that of vertices without weights */
	ossai_rigid *maps;
	float *shape;      /* the current mesh, morphed or read from its samples */
	float *next;       /* the sample after it */
	size_t kept_count; /* of welded vertices: those that are kept */
	uint32_t *kept;    /* NULL: all do */
	float *all;        /* V x 3: before they are picked */
	/* targets of the joined mesh that move in the file and are at rest in the frames; 0: none */
	size_t morph_count;
	double *weights; /* of the targets of all meshes, apart from the pose */
} evaluation;

/* ---- what moves ---- */

/* nodes that move a mesh, and all above them */
static void mark_movers(const evaluation *e, uint8_t *marks)
{
	const ossai_asset *asset = e->asset;
	for (size_t m = 0; m < asset->mesh_count; m++) {
		const ossai_asset_mesh *mesh = &asset->meshes[m];
		if (mesh->skin == OSSA_NONE) {
			if (mesh->node != OSSA_NONE) marks[mesh->node] = 1;
			continue;
		}
		const ossai_asset_skin *skin = &asset->skins[mesh->skin];
		for (size_t j = 0; j < skin->joint_count; j++) marks[skin->joints[j]] = 1;
	}
	/* vertices without weights follow the root */
	if (e->bones.count > 0 && e->bones.node[0] != OSSA_NONE) marks[e->bones.node[0]] = 1;
	ossai_asset_mark_above(asset, marks);
}

static ossa_status make_takes(evaluation *e, const ossa_read_options *options)
{
	ossai_asset *asset = e->asset;
	uint8_t *marks = ossai_arena_zero(&asset->arena, asset->node_count, 1);
	if (!marks) return ossa_context_error(asset->context)->status;
	mark_movers(e, marks);
	return ossai_takes_make(asset, options, marks, &e->takes);
}

/* ---- shapes ---- */

static ossa_status read_sample(const evaluation *e, const ossai_asset_mesh *mesh, size_t sample, float *positions)
{
	OSSAI_TRY(mesh->read_sample(e->asset->reader, mesh, sample, positions));
	for (size_t i = 0; i < 3 * mesh->mesh->vertex_count; i++) {
		if (isfinite(positions[i])) continue;
		return ossai_asset_fail(
			e->asset, "sample %zu of mesh \"%s\": the place of vertex %zu is not finite", sample + 1, mesh->mesh->name, i / 3);
	}
	return OSSA_OK;
}

/* stored positions at a time: linear between two samples */
static ossa_status sampled_shape(evaluation *e, const ossai_asset_mesh *mesh, double time)
{
	const size_t low = ossai_search_double(mesh->sample_times, mesh->sample_count, time);
	OSSAI_TRY(read_sample(e, mesh, low, e->shape));
	const double past = time - mesh->sample_times[low];
	if (low + 1 >= mesh->sample_count || past <= 1e-6) return OSSA_OK;
	const double share = past / (mesh->sample_times[low + 1] - mesh->sample_times[low]);
	OSSAI_TRY(read_sample(e, mesh, low + 1, e->next));
	for (size_t i = 0; i < 3 * mesh->mesh->vertex_count; i++) {
		e->shape[i] = (float)((double)e->shape[i] + share * ((double)e->next[i] - (double)e->shape[i]));
	}
	return OSSA_OK;
}

/* the mesh's own positions at a time */
static ossa_status find_shape(evaluation *e, size_t m, double time, const float **shape)
{
	const ossai_asset_mesh *mesh = &e->asset->meshes[m];
	*shape = mesh->mesh->positions;
	if (mesh->sample_count == 0 && mesh->target_count == 0) return OSSA_OK;
	*shape = e->shape;
	if (mesh->sample_count > 0) return sampled_shape(e, mesh, time);
	ossai_mesh_morph(mesh, e->pose.weights + e->pose.first_weight[m], e->shape);
	return OSSA_OK;
}

/* ---- places ---- */

typedef struct place_job {
	const ossai_asset_mesh *mesh;
	const ossai_rigid *maps;
	size_t loose; /* index of the map of vertices without weights */
	const float *from;
	float *to;
} place_job;

static void store_point(ossai_vec3 p, float *to)
{
	to[0] = (float)p.x;
	to[1] = (float)p.y;
	to[2] = (float)p.z;
}

static void skin_range(void *arg, size_t begin, size_t end)
{
	const place_job *job = arg;
	const size_t width = job->mesh->influences;
	for (size_t v = begin; v < end; v++) {
		const ossai_vec3 p = ossai_v3_of_float(job->from + 3 * v);
		ossai_vec3 sum = {0, 0, 0};
		size_t i = v * width;
		for (; i < (v + 1) * width && job->mesh->weights[i] > 0; i++) {
			sum = ossai_madd(sum, (double)job->mesh->weights[i], ossai_rigid_point(&job->maps[job->mesh->joints[i]], p));
		}
		if (i == v * width) sum = ossai_rigid_point(&job->maps[job->loose], p);
		store_point(sum, job->to + 3 * v);
	}
}

static void move_range(void *arg, size_t begin, size_t end)
{
	const place_job *job = arg;
	for (size_t v = begin; v < end; v++) {
		store_point(ossai_rigid_point(job->maps, ossai_v3_of_float(job->from + 3 * v)), job->to + 3 * v);
	}
}

/* vertices without weights follow the root; an added one does not move */
static ossai_rigid loose_map(const evaluation *e, const ossai_block *block)
{
	const uint32_t root = e->bones.node[0];
	if (root == OSSA_NONE) return block->map;
	const ossai_rigid moved = ossai_rigid_mul(&e->pose.world[root], &e->root_back);
	return ossai_rigid_mul(&moved, &e->bones.skin_map[block->from->skin]);
}

static void place_block(evaluation *e, const ossai_block *block, const float *shape, float *to)
{
	const ossai_asset_mesh *mesh = block->from;
	place_job job = {.mesh = mesh, .maps = e->maps, .from = shape, .to = to};
	if (mesh->skin == OSSA_NONE) {
		e->maps[0] = mesh->node == OSSA_NONE ? e->asset->space : e->pose.world[mesh->node];
		ossai_parallel_for(e->asset->context, block->own, VERTICES_PER_RANGE, move_range, &job);
		return;
	}
	const ossai_asset_skin *skin = &e->asset->skins[mesh->skin];
	for (size_t j = 0; j < skin->joint_count; j++) {
		e->maps[j] = ossai_rigid_mul(&e->pose.world[skin->joints[j]], &skin->inverse_bind[j]);
	}
	job.loose = skin->joint_count;
	e->maps[job.loose] = loose_map(e, block);
	ossai_parallel_for(e->asset->context, block->own, VERTICES_PER_RANGE, skin_range, &job);
}

/* what one animation moves is at rest in another that does not; returns the time in its own */
static double move_pose(evaluation *e, size_t frame)
{
	const size_t index = ossai_takes_find(&e->takes, frame);
	const ossai_take *take = &e->takes.items[index];
	const double time = take->times[frame - e->takes.first[index]];
	if (index != e->posed_take) ossai_pose_rest(&e->pose);
	e->posed_take = index;
	ossai_pose_move(&e->pose, take, time);
	return time;
}

/* all vertices, joined or not */
static ossa_status place_all(evaluation *motion, size_t frame, float *positions)
{
	const double time = move_pose(motion, frame);
	for (size_t b = 0; b < motion->blocks.count; b++) {
		const float *shape;
		OSSAI_TRY(find_shape(motion, b, time, &shape));
		place_block(motion, &motion->blocks.items[b], shape, positions + 3 * motion->blocks.items[b].base);
	}
	if (ossai_all_finite(positions, 3 * motion->blocks.vertex_count)) return OSSA_OK;
	size_t i = 0;
	while (isfinite(positions[i])) i++;
	return ossai_asset_fail(motion->asset, "frame %zu moves vertex %zu out of the range of numbers", frame + 1, i / 3);
}

ossa_status ossai_asset_motion_frame(ossai_asset_motion *motion, size_t frame, float *positions)
{
	if (!motion->kept) return place_all(motion, frame, positions);
	OSSAI_TRY(place_all(motion, frame, motion->all));
	for (size_t v = 0; v < motion->kept_count; v++) {
		memcpy(positions + 3 * v, motion->all + 3 * (size_t)motion->kept[v], 3 * sizeof *positions);
	}
	return OSSA_OK;
}

/* ---- beginning ---- */

static ossa_status reserve(evaluation *e)
{
	ossai_asset *asset = e->asset;
	size_t joints = 1, vertices = 0, sampled = 0;
	for (size_t s = 0; s < asset->skin_count; s++) {
		if (asset->skins[s].joint_count + 1 > joints) joints = asset->skins[s].joint_count + 1;
	}
	for (size_t m = 0; m < asset->mesh_count; m++) {
		const size_t count = asset->meshes[m].mesh->vertex_count;
		if ((asset->meshes[m].sample_count > 0 || asset->meshes[m].target_count > 0) && count > vertices) vertices = count;
		if (asset->meshes[m].sample_count > 0 && count > sampled) sampled = count;
	}
	e->maps = ossai_arena_new(&asset->arena, joints, sizeof *e->maps);
	e->shape = ossai_arena_new(&asset->arena, vertices, 3 * sizeof *e->shape);
	e->next = ossai_arena_new(&asset->arena, sampled, 3 * sizeof *e->next);
	if (!e->maps || !e->shape || !e->next) return ossa_context_error(asset->context)->status;
	e->root_back = ossai_affine_identity();
	if (e->bones.count > 0) ossai_affine_inverse(&e->bones.affine[0], &e->root_back);
	return ossai_pose_begin(asset, &e->pose);
}

/* whether a vertex has left its rest position */
static bool moves(const ossa_mesh *mesh, const float *positions, double most)
{
	for (size_t i = 0; i < 3 * mesh->vertex_count; i++) {
		if (fabs((double)positions[i] - (double)mesh->positions[i]) > most) return true;
	}
	return false;
}

/* reads frames until something moves: where nothing ever does, there are none */
static ossa_status find_motion(evaluation *e, const ossa_mesh *mesh)
{
	ossa_context *context = e->asset->context;
	const double most = still * ossai_bounds_make(mesh->vertex_count, mesh->positions).diagonal;
	float *positions = ossai_new(context, mesh->vertex_count, 3 * sizeof *positions);
	if (!positions) return ossa_context_error(context)->status;
	ossa_status status = OSSA_OK;
	bool found = false;
	for (size_t f = 0; f < e->takes.frame_count && !found && status == OSSA_OK; f++) {
		status = ossai_asset_motion_frame(e, f, positions);
		found = status == OSSA_OK && moves(mesh, positions, most);
		if (status == OSSA_OK) status = ossai_progress(context, 0);
	}
	ossa_free(context, positions);
	if (status == OSSA_OK && !found && e->asset->clip_count > 1) {
		ossai_warn(context, "still-clip", 1,
			"%s: nothing moves in its animation \"%s\", one of %zu: choose another where motion is wanted (`clip`)",
			e->asset->path, e->takes.name ? e->takes.name : "", e->asset->clip_count);
	}
	if (!found) e->takes.count = e->takes.frame_count = 0;
	return status;
}

/* a glTF file is written with the motion of its targets: there the writers of others warn */
void ossai_asset_motion_warn(const ossai_asset_motion *motion, const ossa_mesh *mesh)
{
	const size_t count = ossai_takes_left_out(&motion->takes);
	if (count == 0 || mesh->document) return;
	ossai_warn(motion->asset->context, "shapes-dropped", (int64_t)count,
		"%s: the motion of morph targets is left out, so that bones do not follow it: shapes are at rest in all frames "
		"(`morphs frames` has them there)",
		motion->asset->path);
}

/* ---- morph targets that frames leave at rest ---- */

static ossa_status begin_morphs(evaluation *e, const ossa_mesh *mesh)
{
	size_t count = 0;
	if (ossai_takes_left_out(&e->takes) == 0 || mesh->vertex_count == 0) return OSSA_OK;
	OSSAI_TRY(ossai_asset_charge(e->asset, e->takes.frame_count, 2 * mesh->morph_count * sizeof(double)));
	for (size_t m = 0; m < e->asset->mesh_count; m++) count += e->asset->meshes[m].target_count;
	e->weights = ossai_arena_new(&e->asset->arena, count, sizeof *e->weights);
	if (!e->weights) return ossa_context_error(e->asset->context)->status;
	e->morph_count = mesh->morph_count;
	return mesh->document ? ossai_takes_note_morphs(&e->pose, &e->takes, e->weights, mesh) : OSSA_OK;
}

size_t ossai_asset_motion_morph_count(const ossai_asset_motion *motion) { return motion->morph_count; }

void ossai_asset_motion_weights(ossai_asset_motion *motion, size_t frame, double *weights)
{
	ossai_takes_weights(&motion->pose, &motion->takes, frame, motion->weights, weights);
}

/* frames begin at 0 */
static void note_take(const evaluation *e, size_t index, ossa_document *document)
{
	const ossai_take *take = &e->takes.items[index];
	ossai_document_read_frames(document, e->takes.clips[index], take->times[0], !e->takes.keeps_morphs);
	document->kept_morphs += take->left_out;
}

static ossa_status begin_motion(evaluation *e, const ossa_read_options *options, ossa_mesh **mesh)
{
	ossai_asset *asset = e->asset;
	OSSAI_TRY(ossai_bones_make(asset, &e->bones));
	OSSAI_TRY(ossai_blocks_make(asset, &e->bones, &e->blocks));
	OSSAI_TRY(ossai_asset_clean_weights(asset));
	OSSAI_TRY(make_takes(e, options));
	const size_t frames = e->takes.frame_count, vertices = e->blocks.vertex_count;
	if (frames > 0 && vertices > 0) {
		OSSAI_TRY(reserve(e));
		if (frames > SIZE_MAX / 12 / vertices) return ossai_asset_charge(asset, frames, SIZE_MAX);
		OSSAI_TRY(ossai_asset_charge(asset, frames * vertices, 3 * sizeof(float)));
	}
	OSSAI_TRY(ossai_blocks_join_kept(asset, &e->bones, &e->blocks, mesh));
	if (vertices > 0) OSSAI_TRY(find_motion(e, *mesh));
	for (size_t i = 0; (*mesh)->document && i < e->takes.count; i++) note_take(e, i, (*mesh)->document);
	return begin_morphs(e, *mesh);
}

ossa_status ossai_asset_motion_begin(
	ossai_asset *asset, const ossa_read_options *options, ossa_mesh **mesh, ossai_asset_motion **motion)
{
	*mesh = NULL;
	*motion = NULL;
	evaluation *e = ossai_arena_zero(&asset->arena, 1, sizeof *e);
	if (!e) return ossa_context_error(asset->context)->status;
	e->asset = asset;
	const ossa_status status = begin_motion(e, options, mesh);
	if (status == OSSA_OK) {
		*motion = e;
		return OSSA_OK;
	}
	ossa_mesh_free(asset->context, *mesh);
	*mesh = NULL;
	return status;
}

static ossa_status read_frame(void *user, size_t frame, float *positions)
{
	return ossai_asset_motion_frame(user, frame, positions);
}

ossa_status ossai_asset_motion_weld(ossai_asset_motion *motion, ossa_mesh *mesh)
{
	ossai_arena *arena = &motion->asset->arena;
	uint32_t *kept;
	OSSAI_TRY(ossai_mesh_weld(arena, mesh, motion->takes.frame_count, read_frame, motion, &motion->kept_count, &kept));
	if (motion->kept_count == motion->blocks.vertex_count) return OSSA_OK;
	motion->all = ossai_arena_new(arena, motion->blocks.vertex_count, 3 * sizeof *motion->all);
	if (!motion->all) return ossa_context_error(motion->asset->context)->status;
	motion->kept = kept;
	return OSSA_OK;
}

size_t ossai_asset_motion_count(const ossai_asset_motion *motion) { return motion->takes.frame_count; }

double ossai_asset_motion_time(const ossai_asset_motion *motion, size_t frame)
{
	return ossai_takes_time(&motion->takes, frame);
}

/* the animation's name, else the file's */
static void name_take(const ossai_asset_motion *motion, const char *own, char name[64])
{
	if (own) ossai_name_copy(name, (ossai_word){own, strlen(own)});
	if (!own || !name[0]) ossai_name_of_path(name, motion->asset->path);
}

void ossai_asset_motion_name(const ossai_asset_motion *motion, char name[64]) { name_take(motion, motion->takes.name, name); }

size_t ossai_asset_motion_take_count(const ossai_asset_motion *motion) { return motion->takes.count; }

ossa_take ossai_asset_motion_take(const ossai_asset_motion *motion, size_t index)
{
	const ossai_takes *takes = &motion->takes;
	ossa_take take = {.first = takes->first[index], .frame_count = takes->items[index].frame_count};
	name_take(motion, takes->items[index].name, take.name);
	return take;
}
