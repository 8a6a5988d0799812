/* scene/appearance.c: materials and images that meshes share.

   Place in the path: beside ossa_mesh.
   Input: what readers find.
   Output: ossa_appearance.
   Source: the marks that image files begin with: those of PNG, JPEG, KTX 2, WebP, DDS and BMP; TGA
   has none at its beginning. */
#include "scene/appearance.h"
#include "base/text.h"
#include "base/uri.h"
#include "scene/document.h"

#include <stdio.h>
#include <string.h>

ossa_texture ossai_texture_of(uint32_t image) { return (ossa_texture){.image = image, .scale = {1, 1}}; }

ossa_material ossa_material_default(void)
{
	const ossa_texture none = ossai_texture_of(OSSA_NONE);
	return (ossa_material){.base_color = {1, 1, 1, 1},
		.roughness = 0.9,
		.normal_scale = 1,
		.occlusion_strength = 1,
		.alpha_cutoff = 0.5,
		.double_sided = true,
		.base_color_texture = none,
		.metallic_roughness_texture = none,
		.normal_texture = none,
		.occlusion_texture = none,
		.emission_texture = none};
}

/* ---- types of images ---- */

static const struct {
	size_t offset;
	const char *mark, *type, *ending;
} types[] = {
	{0, "\x89PNG", "image/png", ".png"},
	{0, "\xff\xd8\xff", "image/jpeg", ".jpg"},
	{0, "\xabKTX 20", "image/ktx2", ".ktx2"},
	{8, "WEBP", "image/webp", ".webp"},
	{0, "DDS ", "image/vnd-ms.dds", ".dds"},
	{0, "BM", "image/bmp", ".bmp"},
};
enum { TYPE_COUNT = sizeof types / sizeof types[0] };

const char *ossai_image_type(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < TYPE_COUNT; i++) {
		const size_t length = strlen(types[i].mark);
		if (size >= types[i].offset + length && memcmp(bytes + types[i].offset, types[i].mark, length) == 0)
			return types[i].type;
	}
	return "";
}

const char *ossai_image_ending(const char *type)
{
	for (size_t i = 0; i < TYPE_COUNT; i++) {
		if (strcmp(types[i].type, type) == 0) return types[i].ending;
	}
	return "";
}

/* ---- making ---- */

ossai_appearance *ossai_appearance_new(ossa_context *context, size_t material_count)
{
	ossai_appearance *made = ossa_alloc(context, 1, sizeof *made);
	if (!made) return NULL;
	made->context = context;
	made->uses = 1;
	made->arena = ossai_arena_begin(context);
	made->materials = ossai_arena_new(&made->arena, material_count, sizeof *made->materials);
	if (!made->materials) {
		ossai_appearance_release(&made->shown);
		return NULL;
	}
	for (size_t m = 0; m < material_count; m++) made->materials[m] = ossa_material_default();
	made->shown = (ossa_appearance){.material_count = material_count, .materials = made->materials};
	return made;
}

ossai_appearance *ossai_appearance_pick(ossai_appearance *from, size_t count, const uint32_t *rows)
{
	ossai_appearance *made = ossai_appearance_new(from->context, count);
	if (!made) return NULL;
	for (size_t m = 0; m < count; m++) {
		if (rows[m] < from->shown.material_count) made->materials[m] = from->materials[rows[m]];
	}
	made->source = from;
	from->uses++;
	made->shown.image_count = from->shown.image_count;
	made->shown.images = from->shown.images;
	return made;
}

/* What stays in the name of an image, which becomes one of a file: of ASCII letters, digits, `_`
   and `-`; beyond that what is seen, and no spaces, controls, marks of direction, or codes that are
   private or no characters. */
