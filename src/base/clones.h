/* base/clones.h: compiles a hot function a second time, for processors with wider vectors.

   Place in the path: below everything. Both versions give the same bits: sums are written in a
   fixed order, and nothing is contracted into fused operations. For static functions only: of
   others the linker would show the versions outside. */
#ifndef OSSAI_BASE_CLONES_H
#define OSSAI_BASE_CLONES_H

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__) && defined(__OPTIMIZE__) &&      \
	!defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define OSSAI_CLONES __attribute__((target_clones("default", "avx2")))
#else
#define OSSAI_CLONES
#endif

/* For what such a function calls: a version of its own would be compiled for the oldest processor
   alone. */
#define OSSAI_INLINE static inline __attribute__((always_inline))

#endif
