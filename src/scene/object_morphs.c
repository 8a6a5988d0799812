/* scene/object_morphs.c: the morph targets of a mesh, object by object: see objects.h.

   Place in the path: the end of splitting a mesh.
   Input: targets of the whole mesh, which vertex of it each one of a part is.
   Output: targets of the parts. Each target is gone through once, however many objects there
   are. */
#include "base/csr.h"
#include "math/affine.h"
#include "scene/mesh.h"
#include "scene/objects.h"

#include <string.h>

typedef struct morph_job {
	ossai_arena *arena; /* of the result */
	ossai_arena scratch;
	const ossa_mesh *mesh;
	const ossai_object_parts *parts;
	ossa_mesh *meshes;
	/* by vertex of the mesh: where it is in the parts, an index into the two below */
	ossai_csr places;
	uint32_t *part_of;  /* by place */
	uint32_t *number;   /* by place: the part's vertex */
	uint32_t *stamp;    /* by part: the last target that moves it, from 1 on */
	uint32_t **numbers; /* by part, by its target: the whole mesh's */
	ossai_mat3 *inward; /* by part: from the mesh's space to the part's */
} morph_job;

static ossa_status last_error(const morph_job *job) { return ossa_context_error(job->arena->context)->status; }

static ossa_status find_places(morph_job *job)
{
	size_t total = 0, at = 0;
	for (size_t i = 0; i < job->parts->count; i++) total += job->meshes[i].vertex_count;
	uint32_t *vertex = ossai_arena_new(&job->scratch, total, sizeof *vertex);
	job->part_of = ossai_arena_new(&job->scratch, total, sizeof *job->part_of);
	job->number = ossai_arena_new(&job->scratch, total, sizeof *job->number);
	job->stamp = ossai_arena_zero(&job->scratch, job->parts->count, sizeof *job->stamp);
	job->inward = ossai_arena_new(&job->scratch, job->parts->count, sizeof *job->inward);
	job->numbers = ossai_arena_new(&job->scratch, job->parts->count, sizeof *job->numbers);
	if (!job->numbers || !vertex || !job->part_of || !job->number || !job->stamp || !job->inward) return last_error(job);
	for (size_t i = 0; i < job->parts->count; i++) {
		ossai_rigid back = ossai_affine_identity();
		ossai_affine_inverse(&job->parts->items[i].transform, &back);
		job->inward[i] = back.r;
		for (size_t v = 0; v < job->meshes[i].vertex_count; v++, at++) {
			vertex[at] = job->parts->items[i].vertices[v];
			job->part_of[at] = (uint32_t)i;
			job->number[at] = (uint32_t)v;
		}
	}
	return ossai_csr_of_keys(&job->scratch, job->mesh->vertex_count, total, vertex, &job->places);
}

/* calls `use` for each vertex of each part that a target moves */
static void each_moved(morph_job *job, size_t m, void (*use)(morph_job *job, size_t m, size_t i, uint32_t place))
{
	const ossa_morph *morph = &job->mesh->morphs[m];
	for (size_t i = 0; i < morph->count; i++) {
		const uint32_t v = morph->vertices[i];
		for (uint32_t k = job->places.start[v]; k < job->places.start[v + 1]; k++) use(job, m, i, job->places.item[k]);
	}
}

static void count_target(morph_job *job, size_t m, size_t i, uint32_t place)
{
	const uint32_t part = job->part_of[place];
	(void)i;
	job->meshes[part].morph_count += job->stamp[part] != m + 1;
	job->stamp[part] = (uint32_t)m + 1;
}

/* the part's targets are filled one after the other: this one is the last */
static void count_vertex(morph_job *job, size_t m, size_t i, uint32_t place)
{
	ossa_mesh *mesh = &job->meshes[job->part_of[place]];
	uint32_t *stamp = &job->stamp[job->part_of[place]];
	(void)i;
	if (*stamp != m + 1) {
		ossa_morph *made = &mesh->morphs[mesh->morph_count];
		job->numbers[job->part_of[place]][mesh->morph_count++] = (uint32_t)m;
		memcpy(made->name, job->mesh->morphs[m].name, sizeof made->name);
		made->weight = job->mesh->morphs[m].weight;
		made->driver = job->mesh->morphs[m].driver;
		*stamp = (uint32_t)m + 1;
	}
	mesh->morphs[mesh->morph_count - 1].count++;
}

