/* base/version.c: the version of the library.
   Output: the numbers of ossa/version.h as they were when it was compiled. */
#include <ossa/version.h>

ossa_version_facts ossa_version(void)
{
	return (ossa_version_facts){OSSA_VERSION, OSSA_VERSION_MAJOR, OSSA_VERSION_MINOR, OSSA_VERSION_PATCH};
}
