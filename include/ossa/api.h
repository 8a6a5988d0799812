/* ossa/api.h: export marker shared by every public header. */
#ifndef OSSA_API_H
#define OSSA_API_H

#if defined(OSSA_SHARED) && (defined(_WIN32) || defined(__CYGWIN__))
#if defined(OSSA_BUILDING)
#define OSSA_API __declspec(dllexport)
#else
#define OSSA_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define OSSA_API __attribute__((visibility("default")))
#else
#define OSSA_API
#endif

#endif
