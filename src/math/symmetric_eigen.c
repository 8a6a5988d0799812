/* math/symmetric_eigen.c: see symmetric_eigen.h.

   The steps of LAPACK's dsyevr by themselves, because how many vectors are wanted is known only
   from the values: reduction to a tridiagonal matrix, its values by square-root-free QR, its
   vectors by relatively robust representations (I. Dhillon, B. Parlett, Multiple Representations to
   Compute Orthogonal Eigenvectors of Symmetric Tridiagonal Matrices, 2004), and back. The `_work`
   calls take memory from us and allocate none. */
#include "math/symmetric_eigen.h"

#include <lapacke.h>
#include <string.h>

enum { BLOCK = 32, SIZE_MOST = 16384 };

/* ---- threads of the BLAS ---- */

/* A BLAS with threads of its own rounds differently for every number of them. OpenBLAS is set to
   use one for as long as we compute; the reference BLAS does not have these symbols. */
#if defined(__GNUC__) && defined(__ELF__)
extern void openblas_set_num_threads(int count) __attribute__((weak));
extern int openblas_get_num_threads(void) __attribute__((weak));

static int take_one_thread(void)
{
	if (!openblas_set_num_threads || !openblas_get_num_threads) return 0;
	const int before = openblas_get_num_threads();
	openblas_set_num_threads(1);
	return before;
}

static void give_threads_back(int before)
{
	if (before > 0) openblas_set_num_threads(before);
}
#else
static int take_one_thread(void) { return 0; }
static void give_threads_back(int before) { (void)before; }
#endif

static ossa_status give_up(ossa_context *context, const char *step, lapack_int info)
{
	return ossai_fail(
		context, OSSA_ERROR_INPUT, NULL, "LAPACK's %s answers %d: the eigenvalues cannot be found", step, (int)info);
}

/* ---- values ---- */

static ossa_status reduce(ossa_context *context, ossai_arena *arena, ossai_eigen *e)
{
	const lapack_int n = (lapack_int)e->size;
	double *work = ossai_arena_new(arena, e->size, BLOCK * sizeof *work);
	if (!work) return ossa_context_error(context)->status;
	/* rows from the diagonal on are LAPACK's columns from the diagonal down */
	lapack_int info = LAPACKE_dsytrd_work(
		LAPACK_COL_MAJOR, 'L', n, e->matrix, n, e->diagonal, e->beside, e->scale, work, n * BLOCK);
	if (info != 0) return give_up(context, "dsytrd", info);
	OSSAI_TRY(ossai_ask(context));
	memcpy(e->values, e->diagonal, e->size * sizeof *work);
	memcpy(work, e->beside, (e->size - 1) * sizeof *work);
	info = LAPACKE_dsterf_work(n, e->values, work);
	if (info != 0) return give_up(context, "dsterf", info);
	for (size_t i = 0, j = e->size - 1; i < j; i++, j--) {
		const double value = e->values[i];
		e->values[i] = e->values[j];
		e->values[j] = value;
	}
	return OSSA_OK;
}

ossa_status ossai_eigen_make(ossa_context *context, ossai_arena *arena, size_t size, double *matrix, ossai_eigen *eigen)
{
	*eigen = (ossai_eigen){.size = size, .matrix = matrix};
	if (size == 0 || size > SIZE_MOST) {
		return ossai_fail(
			context, OSSA_ERROR_LIMIT, NULL, "eigenvalues of 1 to %d rows can be found, not of %zu", (int)SIZE_MOST, size);
	}
	eigen->values = ossai_arena_new(arena, size, sizeof *eigen->values);
	eigen->diagonal = ossai_arena_new(arena, size, sizeof *eigen->diagonal);
	eigen->beside = ossai_arena_zero(arena, size, sizeof *eigen->beside);
	eigen->scale = ossai_arena_zero(arena, size, sizeof *eigen->scale);
	if (!eigen->values || !eigen->diagonal || !eigen->beside || !eigen->scale) return ossa_context_error(context)->status;
	ossai_arena scratch = ossai_arena_begin(context);
	const int threads = take_one_thread();
	const ossa_status status = reduce(context, &scratch, eigen);
	give_threads_back(threads);
	ossai_arena_end(&scratch);
	return status;
}

/* ---- vectors ---- */

typedef struct vector_memory {
	double *diagonal, *beside, *values, *columns, *work;
	lapack_int *support, *integers;
	size_t work_size;
} vector_memory;

static ossa_status allocate(ossai_arena *arena, size_t n, size_t count, vector_memory *m)
{
	/* dstemr needs 18 n, dormtr a block of columns and its own triangle */
	m->work_size = 18 * n + BLOCK * count + 65 * 64;
	m->diagonal = ossai_arena_new(arena, n, sizeof *m->diagonal);
	m->beside = ossai_arena_new(arena, n, sizeof *m->beside);
	m->values = ossai_arena_new(arena, n, sizeof *m->values);
	m->columns = ossai_arena_new(arena, n, count * sizeof *m->columns);
	m->work = ossai_arena_new(arena, m->work_size, sizeof *m->work);
	m->support = ossai_arena_new(arena, 2 * n, sizeof *m->support);
	m->integers = ossai_arena_new(arena, 10 * n, sizeof *m->integers);
	const bool all = m->diagonal && m->beside && m->values && m->columns && m->work && m->support && m->integers;
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

static ossa_status solve(ossa_context *context, const ossai_eigen *e, size_t count, const vector_memory *m)
{
	const lapack_int n = (lapack_int)e->size, wanted = (lapack_int)count;
	memcpy(m->diagonal, e->diagonal, e->size * sizeof *m->diagonal);
	memcpy(m->beside, e->beside, e->size * sizeof *m->beside);
	lapack_int found = 0;
	lapack_logical accurate = 1;
	lapack_int info = LAPACKE_dstemr_work(LAPACK_COL_MAJOR, 'V', 'I', n, m->diagonal, m->beside, 0, 0, n - wanted + 1, n,
		&found, m->values, m->columns, n, wanted, m->support, &accurate, m->work, 18 * n, m->integers, 10 * n);
	if (info != 0 || found != wanted) return give_up(context, "dstemr", info);
	OSSAI_TRY(ossai_ask(context));
	info = LAPACKE_dormtr_work(
		LAPACK_COL_MAJOR, 'L', 'L', 'N', n, wanted, e->matrix, n, e->scale, m->columns, n, m->work, (lapack_int)m->work_size);
	return info == 0 ? OSSA_OK : give_up(context, "dormtr", info);
}

ossa_status ossai_eigen_vectors(ossa_context *context, const ossai_eigen *eigen, size_t count, double *vectors)
{
	const size_t n = eigen->size;
	if (count == 0 || count > n) return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "%zu of %zu eigenvectors", count, n);
	ossai_arena scratch = ossai_arena_begin(context);
	vector_memory memory;
	ossa_status status = allocate(&scratch, n, count, &memory);
	if (status == OSSA_OK) {
		const int threads = take_one_thread();
		status = solve(context, eigen, count, &memory);
		give_threads_back(threads);
	}
	for (size_t i = 0; status == OSSA_OK && i < n; i++) {
		for (size_t j = 0; j < count; j++) vectors[i * count + j] = memory.columns[(count - 1 - j) * n + i];
	}
	ossai_arena_end(&scratch);
	return status;
}
