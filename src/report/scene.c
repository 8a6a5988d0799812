/* report/scene.c: a rig in one pose as coloured solids in unit space: see scene.h. */
#include "report/scene.h"
#include "report/ramp.h"
#include "report/roles.h"
#include "mesh/bounds.h"
#include "rig/clip_morphs.h"
#include "scene/frame_stream.h"
#include <ossa/metrics.h>

#include <math.h>
#include <string.h>

enum { VERTICES_PER_RANGE = 4096, REST = OSSAI_SCENE_REST, NOT_LOADED = -2 };

static const ossai_light plain_light = {0.60f, 0.57f, 0.52f};

/* ---- colours ---- */

typedef struct color_job {
	const ossa_weights *weights;
	const ossai_color *bone_colors;
	ossai_light *lights;
} color_job;

/* vertices by the blend of their bones' colours */
static void color_range(void *arg, size_t begin, size_t end)
{
	const color_job *job = arg;
	const size_t influences = (size_t)job->weights->influences;
	for (size_t v = begin; v < end; v++) {
		ossai_color mix = {0, 0, 0};
		for (size_t i = v * influences; i < (v + 1) * influences; i++) {
			const ossai_color color = job->bone_colors[job->weights->bones[i]];
			const float weight = job->weights->values[i];
			mix = (ossai_color){mix.l + weight * color.l, mix.a + weight * color.a, mix.b + weight * color.b};
		}
		job->lights[v] = ossai_color_light(mix);
	}
}

static ossa_status color_by_bones(ossai_scene *s)
{
	const ossa_rig *rig = s->subject.rig;
	ossai_color *bone_colors = ossai_new(s->context, rig->skeleton.bone_count, sizeof *bone_colors);
	if (!bone_colors) return ossa_context_error(s->context)->status;
	if (s->color == OSSA_PICTURE_ROLES) ossai_palette_roles(&rig->skeleton, bone_colors);
	else ossai_palette_bones(&rig->skeleton, bone_colors);
	color_job job = {&rig->weights, bone_colors, s->solid.colors};
	ossai_parallel_for(s->context, s->solid.vertex_count, VERTICES_PER_RANGE, color_range, &job);
	ossa_free(s->context, bone_colors);
	return OSSA_OK;
}

/* whole faces: a cluster's border runs along edges */
static ossa_status color_by_clusters(ossai_arena *arena, ossai_scene *s, int wanted)
{
	const ossa_mesh *mesh = s->subject.rig->mesh;
	size_t count = 0;
	uint32_t *cluster = ossai_arena_new(arena, mesh->triangle_count, sizeof *cluster);
	s->solid.face_colors = ossai_arena_new(arena, mesh->triangle_count, sizeof *s->solid.face_colors);
	if (!cluster || !s->solid.face_colors) return ossa_context_error(s->context)->status;
	OSSAI_TRY(ossa_rig_clusters(s->context, s->subject.rig, (size_t)wanted, cluster, &count));
	ossai_color *colors = ossai_arena_new(arena, count, sizeof *colors);
	if (!colors) return ossa_context_error(s->context)->status;
	OSSAI_TRY(ossai_palette_regions(arena, s->solid.vertex_count, &s->around, cluster, count, colors));
	for (size_t f = 0; f < mesh->triangle_count; f++) s->solid.face_colors[f] = ossai_color_light(colors[cluster[f]]);
	return OSSA_OK;
}

typedef struct ramp_job {
	const ossai_scene *scene;
	double inverse_top;
} ramp_job;

static void ramp_range(void *arg, size_t begin, size_t end)
{
	const ramp_job *job = arg;
	for (size_t v = begin; v < end; v++) {
		job->scene->solid.colors[v] = ossai_color_light(ossai_ramp_color(job->inverse_top * job->scene->values[v]));
	}
}

/* a vertex may name the bone more than once */
static void find_weights(ossai_scene *s)
{
	const ossa_weights *weights = &s->subject.rig->weights;
	const size_t influences = (size_t)weights->influences;
	for (size_t v = 0; v < s->solid.vertex_count; v++) {
		s->values[v] = 0;
		for (size_t i = v * influences; i < (v + 1) * influences; i++) {
			if (weights->bones[i] == s->subject.bone) s->values[v] += weights->values[i];
		}
	}
}

static void find_largest(ossai_scene *s)
{
	s->largest = 0;
	for (size_t v = 0; v < s->solid.vertex_count; v++) {
		const bool in_face = s->around.start[v + 1] > s->around.start[v];
		if (in_face) s->largest = fmax(s->largest, (double)s->values[v]);
	}
}

