/* math/cholesky.c: see cholesky.h. Row by row, so that the inner loop runs along two rows. */
#include "math/cholesky.h"

#include <math.h>

bool ossai_cholesky_solve(size_t n, double *a, double *b)
{
	for (size_t i = 0; i < n; i++) {
		double *row = a + i * n;
		for (size_t j = 0; j <= i; j++) {
			const double *other = a + j * n;
			double sum[4] = {row[j], 0, 0, 0};
			size_t k = 0;
			for (; k + 4 <= j; k += 4) {
				for (size_t l = 0; l < 4; l++) sum[l] -= row[k + l] * other[k + l];
			}
			for (; k < j; k++) sum[0] -= row[k] * other[k];
			const double value = (sum[0] + sum[1]) + (sum[2] + sum[3]);
			if (j < i) row[j] = value / other[j];
			else if (!(value > 0)) return false;
			else row[i] = sqrt(value);
		}
	}
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < i; k++) b[i] -= a[i * n + k] * b[k];
		b[i] /= a[i * n + i];
	}
	for (size_t i = n; i-- > 0;) {
		for (size_t k = i + 1; k < n; k++) b[i] -= a[k * n + i] * b[k];
		b[i] /= a[i * n + i];
	}
	return true;
}