static void put_vertex(morph_job *job, size_t m, size_t i, uint32_t place)
{
	const uint32_t part = job->part_of[place];
	ossa_morph *made = &job->meshes[part].morphs[job->meshes[part].morph_count - 1];
	const ossai_vec3 delta = ossai_v3_of_float(job->mesh->morphs[m].deltas + 3 * i);
	const ossai_vec3 own = ossai_mat3_mul_v(&job->inward[part], delta);
	float *to = made->deltas + 3 * made->count;
	to[0] = (float)own.x;
	to[1] = (float)own.y;
	to[2] = (float)own.z;
	made->vertices[made->count++] = job->number[place];
}

/* memory for what the last target of a part moves; once: `deltas` is NULL before */
static ossa_status make_lists(morph_job *job, size_t m)
{
	for (size_t i = 0; i < job->parts->count; i++) {
		if (job->stamp[i] != m + 1) continue;
		ossa_morph *made = &job->meshes[i].morphs[job->meshes[i].morph_count - 1];
		made->vertices = ossai_arena_new(job->arena, made->count, sizeof *made->vertices);
		made->deltas = ossai_arena_new(job->arena, made->count, 3 * sizeof *made->deltas);
		if (!made->vertices || !made->deltas) return last_error(job);
		made->count = 0;
	}
	return OSSA_OK;
}

static ossa_status make_targets(morph_job *job)
{
	for (size_t m = 0; m < job->mesh->morph_count; m++) each_moved(job, m, count_target);
	for (size_t m = 0; m < job->mesh->morph_count; m++) job->meshes[0].morph_count += job->mesh->morphs[m].count == 0;
	for (size_t i = 0; i < job->parts->count; i++) {
		ossa_mesh *mesh = &job->meshes[i];
		mesh->morphs = ossai_arena_zero(job->arena, mesh->morph_count, sizeof *mesh->morphs);
		job->numbers[i] = ossai_arena_new(job->arena, mesh->morph_count, sizeof *job->numbers[i]);
		if (!mesh->morphs || !job->numbers[i]) return last_error(job);
		job->parts->items[i].morphs = job->numbers[i];
		mesh->morph_count = 0;
		job->stamp[i] = 0;
	}
	for (size_t m = 0; m < job->mesh->morph_count; m++) {
		if (job->mesh->morphs[m].count == 0) {
			job->numbers[0][job->meshes[0].morph_count] = (uint32_t)m;
			job->meshes[0].morphs[job->meshes[0].morph_count++] = job->mesh->morphs[m];
		}
		each_moved(job, m, count_vertex);
		OSSAI_TRY(make_lists(job, m));
		each_moved(job, m, put_vertex);
	}
	return OSSA_OK;
}

ossa_status ossai_object_morphs(ossai_arena *arena, const ossa_mesh *mesh, const ossai_object_parts *parts, ossa_mesh *meshes)
{
	if (mesh->morph_count == 0 || parts->count == 0) return OSSA_OK;
	morph_job job = {
		.arena = arena, .scratch = ossai_arena_begin(arena->context), .mesh = mesh, .parts = parts, .meshes = meshes};
	ossa_status status = find_places(&job);
	if (status == OSSA_OK) status = make_targets(&job);
	ossai_arena_end(&job.scratch);
	return status;
}

ossa_status ossai_objects_take_off_morphs(ossai_arena *arena, ossai_object_parts *parts)
{
	for (size_t i = 0; i < parts->count; i++) {
		ossai_object_part *part = &parts->items[i];
		if (!ossai_morphs_weigh(part->mesh)) continue;
		float *base = ossai_morphs_base(arena, part->mesh, part->positions ? part->positions : part->mesh->positions);
		ossa_mesh *own = ossai_arena_new(arena, 1, sizeof *own);
		if (!base || !own) return ossa_context_error(arena->context)->status;
		*own = *part->mesh;
		own->positions = base;
		part->mesh = own;
		/* a mesh that is posed stays one whose normals are not its own */
		if (part->positions) part->positions = base;
	}
	return OSSA_OK;
}