/* a mesh that has no looks stays plain */
static ossa_status color_by_materials(ossai_arena *arena, ossai_scene *s)
{
	const ossa_mesh *mesh = s->subject.rig->mesh;
	if (!mesh->appearance && !mesh->colors) return OSSA_OK;
	ossai_looks *looks = ossai_arena_new(arena, 1, sizeof *looks);
	if (!looks) return ossa_context_error(s->context)->status;
	s->solid.looks = looks;
	return ossai_looks_make(s->context, arena, mesh, looks);
}

/* what does not change from frame to frame */
static ossa_status color_once(ossai_arena *arena, ossai_scene *s, const ossa_picture_options *options)
{
	if (s->color == OSSA_PICTURE_BONES || s->color == OSSA_PICTURE_ROLES) return color_by_bones(s);
	for (size_t v = 0; v < s->solid.vertex_count; v++) s->solid.colors[v] = plain_light;
	if (s->color == OSSA_PICTURE_MATERIALS) return color_by_materials(arena, s);
	if (s->color == OSSA_PICTURE_WEIGHTS) {
		find_weights(s);
		find_largest(s);
	}
	return s->color == OSSA_PICTURE_CLUSTERS ? color_by_clusters(arena, s, options->clusters) : OSSA_OK;
}

/* ---- making ---- */

/* which bones are drawn, and which of them are leaves: those with weights, and the paths to them
   from the root */
static ossa_status find_shown(ossai_arena *arena, ossai_scene *s)
{
	const ossa_rig *rig = s->subject.rig;
	const size_t bones = rig->skeleton.bone_count, pairs = rig->weights.vertex_count * (size_t)rig->weights.influences;
	uint8_t *shown = ossai_arena_zero(arena, bones, sizeof *shown);
	uint8_t *ends = shown ? ossai_arena_new(arena, bones, sizeof *ends) : NULL;
	if (!ends) return ossa_context_error(s->context)->status;
	memset(ends, 1, bones);
	shown[0] = 1;
	for (size_t i = 0; i < pairs; i++) shown[rig->weights.bones[i]] |= rig->weights.values[i] > 0;
	for (size_t b = bones - 1; b > 0; b--) {
		const int32_t parent = rig->skeleton.bones[b].parent;
		shown[parent] |= shown[b];
		ends[parent] &= (uint8_t)!shown[b];
	}
	s->bones.shown = shown;
	s->bones.ends = ends;
	return OSSA_OK;
}

static ossa_status take_arrays(ossai_arena *arena, ossai_scene *s)
{
	const size_t vertices = s->solid.vertex_count, bones = s->subject.rig->skeleton.bone_count;
	const bool ramp = s->color == OSSA_PICTURE_WEIGHTS || s->color == OSSA_PICTURE_ERROR;
	s->solid.positions = ossai_arena_new(arena, vertices, 3 * sizeof(float));
	s->solid.normals = ossai_arena_new(arena, vertices, 3 * sizeof(float));
	s->solid.colors = ossai_arena_new(arena, vertices, sizeof *s->solid.colors);
	s->bones.joints = ossai_arena_new(arena, bones, 3 * sizeof(float));
	s->bones.tails = ossai_arena_new(arena, bones, 3 * sizeof(float));
	s->bone_points = ossai_arena_new(arena, bones, 6 * sizeof(float));
	s->rest_joints = ossai_arena_new(arena, bones, 12 * sizeof(double));
	s->posed_joints = ossai_arena_new(arena, bones, 12 * sizeof(double));
	bool all = s->solid.positions && s->solid.normals && s->solid.colors && s->bones.joints && s->bones.tails &&
		s->bone_points && s->rest_joints && s->posed_joints;
	if (ramp) all = (s->values = ossai_arena_zero(arena, vertices, sizeof *s->values)) && all;
	if (s->color == OSSA_PICTURE_ERROR) all = (s->target = ossai_arena_new(arena, vertices, 3 * sizeof(float))) && all;
	return all ? OSSA_OK : ossa_context_error(s->context)->status;
}

