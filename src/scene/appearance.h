/* scene/appearance.h: making and sharing what a mesh looks like.

   Place in the path: readers make it, meshes carry it, writers read it.
   Input: materials and images of a file.
   Output: ossa_appearance. */
#ifndef OSSAI_SCENE_APPEARANCE_H
#define OSSAI_SCENE_APPEARANCE_H

#include "base/context.h"
#include "base/file.h"
#include <ossa/material.h>
#include <ossa/mesh.h>

/* The largest number of a material that readers take: colours and glows beyond are damage. */
#define OSSAI_MATERIAL_MOST 1e6

/* An appearance while it is made; the first member is what others see. */
typedef struct ossai_appearance {
	ossa_appearance shown;
	ossa_context *context;
	size_t uses;
	ossai_arena arena;
	ossa_document *document;         /* whose bytes images are, or NULL */
	struct ossai_appearance *source; /* whose images these are, or NULL */
	ossa_material *materials;
	ossa_image *images;
	size_t image_capacity;
	/* an open hash table of the names of images that are missing, by their hashes; 0: free */
	uint64_t *missing;
	size_t missing_count, missing_slots; /* a power of two, or 0 */
} ossai_appearance;

/* With `material_count` default materials and no images, and one use. NULL with the error set. */
ossai_appearance *ossai_appearance_new(ossa_context *context, size_t material_count);

/* The same appearance with the materials `rows`, in this order; OSSA_NONE: a default one. NULL with
   the error set. */
ossai_appearance *ossai_appearance_pick(ossai_appearance *from, size_t count, const uint32_t *rows);

/* Adds an image, with a name that others do not have; its number. `bytes` stay where they are for
   as long as the appearance; `path` is copied. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_appearance_add(
	ossai_appearance *appearance, const char *name, const uint8_t *bytes, size_t size, const char *path, uint32_t *image);

/* The same with bytes that are copied. */
ossa_status ossai_appearance_add_copy(
	ossai_appearance *appearance, const char *name, const uint8_t *bytes, size_t size, uint32_t *image);

/* The same for a file that `name` names beside the file `own`: by a relative URI, or a path
   (is_plain), of which also the last part alone is tried, as programs write paths of other
   machines. *image OSSA_NONE where there is none, or where it would be outside the folder; each
   name counts once in the warning "image-missing". An image that is there already is not added
   again. */
ossa_status ossai_appearance_add_file(
	ossai_appearance *appearance, const char *own, const char *name, bool is_plain, uint32_t *image);

/* The type of an image by its first bytes; "" where it is not known. */
const char *ossai_image_type(const uint8_t *bytes, size_t size);

/* The ending for a type (".png"); "" where it is not known. */
const char *ossai_image_ending(const char *type);

/* The bytes of an image: its own, or those of its file, which `file` keeps open until
   ossai_file_close. Errors: OSSA_ERROR_READ. */
ossa_status ossai_image_open(ossa_context *context, const ossa_image *image, ossai_file *file);

/* A texture of that image that changes nothing. */
ossa_texture ossai_texture_of(uint32_t image);

/* One more use, one less; NULL is allowed. */
const ossa_appearance *ossai_appearance_share(const ossa_appearance *appearance);
void ossai_appearance_release(const ossa_appearance *appearance);

/* The context that it belongs to. */
ossa_context *ossai_appearance_context(const ossa_appearance *appearance);

#endif
