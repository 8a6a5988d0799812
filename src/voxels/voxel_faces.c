/* voxels/voxel_faces.c: voxelises a surface: which cells of a grid do faces touch.

   Place in the path: part of voxel_cells.h.
   Input: oriented faces.
   Output: bits of cells.
   Each face is clipped to each layer of cells, and the rest to each row of the layer: the face
   touches the cells of the row from the least to the largest x of what is left. The result is that
   of the separating axis test (T. Akenine-Moeller, Fast 3D Triangle-Box Overlap Testing, 2001), for
   a row of boxes at a time.
   Ranges of layers are processed in parallel: each has a list of the faces that reach it. */
#include "voxels/voxel_cells.h"

#include "base/csr.h"

enum { LAYERS_A_RANGE = 8, CORNERS_MOST = 8 };
/* Faces this close to a cell, in cells, touch it, so that rounding does not decide about faces
   between cells. */
static const double TOUCH = 1e-6;

typedef struct touching {
	const ossai_oriented *surface;
	ossai_cells *cells;
	double *points;  /* in cells from the grid's corner */
	ossai_csr faces; /* of each range of layers */
} touching;

/* a convex polygon: a face clipped by planes */
typedef struct polygon {
	int count;
	ossai_vec3 at[CORNERS_MOST];
} polygon;

/* The cells that [low, high] touches along an axis, without the two outermost cells; empty (first >
   last) where it touches no others. */
typedef struct cell_range {
	uint32_t first, last;
	bool is_one; /* it touches one cell and no other, not even an outermost one */
} cell_range;

static cell_range touched_range(double low, double high, uint32_t size)
{
	const double a = floor(low - TOUCH), b = floor(high + TOUCH), most = (double)size - 2;
	if (a > most || b < 1) return (cell_range){1, 0, false};
	return (cell_range){a < 1 ? 1 : (uint32_t)a, b > most ? size - 2 : (uint32_t)b, a == b};
}

/* clips a polygon between two heights z */
static void cut_to_layer(const polygon *from, double low, double high, polygon *left)
{
	left->count = 0;
	for (int i = 0; i < from->count; i++) {
		const ossai_vec3 a = from->at[i], b = from->at[i + 1 < from->count ? i + 1 : 0];
		if (a.z >= low && a.z <= high) left->at[left->count++] = a;
		/* in the order in which the edge crosses them */
		const double first = a.z < b.z ? low : high, second = a.z < b.z ? high : low;
		const bool cuts_first = a.z < b.z ? a.z < first && b.z > first : a.z > first && b.z < first;
		const bool cuts_second = a.z < b.z ? a.z < second && b.z > second : a.z > second && b.z < second;
		if (cuts_first) left->at[left->count++] = ossai_lerp(a, b, (first - a.z) / (b.z - a.z));
		if (cuts_second) left->at[left->count++] = ossai_lerp(a, b, (second - a.z) / (b.z - a.z));
	}
}

/* least and largest x of the part between two y; false where it is empty */
static bool row_reach(const polygon *p, double low, double high, double *least, double *most)
{
	double x0 = INFINITY, x1 = -INFINITY;
	for (int i = 0; i < p->count; i++) {
		const ossai_vec3 a = p->at[i], b = p->at[i + 1 < p->count ? i + 1 : 0];
		if (a.y >= low && a.y <= high) {
			x0 = ossai_lesser(x0, a.x);
			x1 = ossai_larger(x1, a.x);
		}
		if ((a.y < low) != (b.y < low)) {
			const double x = a.x + (b.x - a.x) * ((low - a.y) / (b.y - a.y));
			x0 = ossai_lesser(x0, x);
			x1 = ossai_larger(x1, x);
		}
		if ((a.y > high) != (b.y > high)) {
			const double x = a.x + (b.x - a.x) * ((high - a.y) / (b.y - a.y));
			x0 = ossai_lesser(x0, x);
			x1 = ossai_larger(x1, x);
		}
	}
	*least = x0;
	*most = x1;
	return x0 <= x1;
}

static void touch_row(ossai_cells *cells, uint32_t y, uint32_t z, double least, double most)
{
	const cell_range x = touched_range(least, most, cells->size[0]);
	ossai_bits_write(cells->bits + ((size_t)z * cells->size[1] + y) * cells->row_words, x.first, x.last + 1, true);
}

