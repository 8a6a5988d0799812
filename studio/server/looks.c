/* studio/server/looks.c: what the surface looks like, in one answer: materials as JSON, texture
   coordinates, and images as their files have them.

   Place in the path: called by routes.c.  A session keeps no images: the file that the mesh came
   from is read again, once for each page that shows it. */
#include "routes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* materials, colors, corners and texcoords of every set; then the images */
enum { ARRAYS = 2 + 2 * OSSA_SETS_MAX, NAME_SIZE = 32 };

typedef struct looks_part {
	char name[NAME_SIZE];
	const void *bytes; /* NULL: not there */
	size_t size;
	char *own; /* malloc's: a file that was read */
} looks_part;

typedef struct looks_work {
	studio_work work; /* what jobs read the file again with: session, state and context */
	ossa_rig *rig;
	int64_t revision;
	size_t count;
	looks_part *parts;
} looks_work;

/* ---- materials ---- */

static json_t *texture_json(const ossa_texture *texture)
{
	static const char *const wraps[] = {"repeat", "clamp", "mirror"};
	if (texture->image == OSSA_NONE) return json_null();
	return json_pack("{s:I, s:I, s:o, s:o, s:o, s:[ss]}", "image", (json_int_t)texture->image, "set",
		(json_int_t)texture->uv_set, "offset", studio_reals(texture->offset, 2), "scale", studio_reals(texture->scale, 2),
		"rotation", studio_real(texture->rotation), "wraps", wraps[texture->wraps[0]], wraps[texture->wraps[1]]);
}

static json_t *material_json(const ossa_material *m)
{
	static const char *const alphas[] = {"opaque", "mask", "blend"};
	json_t *plain = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:b}", "color", studio_reals(m->base_color, 4),
		"metallic", studio_real(m->metallic), "roughness", studio_real(m->roughness), "emission", studio_reals(m->emission, 3),
		"normal_scale", studio_real(m->normal_scale), "occlusion", studio_real(m->occlusion_strength), "alpha",
		alphas[m->alpha], "cutoff", studio_real(m->alpha_cutoff), "double_sided", m->double_sided);
	json_t *textures = json_pack("{s:o, s:o, s:o, s:o, s:o}", "color", texture_json(&m->base_color_texture), "metal",
		texture_json(&m->metallic_roughness_texture), "normal", texture_json(&m->normal_texture), "occlusion",
		texture_json(&m->occlusion_texture), "emission", texture_json(&m->emission_texture));
	if (plain) json_object_set_new(plain, "textures", textures);
	else json_decref(textures);
	return plain;
}

/* the last material is that of faces without one */
static json_t *looks_json(const looks_work *w)
{
	const ossa_appearance *appearance = w->rig->mesh->appearance;
	const ossa_material none = ossa_material_default();
	json_t *materials = json_array(), *images = json_array();
	for (size_t m = 0; appearance && m < appearance->material_count; m++) {
		json_array_append_new(materials, material_json(&appearance->materials[m]));
	}
	json_array_append_new(materials, material_json(&none));
	for (size_t i = 0; appearance && i < appearance->image_count; i++) {
		const ossa_image *image = &appearance->images[i];
		uint32_t width, height;
		ossa_image_measure(w->work.context, image, &width, &height);
		json_array_append_new(images,
			json_pack("{s:s, s:s, s:I, s:I}", "name", image->name, "type", image->type, "width", (json_int_t)width, "height",
				(json_int_t)height));
	}
	return json_pack("{s:o, s:o}", "materials", materials, "images", images);
}

/* ---- arrays ---- */

static void add_part(looks_work *w, const char *name, const void *bytes, size_t size)
{
	looks_part *part = &w->parts[w->count];
	if (!bytes || size == 0) return;
	snprintf(part->name, sizeof part->name, "%s", name);
	part->bytes = bytes;
	part->size = size;
	w->count++;
}

/* the same, and takes `own` (malloc's) */
static void add_own(looks_work *w, const char *name, void *own, size_t size)
{
	const size_t count = w->count;
	add_part(w, name, own, size);
	if (w->count > count) w->parts[count].own = own;
	else free(own);
}

