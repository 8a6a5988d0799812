/* ossa/version.h: which version of ossa this is: of these headers, and of the library that is
   linked. */
#ifndef OSSA_VERSION_H
#define OSSA_VERSION_H

#include <ossa/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the headers. The build reads these three numbers; they are written nowhere
   else. */
#define OSSA_VERSION_MAJOR 0
#define OSSA_VERSION_MINOR 1
#define OSSA_VERSION_PATCH 0

#define OSSA_VERSION_JOIN_TEXT(major, minor, patch) #major "." #minor "." #patch
#define OSSA_VERSION_JOIN(major, minor, patch) OSSA_VERSION_JOIN_TEXT(major, minor, patch)
/* "0.1.0" */
#define OSSA_VERSION OSSA_VERSION_JOIN(OSSA_VERSION_MAJOR, OSSA_VERSION_MINOR, OSSA_VERSION_PATCH)

/* A version as text and as numbers. */
typedef struct ossa_version_facts {
	const char *text; /* "0.1.0"; never NULL, lives as long as the program */
	int major, minor, patch;
} ossa_version_facts;

/* The version of the library. A program that was compiled with headers of another major or,
   before 1.0, another minor number must stop: compare with OSSA_VERSION_MAJOR and
   OSSA_VERSION_MINOR. */
OSSA_API ossa_version_facts ossa_version(void);

#ifdef __cplusplus
}
#endif
#endif