static bool is_safe(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} unsafe[] = {{0x80, 0xA0}, {0xAD, 0xAD}, {0x61C, 0x61C}, {0x1680, 0x1680}, {0x180B, 0x180F}, {0x2000, 0x206F},
		{0x3000, 0x3000}, {0xE000, 0xF8FF}, {0xFDD0, 0xFDEF}, {0xFEFF, 0xFEFF}, {0xFFF0, 0xFFFF}, {0xE0000, 0x10FFFF}};
	const bool is_letter = (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
	if (code < 0x80) return is_letter || (code >= '0' && code <= '9') || code == '_' || code == '-';
	for (size_t i = 0; i < sizeof unsafe / sizeof unsafe[0]; i++) {
		if (code >= unsafe[i].first && code <= unsafe[i].last) return false;
	}
	return (code & 0xFFFE) != 0xFFFE;
}

/* the characters that every file system takes, of each other one a `_`, cut between characters; a
   number where another image has the name; of long names that are paths the last part */
static void name_image(const ossai_appearance *appearance, const char *wanted, char name[64])
{
	char base[48] = "image";
	const char *last = strlen(wanted) < sizeof base ? wanted : ossai_file_name(wanted);
	const char *dot = strrchr(ossai_file_name(last), '.');
	const size_t length = dot && dot != last ? (size_t)(dot - last) : strlen(last);
	const unsigned char *at = (const unsigned char *)last;
	for (size_t i = 0, kept = 0; i < length;) {
		const size_t size = ossai_utf8_size(at + i, length - i);
		const bool safe = size > 0 && is_safe(ossai_utf8_code(at + i, size));
		if (kept + (safe ? size : 1) >= sizeof base) break;
		if (safe) memcpy(base + kept, last + i, size);
		else base[kept] = '_';
		kept += safe ? size : 1;
		base[kept] = 0;
		i += size > 0 ? size : 1;
	}
	snprintf(name, 64, "%s", base);
	for (size_t number = 2, i = 0; i < appearance->shown.image_count; i++) {
		if (strcmp(appearance->images[i].name, name) != 0) continue;
		snprintf(name, 64, "%s_%zu", base, number++);
		i = SIZE_MAX; /* from the first again */
	}
}

ossa_status ossai_appearance_add(
	ossai_appearance *appearance, const char *name, const uint8_t *bytes, size_t size, const char *path, uint32_t *image)
{
	const size_t count = appearance->shown.image_count;
	OSSAI_TRY(ossai_arena_reserve(
		&appearance->arena, &appearance->images, &appearance->image_capacity, count, sizeof *appearance->images));
	ossa_image *added = &appearance->images[count];
	*added = (ossa_image){.bytes = bytes, .size = size};
	name_image(appearance, path ? ossai_file_name(name) : name, added->name);
	if (bytes) snprintf(added->type, sizeof added->type, "%s", ossai_image_type(bytes, size));
	if (path) {
		char *copy = ossai_arena_new(&appearance->arena, strlen(path) + 1, 1);
		if (!copy) return ossa_context_error(appearance->context)->status;
		added->path = strcpy(copy, path);
	}
	*image = (uint32_t)count;
	appearance->shown.images = appearance->images;
	appearance->shown.image_count = count + 1;
	return OSSA_OK;
}

ossa_status ossai_appearance_add_copy(
	ossai_appearance *appearance, const char *name, const uint8_t *bytes, size_t size, uint32_t *image)
{
	uint8_t *copy = ossai_arena_new(&appearance->arena, size, 1);
	if (!copy) return ossa_context_error(appearance->context)->status;
	if (size > 0) memcpy(copy, bytes, size);
	return ossai_appearance_add(appearance, name, copy, size, NULL, image);
}

/* ---- images in files ---- */

static uint32_t find_path(const ossai_appearance *appearance, const char *path)
{
	for (uint32_t i = 0; i < appearance->shown.image_count; i++) {
		if (appearance->images[i].path && strcmp(appearance->images[i].path, path) == 0) return i;
	}
	return OSSA_NONE;
}

static ossa_status add_opened(ossai_appearance *appearance, const char *path, const ossai_file *file, uint32_t *image)
{
	OSSAI_TRY(ossai_appearance_add(appearance, path, NULL, 0, path, image));
	ossa_image *added = &appearance->images[*image];
	snprintf(added->type, sizeof added->type, "%s", ossai_image_type(file->bytes, file->size));
	added->size = file->size;
	return OSSA_OK;
}