/* of every face; triangles are in the order of their polygons */
static void add_materials(looks_work *w)
{
	const ossa_mesh *mesh = w->rig->mesh;
	const uint32_t none = mesh->appearance ? (uint32_t)mesh->appearance->material_count : 0;
	uint32_t *materials = malloc((mesh->triangle_count + 1) * sizeof *materials);
	for (size_t t = 0, p = 0; materials && t < mesh->triangle_count; t++) {
		while (p + 1 < mesh->polygon_count && mesh->triangle_corners[3 * t] >= mesh->polygon_start[p + 1]) p++;
		const uint32_t material = mesh->polygon_material ? mesh->polygon_material[p] : OSSA_NONE;
		materials[t] = material < none ? material : none;
	}
	add_own(w, "materials", materials, mesh->triangle_count * sizeof *materials);
}

/* of every corner of a face the number of its texture coordinates, or 2^32 - 1 */
static void add_texcoords(
	looks_work *w, size_t set, const uint32_t *corner_texcoord, const float *texcoords, size_t texcoord_count)
{
	const ossa_mesh *mesh = w->rig->mesh;
	char name[NAME_SIZE];
	uint32_t *corners = corner_texcoord ? malloc((3 * mesh->triangle_count + 1) * sizeof *corners) : NULL;
	for (size_t i = 0; corners && i < 3 * mesh->triangle_count; i++) corners[i] = corner_texcoord[mesh->triangle_corners[i]];
	snprintf(name, sizeof name, "corners_%zu", set);
	add_own(w, name, corners, 3 * mesh->triangle_count * sizeof *corners);
	snprintf(name, sizeof name, "texcoords_%zu", set);
	if (corners) add_part(w, name, texcoords, 2 * texcoord_count * sizeof(float));
}

static void add_sets(looks_work *w)
{
	const ossa_mesh *mesh = w->rig->mesh;
	add_texcoords(w, 0, mesh->corner_texcoord, mesh->texcoords, mesh->texcoord_count);
	for (size_t s = 0; s < mesh->more_uv_count; s++) {
		const ossa_uv_set *set = &mesh->more_uvs[s];
		add_texcoords(w, s + 1, set->corner_texcoord, set->texcoords, set->texcoord_count);
	}
}

/* the bytes of a file beside the mesh's; malloc's, or NULL */
static char *read_image(const char *path, size_t limit, size_t *size)
{
	char folder[STUDIO_PATH_SIZE];
	const char *slash = strrchr(path, '/');
	const size_t length = slash ? (size_t)(slash - path) : 0;
	if (length == 0 || length >= sizeof folder) return NULL;
	memcpy(folder, path, length);
	folder[length] = 0;
	return studio_read_whole(folder, slash + 1, limit, size);
}

/* as many as an upload may have bytes; the page says of what is not there that it is not shown */
static void add_images(looks_work *w)
{
	const ossa_appearance *appearance = w->rig->mesh->appearance;
	size_t left = (size_t)w->work.session->studio->options.upload_limit;
	for (size_t i = 0; appearance && i < appearance->image_count; i++) {
		const ossa_image *image = &appearance->images[i];
		char name[NAME_SIZE], *own = NULL;
		size_t size = image->size;
		if (!image->bytes && image->path) own = read_image(image->path, left, &size);
		if (size > left || (!image->bytes && !own)) continue;
		left -= size;
		snprintf(name, sizeof name, "image_%zu", i);
		if (own) add_own(w, name, own, size);
		else add_part(w, name, image->bytes, size);
	}
}

static bool fill(looks_work *w)
{
	const ossa_mesh *mesh = w->rig->mesh;
	const size_t images = mesh->appearance ? mesh->appearance->image_count : 0;
	w->parts = calloc(ARRAYS + images + 1, sizeof *w->parts);
	if (!w->parts) return false;
	add_materials(w);
	add_sets(w);
	if (mesh->colors) add_part(w, "colors", mesh->colors, 4 * mesh->vertex_count * sizeof(float));
	add_images(w);
	return true;
}

/* ---- the answer ---- */

static size_t padded(size_t size) { return (size + 3) / 4 * 4; }