static void touch_layer(ossai_cells *cells, const polygon *p, uint32_t z)
{
	double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
	for (int i = 0; i < p->count; i++) {
		x0 = ossai_lesser(x0, p->at[i].x);
		x1 = ossai_larger(x1, p->at[i].x);
		y0 = ossai_lesser(y0, p->at[i].y);
		y1 = ossai_larger(y1, p->at[i].y);
	}
	if (!(y0 <= y1)) return;
	const cell_range rows = touched_range(y0, y1, cells->size[1]);
	for (uint32_t y = rows.first; y <= rows.last; y++) {
		if (rows.is_one || row_reach(p, y - TOUCH, y + 1 + TOUCH, &x0, &x1)) touch_row(cells, y, z, x0, x1);
	}
}

static void face_corners(const touching *t, size_t face, polygon *p)
{
	p->count = 3;
	for (int k = 0; k < 3; k++) p->at[k] = ossai_v3_of(t->points + 3 * (size_t)t->surface->triangles[3 * face + (size_t)k]);
}

static cell_range face_layers(const touching *t, const polygon *p)
{
	return touched_range(ossai_lesser(p->at[0].z, ossai_lesser(p->at[1].z, p->at[2].z)),
		ossai_larger(p->at[0].z, ossai_larger(p->at[1].z, p->at[2].z)), t->cells->size[2]);
}

/* whether a face may touch cells of the grid at all */
static bool is_near(const touching *t, const polygon *p)
{
	const double x = (double)t->cells->size[0], y = (double)t->cells->size[1];
	return !(ossai_lesser(p->at[0].x, ossai_lesser(p->at[1].x, p->at[2].x)) > x ||
		ossai_larger(p->at[0].x, ossai_larger(p->at[1].x, p->at[2].x)) < 0 ||
		ossai_lesser(p->at[0].y, ossai_lesser(p->at[1].y, p->at[2].y)) > y ||
		ossai_larger(p->at[0].y, ossai_larger(p->at[1].y, p->at[2].y)) < 0);
}

static void touch_range(void *arg, size_t begin, size_t end)
{
	const touching *t = arg;
	for (size_t range = begin; range < end; range++) {
		const uint32_t low = (uint32_t)(LAYERS_A_RANGE * range), high = low + LAYERS_A_RANGE - 1;
		for (uint32_t i = t->faces.start[range]; i < t->faces.start[range + 1]; i++) {
			polygon face, layer;
			face_corners(t, t->faces.item[i], &face);
			const cell_range layers = face_layers(t, &face);
			if (layers.is_one) {
				touch_layer(t->cells, &face, layers.first);
				continue;
			}
			for (uint32_t z = layers.first < low ? low : layers.first; z <= layers.last && z <= high; z++) {
				cut_to_layer(&face, z - TOUCH, z + 1 + TOUCH, &layer);
				touch_layer(t->cells, &layer, z);
			}
		}
	}
}

/* counts the faces of each range of layers, or lists them */
static void sort_faces(touching *t)
{
	for (uint32_t f = 0; f < t->surface->face_count; f++) {
		polygon p;
		face_corners(t, f, &p);
		const cell_range layers = face_layers(t, &p);
		if (layers.first > layers.last || !is_near(t, &p)) continue;
		for (uint32_t range = layers.first / LAYERS_A_RANGE; range <= layers.last / LAYERS_A_RANGE; range++) {
			if (t->faces.item) ossai_csr_put(&t->faces, range, f);
			else ossai_csr_count(&t->faces, range);
		}
	}
}

static ossa_status list_faces(ossai_arena *scratch, touching *t)
{
	OSSAI_TRY(ossai_csr_begin(scratch, (t->cells->size[2] - 1) / LAYERS_A_RANGE + 1, &t->faces));
	sort_faces(t);
	OSSAI_TRY(ossai_csr_take_items(scratch, &t->faces));
	sort_faces(t);
	return OSSA_OK;
}

ossa_status ossai_cells_touch(ossai_arena *scratch, const ossai_oriented *surface, ossai_cells *cells)
{
	touching t = {.surface = surface, .cells = cells};
	t.points = ossai_arena_new(scratch, surface->point_count, 3 * sizeof *t.points);
	if (!t.points) return ossa_context_error(scratch->context)->status;
	const double corner[3] = {cells->origin.x, cells->origin.y, cells->origin.z};
	for (size_t i = 0; i < 3 * surface->point_count; i++) t.points[i] = (surface->points[i] - corner[i % 3]) / cells->step;
	OSSAI_TRY(list_faces(scratch, &t));
	ossai_parallel_for(scratch->context, t.faces.row_count, 1, touch_range, &t);
	return OSSA_OK;
}