/* FNV-1a, never 0 */
static uint64_t hash_of(const char *name)
{
	uint64_t hash = 0xcbf29ce484222325U;
	for (; *name; name++) hash = (hash ^ (uint8_t)*name) * 0x100000001b3U;
	return hash ? hash : 1;
}

/* the slot of a hash, or the free one for it */
static uint64_t *slot_of(const ossai_appearance *appearance, uint64_t hash)
{
	size_t at = (size_t)hash & (appearance->missing_slots - 1);
	while (appearance->missing[at] != 0 && appearance->missing[at] != hash) at = (at + 1) & (appearance->missing_slots - 1);
	return &appearance->missing[at];
}

/* twice as many slots; the old ones stay in the arena */
static ossa_status grow_missing(ossai_appearance *appearance)
{
	const ossai_appearance old = *appearance;
	const size_t slots = old.missing_slots > 0 ? 2 * old.missing_slots : 16;
	uint64_t *made = ossai_arena_zero(&appearance->arena, slots, sizeof *made);
	if (!made) return ossa_context_error(appearance->context)->status;
	appearance->missing = made;
	appearance->missing_slots = slots;
	for (size_t i = 0; i < old.missing_slots; i++) {
		if (old.missing[i] != 0) *slot_of(appearance, old.missing[i]) = old.missing[i];
	}
	return OSSA_OK;
}

/* many materials may name one image */
static ossa_status warn_of_missing(ossai_appearance *appearance, const char *own, const char *name)
{
	if (2 * appearance->missing_count >= appearance->missing_slots) OSSAI_TRY(grow_missing(appearance));
	uint64_t *slot = slot_of(appearance, hash_of(name));
	if (*slot != 0) return OSSA_OK;
	*slot = hash_of(name);
	appearance->missing_count++;
	ossai_warn(appearance->context, "image-missing", 1,
		"%s: images that it names are not beside it or are no images, e.g. \"%.128s\"", own, name);
	return OSSA_OK;
}

ossa_status ossai_appearance_add_file(
	ossai_appearance *appearance, const char *own, const char *name, bool is_plain, uint32_t *image)
{
	char path[OSSAI_PATH_SIZE];
	ossai_file file;
	const bool is_there = ossai_uri_find(appearance->context, own, name, is_plain, path);
	*image = is_there ? find_path(appearance, path) : OSSA_NONE;
	if (*image != OSSA_NONE) return OSSA_OK;
	/* a folder may be there, too */
	ossa_status status = is_there ? ossai_file_open(appearance->context, path, &file) : OSSA_ERROR_READ;
	if (status == OSSA_ERROR_MEMORY) return status;
	if (status == OSSA_OK) {
		status = add_opened(appearance, path, &file, image);
		ossai_file_close(appearance->context, &file);
		return status;
	}
	return warn_of_missing(appearance, own, name);
}

ossa_status ossai_image_open(ossa_context *context, const ossa_image *image, ossai_file *file)
{
	*file = (ossai_file){.bytes = image->bytes, .size = image->size, .is_lent = true};
	return image->bytes ? OSSA_OK : ossai_file_open(context, image->path, file);
}

/* ---- sharing ---- */

/* the first member of what was made here */
static ossai_appearance *whole(const ossa_appearance *appearance) { return (ossai_appearance *)(uintptr_t)appearance; }

const ossa_appearance *ossai_appearance_share(const ossa_appearance *appearance)
{
	if (appearance) whole(appearance)->uses++;
	return appearance;
}

void ossai_appearance_release(const ossa_appearance *appearance)
{
	ossai_appearance *own = whole(appearance);
	while (own && --own->uses == 0) {
		ossai_appearance *source = own->source;
		ossai_document_release(own->document);
		ossai_arena_end(&own->arena);
		ossa_free(own->context, own);
		own = source;
	}
}

ossa_context *ossai_appearance_context(const ossa_appearance *appearance) { return whole(appearance)->context; }