ossa_status ossai_scene_make(ossa_context *context, ossai_arena *arena, const ossa_picture_subject *subject,
	const ossa_picture_options *options, ossai_scene *s)
{
	const ossa_rig *rig = subject->rig;
	const ossa_mesh *mesh = rig->mesh;
	*s = (ossai_scene){.context = context, .subject = *subject, .color = options->color, .loaded = NOT_LOADED};
	if (!s->subject.clip) s->subject.clip = rig->clip;
	s->solid = (ossai_solid){.vertex_count = mesh->vertex_count,
		.triangle_count = mesh->triangle_count,
		.triangles = mesh->triangles,
		.lit_count = mesh->triangle_count};
	s->bones.skeleton = &rig->skeleton;
	OSSAI_TRY(take_arrays(arena, s));
	OSSAI_TRY(find_shown(arena, s));
	OSSAI_TRY(ossai_vertex_faces_make(context, arena, mesh->vertex_count, mesh->triangle_count, mesh->triangles, &s->around));
	const ossai_bounds box = ossai_bounds_make(mesh->vertex_count, mesh->positions);
	s->center = ossai_lerp(box.minimum, box.maximum, 0.5);
	s->scale = box.diagonal > 0 ? 1 / box.diagonal : 1;
	ossa_rig_joint_matrices(rig, NULL, 0, s->rest_joints);
	return color_once(arena, s, options);
}

/* ---- a pose ---- */

typedef struct unit_job {
	const ossai_scene *scene;
	float *positions;
} unit_job;

static void store_unit(const ossai_scene *s, ossai_vec3 p, float *unit)
{
	const ossai_vec3 q = ossai_scale(ossai_sub(p, s->center), s->scale);
	unit[0] = (float)q.x;
	unit[1] = (float)q.y;
	unit[2] = (float)q.z;
}

static void unit_range(void *arg, size_t begin, size_t end)
{
	const unit_job *job = arg;
	for (size_t v = begin; v < end; v++) {
		store_unit(job->scene, ossai_v3_of_float(job->positions + 3 * v), job->positions + 3 * v);
	}
}

/* each bone's joint and tail where its matrix takes them */
static void pose_bones(ossai_scene *s)
{
	s->bone_point_count = 0;
	for (size_t b = 0; b < s->bones.skeleton->bone_count; b++) {
		const ossa_bone *bone = &s->bones.skeleton->bones[b];
		const ossai_rigid rest = ossai_rigid_of(s->rest_joints + 12 * b), posed = ossai_rigid_of(s->posed_joints + 12 * b);
		const ossai_vec3 local = ossai_mat3_tmul_v(&rest.r, ossai_sub(ossai_v3_of(bone->tail), rest.t));
		store_unit(s, posed.t, s->bones.joints + 3 * b);
		store_unit(s, ossai_rigid_point(&posed, local), s->bones.tails + 3 * b);
		if (!s->bones.shown[b]) continue;
		memcpy(s->bone_points + 3 * s->bone_point_count++, s->bones.joints + 3 * b, 3 * sizeof(float));
		if (s->bones.ends[b]) memcpy(s->bone_points + 3 * s->bone_point_count++, s->bones.tails + 3 * b, 3 * sizeof(float));
	}
}

static ossa_status find_errors(ossai_scene *s, size_t frame)
{
	OSSAI_TRY(ossa_frame_stream_read(s->context, s->subject.frames, frame, s->target));
	ossa_clip bare;
	const ossa_clip *clip = ossai_clip_for_frames(s->subject.clip, s->subject.frames->morphs_at_rest, &bare);
	OSSAI_TRY(ossa_rig_vertex_errors(s->context, s->subject.rig, NULL, clip, frame, s->target, s->values));
	find_largest(s);
	return OSSA_OK;
}

ossa_status ossai_scene_load(ossai_scene *s, int frame)
{
	if (s->loaded == frame) return OSSA_OK;
	const ossa_rig *rig = s->subject.rig;
	const ossa_clip *clip = frame == REST ? NULL : s->subject.clip;
	const size_t index = frame == REST ? 0 : (size_t)frame;
	s->loaded = NOT_LOADED;
	s->has_normals = false;
	OSSAI_TRY(ossa_rig_pose(s->context, rig, NULL, clip, index, s->solid.positions));
	unit_job job = {s, s->solid.positions};
	ossai_parallel_for(s->context, s->solid.vertex_count, VERTICES_PER_RANGE, unit_range, &job);
	ossa_rig_joint_matrices(rig, clip, index, s->posed_joints);
	pose_bones(s);
	if (s->color == OSSA_PICTURE_ERROR) OSSAI_TRY(find_errors(s, index));
	s->loaded = frame;
	return OSSA_OK;
}

void ossai_scene_finish(ossai_scene *s, double top)
{
	ramp_job job = {s, top > 0 ? 1 / top : 0};
	if (s->values) ossai_parallel_for(s->context, s->solid.vertex_count, VERTICES_PER_RANGE, ramp_range, &job);
	if (s->has_normals) return;
	ossai_vertex_normals(
		s->context, s->solid.vertex_count, s->solid.triangles, &s->around, s->solid.positions, s->solid.normals);
	s->has_normals = true;
}
