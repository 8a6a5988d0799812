/* import/fbx/assimp_library.h: the library assimp, loaded when the first FBX file is read.

   Place in the path: inside the FBX reader, before the process that runs assimp.
   Linked, the loader would find and relocate it at every start of every program that uses ossa: two
   fifths of the time of `ossa --version`. */
#ifndef OSSAI_IMPORT_FBX_ASSIMP_LIBRARY_H
#define OSSAI_IMPORT_FBX_ASSIMP_LIBRARY_H

#include "base/context.h"

#include <assimp/cimport.h>
#include <assimp/material.h>

/* what is called of it, of the types that its headers declare */
typedef struct ossai_assimp_library {
	__typeof__(aiCreatePropertyStore) *create_settings;
	__typeof__(aiSetImportPropertyInteger) *set_integer;
	__typeof__(aiImportFileFromMemoryWithProperties) *import;
	__typeof__(aiGetErrorString) *error;
	__typeof__(aiGetMaterialFloatArray) *get_floats;
	__typeof__(aiGetMaterialIntegerArray) *get_integers;
	__typeof__(aiGetMaterialString) *get_string;
} ossai_assimp_library;

/* Loads it; it stays loaded. Errors: OSSA_ERROR_INPUT with what to install. */
ossa_status ossai_assimp_load(ossa_context *context, const char *path, ossai_assimp_library *library);

#endif