/* {"mesh", "arrays": {name: [where, bytes]}, "looks", "warnings"} */
static char *make_head(const looks_work *w, size_t *size)
{
	const json_t *mesh = json_object_get(studio_state_of(w->work.facts), "mesh");
	json_t *arrays = json_object(), *warnings = json_array();
	size_t at = 0;
	for (size_t i = 0; i < w->count; i++) {
		json_object_set_new(arrays, w->parts[i].name, json_pack("[I, I]", (json_int_t)at, (json_int_t)w->parts[i].size));
		at += padded(w->parts[i].size);
	}
	for (size_t i = 0; i < ossa_context_warning_count(w->work.context); i++) {
		const ossa_warning *warning = ossa_context_warning(w->work.context, i);
		if (strcmp(warning->code, "image-missing") != 0 && strcmp(warning->code, "library-missing") != 0) continue;
		json_array_append_new(warnings, json_string(warning->message));
	}
	json_t *head = json_pack("{s:O*, s:o, s:o, s:o}", "mesh", json_object_get(mesh, "id"), "arrays", arrays, "looks",
		looks_json(w), "warnings", warnings);
	char *text = head ? json_dumps(head, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
	json_decref(head);
	*size = text ? strlen(text) : 0;
	return text;
}

/* the head's size as u32, the head, the arrays, each from a multiple of 4 bytes on */
static void send_looks(const looks_work *w, studio_answer *answer)
{
	size_t size = 0, bytes = 0;
	char *head = make_head(w, &size);
	for (size_t i = 0; i < w->count; i++) bytes += padded(w->parts[i].size);
	const size_t head_size = padded(size), whole = 4 + head_size + bytes;
	char *all = head ? malloc(whole) : NULL;
	if (all) {
		const uint32_t stated = (uint32_t)head_size;
		memset(all, ' ', 4 + head_size);
		memcpy(all, &stated, 4);
		memcpy(all + 4, head, size);
		size_t at = 4 + head_size;
		for (size_t i = 0; i < w->count; i++) {
			memset(all + at + w->parts[i].size, 0, padded(w->parts[i].size) - w->parts[i].size);
			memcpy(all + at, w->parts[i].bytes, w->parts[i].size);
			at += padded(w->parts[i].size);
		}
	}
	free(head);
	studio_send_array(answer, all, whole, w->revision);
}

/* a copy of the state, and the rig that it names with what its file holds besides; false, and an
   answer, where there is none */
static bool load(looks_work *w, studio_answer *answer)
{
	char path[STUDIO_PATH_SIZE], message[STUDIO_MESSAGE_SIZE] = "nothing is open yet";
	studio_session *session = w->work.session;
	pthread_mutex_lock(&session->lock);
	w->work.facts = json_deep_copy(session->facts);
	w->revision = session->revision;
	const json_t *stored = json_object_get(w->work.facts, "stored");
	const char *name = json_string_value(json_object_get(stored, "rig"));
	if (!name) name = json_string_value(json_object_get(stored, "mesh"));
	const bool is_there = name && studio_path(path, sizeof path, session->path, name) &&
		studio_rig_load(w->work.context, path, &w->rig, message, sizeof message) == OSSA_OK;
	pthread_mutex_unlock(&session->lock);
	if (!is_there || !w->work.facts) studio_refuse(answer, 404, "input", "%s", message);
	return is_there && w->work.facts;
}

void studio_get_looks(studio_server *studio, studio_request *request, studio_answer *answer)
{
	looks_work w = {.work = {.session = request->session, .context = studio_answer_context(request->session, answer)}};
	(void)studio;
	if (!w.work.context) return;
	if (load(&w, answer)) {
		/* the session keeps the names of materials; without its file the mesh stays plain */
		if (w.rig->mesh->material_count > 0) studio_source_adopt(&w.work, w.rig->mesh);
		if (fill(&w)) send_looks(&w, answer);
		else studio_no_memory(answer);
	}
	for (size_t i = 0; i < w.count; i++) free(w.parts[i].own);
	free(w.parts);
	ossa_rig_free(w.work.context, w.rig);
	json_decref(w.work.facts);
	ossa_context_free(w.work.context);
}
