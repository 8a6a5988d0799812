/* import/fbx/assimp_library.c: see assimp_library.h. */
#include "import/fbx/assimp_library.h"

#include <dlfcn.h>
#include <string.h>

/* POSIX lets the address of a function be that of an object, C does not: copied, not cast */
static bool find(void *from, const char *name, void *call)
{
	void *found = dlsym(from, name);
	memcpy(call, &found, sizeof found);
	return found != NULL;
}

static bool find_all(void *from, ossai_assimp_library *l)
{
	return find(from, "aiCreatePropertyStore", &l->create_settings) &&
		find(from, "aiSetImportPropertyInteger", &l->set_integer) &&
		find(from, "aiImportFileFromMemoryWithProperties", &l->import) && find(from, "aiGetErrorString", &l->error) &&
		find(from, "aiGetMaterialFloatArray", &l->get_floats) && find(from, "aiGetMaterialIntegerArray", &l->get_integers) &&
		find(from, "aiGetMaterialString", &l->get_string);
}

ossa_status ossai_assimp_load(ossa_context *context, const char *path, ossai_assimp_library *library)
{
	/* never closed: C++ libraries do not expect it, and the next file needs it again */
	void *found = dlopen(OSSA_ASSIMP_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (found && find_all(found, library)) return OSSA_OK;
	const ossai_place place = ossai_in_file(path);
	return ossai_fail(context, OSSA_ERROR_INPUT, &place, "FBX is read by assimp, which is not here (%s): install %s", dlerror(),
		OSSA_ASSIMP_LIBRARY);
}
