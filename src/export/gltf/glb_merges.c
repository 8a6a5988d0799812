/* export/gltf/glb_merges.c: which faces moved together, for splitting bones later: the end of the
   merge hierarchy.

   Place in the path: inside the GLB writer, after the primitives.
   Input: the rig's merges, the order of its triangles in the file.
   Output: in the mesh's extras the number of a cluster for each triangle, the merges of clusters
   that followed, and their errors, as accessors. Several meshes name the same merges.

   Each of several hundred clusters is far smaller than a bone: earlier merges are not needed. */
#include "base/union_find.h"
#include "export/gltf/glb.h"

/* about so many clusters are kept apart */
enum { CLUSTERS = 512, CLUSTERS_MOST = UINT16_MAX };

typedef struct ossai_glb_merges merge_job;
struct ossai_glb_merges {
	ossai_glb_writer *writer;
	const ossa_rig *rig;
	size_t skipped;   /* merges that are not written */
	uint32_t *set;    /* F: union-find, then the cluster that a face stands for */
	uint32_t *number; /* F: of the cluster whose smallest face it is */
	bool fits;        /* clusters have few enough numbers */
	bool are_put;     /* the accessors below, of pairs and errors */
	size_t pairs, errors;
};

/* clusters after the merges that are skipped, numbered by their smallest faces; returns how many */
static size_t find_clusters(merge_job *job)
{
	const ossa_rig *rig = job->rig;
	size_t count = 0;
	for (uint32_t f = 0; f < rig->mesh->triangle_count; f++) job->set[f] = rig->face_clusters ? rig->face_clusters[f] : f;
	for (size_t i = 0; i < job->skipped; i++) job->set[rig->merges[i].gone] = rig->merges[i].kept;
	for (uint32_t f = 0; f < rig->mesh->triangle_count; f++) {
		const uint32_t root = ossai_union_find(job->set, f);
		if (root == f) job->number[f] = (uint32_t)count++;
	}
	return count;
}

static ossa_status put_clusters(merge_job *job, const uint32_t *order, size_t count, size_t *accessor)
{
	uint16_t *data = ossai_glb_put_array(job->writer, OSSAI_GLB_INDEX_U16, count, OSSAI_GLB_DATA, accessor);
	if (!data) return ossa_context_error(job->writer->context)->status;
	for (size_t i = 0; i < count; i++) data[i] = (uint16_t)job->number[ossai_union_find(job->set, order[i])];
	return OSSA_OK;
}

static ossa_status put_merges(merge_job *job)
{
	const ossa_rig *rig = job->rig;
	if (job->are_put) return OSSA_OK;
	job->are_put = true;
	const size_t count = rig->merge_count - job->skipped;
	uint16_t *pair = ossai_glb_put_array(job->writer, OSSAI_GLB_INDEX_U16, 2 * count, OSSAI_GLB_DATA, &job->pairs);
	float *error = pair ? ossai_glb_put_array(job->writer, OSSAI_GLB_SCALAR, count, OSSAI_GLB_DATA, &job->errors) : NULL;
	if (!error) return ossa_context_error(job->writer->context)->status;
	for (size_t i = 0; i < count; i++) {
		const ossa_merge *merge = &rig->merges[job->skipped + i];
		pair[2 * i] = (uint16_t)job->number[merge->kept];
		pair[2 * i + 1] = (uint16_t)job->number[merge->gone];
		error[i] = (float)merge->error;
	}
	return OSSA_OK;
}

static ossa_status begin(ossai_glb_writer *writer, const ossa_rig *rig)
{
	const size_t faces = rig->mesh->triangle_count;
	merge_job *job = writer->merges = ossai_arena_zero(&writer->arena, 1, sizeof *job);
	if (!job) return ossa_context_error(writer->context)->status;
	*job = (merge_job){.writer = writer, .rig = rig};
	if (rig->merge_count > CLUSTERS - 1) job->skipped = rig->merge_count - (CLUSTERS - 1);
	job->set = ossai_arena_new(&writer->arena, faces, sizeof *job->set);
	job->number = ossai_arena_new(&writer->arena, faces, sizeof *job->number);
	if (!job->set || !job->number) return ossa_context_error(writer->context)->status;
	/* not for a mesh of very many pieces that nothing links */
	job->fits = find_clusters(job) <= CLUSTERS_MOST;
	return OSSA_OK;
}

ossa_status ossai_glb_put_merges(
	ossai_glb_writer *writer, const ossa_rig *rig, const uint32_t *order, size_t count, json_t *extras)
{
	size_t clusters;
	if (rig->merge_count == 0 && !rig->face_clusters) return OSSA_OK;
	if (!writer->merges) OSSAI_TRY(begin(writer, rig));
	merge_job *job = writer->merges;
	if (!job->fits) return OSSA_OK;
	OSSAI_TRY(put_clusters(job, order, count, &clusters));
	json_t *item = json_pack("{s:I}", "clusters", (json_int_t)clusters);
	/* parts of seeds are not merged */
	if (rig->merge_count > 0) {
		const ossa_status status = put_merges(job);
		if (status != OSSA_OK) json_decref(item);
		OSSAI_TRY(status);
		json_object_set_new(item, "pairs", json_integer((json_int_t)job->pairs));
		json_object_set_new(item, "errors", json_integer((json_int_t)job->errors));
	}
	const bool set = json_object_set_new(json_object_get(extras, "ossa"), "merges", item) == 0;
	return set ? OSSA_OK : ossai_glb_no_memory(writer->context);
}
