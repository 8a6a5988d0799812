/* export/collada/collada_skin.c: the skin of a Collada file.

   Place in the path: inside the Collada writer.
   Input: weights and bones at rest.
   Output: a controller that names its joints by sid, with the inverse of each joint's frame at
   rest. The ends of leaves come after the bones: they move nothing, but programs take a joint's
   rest pose from here. */
#include "export/collada/collada.h"

static size_t count_ends(const ossai_collada *file)
{
	size_t count = 0;
	for (size_t b = 0; b < file->rig->skeleton.bone_count; b++) count += file->ends[b] != NULL;
	return count;
}

static void put_joints(ossai_collada *file)
{
	const size_t count = file->rig->skeleton.bone_count;
	const ossai_collada_source source = {"ossa-joints", "Name_array", "Name", "JOINT", count + count_ends(file), 1};
	ossai_collada_open_source(file, &source);
	for (size_t b = 0; b < count; b++) ossai_markup_word(&file->markup, file->ids[b]);
	for (size_t b = 0; b < count; b++) {
		if (file->ends[b]) ossai_markup_word(&file->markup, file->ends[b]);
	}
	ossai_collada_close_source(file, &source);
}

/* the inverse of a frame with a bone's turn */
static void put_inverse(ossai_markup *markup, const ossa_bone *bone, const double *place)
{
	const ossai_quat turn = ossai_quat_unit(ossai_quat_of(bone->orientation));
	const ossai_rigid bind = {ossai_quat_matrix(turn), ossai_v3_of(place)}, inverse = ossai_rigid_inverse(&bind);
	double rows[16] = {0};
	ossai_rigid_store(&inverse, rows);
	rows[15] = 1;
	ossai_markup_doubles(markup, rows, 16);
}

static void put_inverse_binds(ossai_collada *file)
{
	const ossa_skeleton *skeleton = &file->rig->skeleton;
	const size_t count = skeleton->bone_count;
	const ossai_collada_source source = {"ossa-binds", "float_array", "float4x4", "TRANSFORM", count + count_ends(file), 16};
	ossai_collada_open_source(file, &source);
	for (size_t b = 0; b < count; b++) put_inverse(&file->markup, &skeleton->bones[b], skeleton->bones[b].joint);
	for (size_t b = 0; b < count; b++) {
		if (file->ends[b]) put_inverse(&file->markup, &skeleton->bones[b], skeleton->bones[b].tail);
	}
	ossai_collada_close_source(file, &source);
}

/* the weights in the order of their pairs, after a 1 that all rigid vertices share */
static void put_weights(ossai_collada *file, const ossa_weights *weights)
{
	const size_t pairs = weights->vertex_count * (size_t)weights->influences;
	size_t count = 1;
	for (size_t i = 0; i < pairs; i++) count += weights->values[i] > 0 && weights->values[i] != 1;
	const ossai_collada_source source = {"ossa-weights", "float_array", "float", "WEIGHT", count, 1};
	ossai_collada_open_source(file, &source);
	ossai_markup_index(&file->markup, 1);
	for (size_t i = 0; i < pairs; i++) {
		if (weights->values[i] > 0 && weights->values[i] != 1) ossai_markup_float(&file->markup, weights->values[i]);
	}
	ossai_collada_close_source(file, &source);
}

static void put_pairs(ossai_collada *file, const ossa_weights *weights)
{
	const size_t slots = (size_t)weights->influences, pairs = weights->vertex_count * slots;
	ossai_markup *markup = &file->markup;
	size_t next = 1;
	ossai_markup_open(markup, "vcount", NULL);
	for (size_t v = 0; v < weights->vertex_count; v++) {
		size_t count = 0;
		for (size_t k = 0; k < slots; k++) count += weights->values[v * slots + k] > 0;
		ossai_markup_index(markup, count);
	}
	ossai_markup_close(markup, "vcount");
	ossai_markup_open(markup, "v", NULL);
	for (size_t i = 0; i < pairs; i++) {
		if (!(weights->values[i] > 0)) continue;
		ossai_markup_index(markup, weights->bones[i]);
		ossai_markup_index(markup, weights->values[i] == 1 ? 0 : next++);
	}
	ossai_markup_close(markup, "v");
}

/* an <input> whose source is the part's */
static void put_input(ossai_collada *file, const char *semantic, const char *stem, const char *offset)
{
	char url[OSSAI_COLLADA_ID];
	ossai_collada_part_id(file, stem, url);
	ossai_markup_empty(&file->markup, "input", "semantic", semantic, "source", url, offset ? "offset" : NULL, offset, NULL);
}

/* from the object's axes to those in which the joints are at rest */
static void put_bind_shape(ossai_collada *file)
{
	double rows[16] = {0};
	ossai_rigid_store(&file->part->transform, rows);
	rows[15] = 1;
	ossai_markup_open(&file->markup, "bind_shape_matrix", NULL);
	ossai_markup_doubles(&file->markup, rows, 16);
	ossai_markup_close(&file->markup, "bind_shape_matrix");
}

ossa_status ossai_collada_put_skin(ossai_collada *file)
{
	ossai_markup *markup = &file->markup;
	ossa_weights weights;
	char id[OSSAI_COLLADA_ID];
	OSSAI_TRY(ossai_object_weights(&file->arena, file->part, &file->rig->weights, &weights));
	ossai_collada_part_id(file, "ossa-controller", id);
	ossai_markup_open(markup, "controller", "id", id, "name", "skin", NULL);
	ossai_collada_part_id(file, "#ossa-geometry", id);
	ossai_markup_open(markup, "skin", "source", id, NULL);
	put_bind_shape(file);
	put_joints(file);
	put_inverse_binds(file);
	put_weights(file, &weights);
	ossai_markup_open(markup, "joints", NULL);
	put_input(file, "JOINT", "#ossa-joints", NULL);
	put_input(file, "INV_BIND_MATRIX", "#ossa-binds", NULL);
	ossai_markup_close(markup, "joints");
	ossai_markup_open(markup, "vertex_weights", NULL);
	ossai_markup_attribute_index(markup, "count", weights.vertex_count);
	put_input(file, "JOINT", "#ossa-joints", "0");
	put_input(file, "WEIGHT", "#ossa-weights", "1");
	put_pairs(file, &weights);
	ossai_markup_close(markup, "vertex_weights");
	ossai_markup_close(markup, "skin");
	ossai_markup_close(markup, "controller");
	return OSSA_OK;
}
