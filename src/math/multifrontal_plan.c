/* math/multifrontal_plan.c: which columns form supernodes, and their rows: see multifrontal.h. */
#include "base/csr.h"
#include "base/order.h"
#include "math/multifrontal.h"

#include <ossa/mesh.h>

#include <stdlib.h>
#include <string.h>

/* The columns of the factor before they are grouped: places in an order of elimination. */
typedef struct columns {
	ossa_context *context;
	const ossai_sparse_pattern *pattern;
	uint32_t *order, *place; /* the unknown at a place, and the place of an unknown */
	uint32_t *parent;        /* of each column, in the elimination tree; OSSA_NONE: none */
	uint32_t *count;         /* of each column: entries of the factor */
	uint32_t *mark;          /* scratch */
	ossai_csr entries;       /* of the matrix, by the earlier of their two places ... */
	uint32_t *entry_row;     /* ... and the later one of each */
} columns;

static ossa_status failed(const ossa_context *context) { return ossa_context_error(context)->status; }

static ossa_status take_columns(ossai_arena *arena, columns *c)
{
	const size_t n = c->pattern->size;
	c->place = ossai_arena_new(arena, n, sizeof *c->place);
	c->parent = ossai_arena_new(arena, n, sizeof *c->parent);
	c->count = ossai_arena_new(arena, n, sizeof *c->count);
	c->mark = ossai_arena_new(arena, n, sizeof *c->mark);
	return c->place && c->parent && c->count && c->mark ? OSSA_OK : failed(c->context);
}

static void fill_places(columns *c)
{
	for (uint32_t i = 0; i < c->pattern->size; i++) c->place[c->order[i]] = i;
}

/* the columns left of the diagonal in each row of the permuted matrix */
static ossa_status list_rows(ossai_arena *arena, const columns *c, ossai_csr *rows)
{
	const ossai_sparse_pattern *p = c->pattern;
	OSSAI_TRY(ossai_csr_begin(arena, p->size, rows));
	for (size_t j = 0; j < p->size; j++) {
		for (uint32_t i = p->start[j] + 1; i < p->start[j + 1]; i++) {
			const uint32_t a = c->place[j], b = c->place[p->row[i]];
			ossai_csr_count(rows, a > b ? a : b);
		}
	}
	OSSAI_TRY(ossai_csr_take_items(arena, rows));
	for (size_t j = 0; j < p->size; j++) {
		for (uint32_t i = p->start[j] + 1; i < p->start[j + 1]; i++) {
			const uint32_t a = c->place[j], b = c->place[p->row[i]];
			ossai_csr_put(rows, a > b ? a : b, a > b ? b : a);
		}
	}
	return OSSA_OK;
}

/* Liu's elimination tree, with compressed paths in `mark` */
static void find_parents(columns *c, const ossai_csr *rows)
{
	for (uint32_t i = 0; i < rows->row_count; i++) {
		c->parent[i] = c->mark[i] = OSSA_NONE;
		for (uint32_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
			for (uint32_t k = rows->item[e], next; k != OSSA_NONE && k < i; k = next) {
				next = c->mark[k];
				c->mark[k] = i;
				if (next == OSSA_NONE) c->parent[k] = i;
			}
		}
	}
}

/* row i of the factor has the columns on the paths in the tree from the row's entries up to i */
static void count_entries(columns *c, const ossai_csr *rows)
{
	for (uint32_t i = 0; i < rows->row_count; i++) {
		c->count[i] = 1;
		c->mark[i] = i;
		for (uint32_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
			for (uint32_t k = rows->item[e]; c->mark[k] != i; k = c->parent[k]) {
				c->count[k]++;
				c->mark[k] = i;
			}
		}
	}
}

/* the children of each column, but for the one with the most entries, which goes to `largest` */
static void list_children(const columns *c, uint32_t *first, uint32_t *next, uint32_t *largest)
{
	const uint32_t n = (uint32_t)c->pattern->size;
	for (uint32_t i = 0; i <= n; i++) first[i] = largest[i] = OSSA_NONE;
	for (uint32_t i = n; i-- > 0;) {
		const uint32_t parent = c->parent[i] == OSSA_NONE ? n : c->parent[i], before = largest[parent];
		const bool is_largest = before == OSSA_NONE || c->count[i] > c->count[before];
		const uint32_t listed = is_largest ? before : i;
		if (is_largest) largest[parent] = i;
		if (listed == OSSA_NONE) continue;
		next[listed] = first[parent];
		first[parent] = listed;
	}
}

/* Children before parents, the child with the most entries last, as it may share its parent's
   supernode. `place` gets the new place of each column. */
static ossa_status find_postorder(ossai_arena *arena, columns *c)
{
	const uint32_t n = (uint32_t)c->pattern->size;
	uint32_t *first = ossai_arena_new(arena, (size_t)n + 1, 4 * sizeof *first);
	if (!first) return failed(c->context);
	uint32_t *next = first + n + 1, *largest = next + n + 1, *stack = largest + n + 1;
	list_children(c, first, next, largest);
	/* n stands for the parent of all roots */
	uint32_t top = 0, done = 0;
	stack[top++] = n;
	while (top > 0) {
		const uint32_t at = stack[top - 1];
		if (first[at] != OSSA_NONE) {
			stack[top++] = first[at];
			first[at] = next[first[at]];
		} else if (largest[at] != OSSA_NONE) {
			stack[top++] = largest[at];
			largest[at] = OSSA_NONE;
		} else {
			if (at < n) c->place[at] = done++;
			top--;
		}
	}
	return OSSA_OK;
}

/* puts the columns into postorder */
static ossa_status sort_columns(ossai_arena *arena, columns *c)
{
	const size_t n = c->pattern->size;
	uint32_t *old = ossai_arena_new(arena, n, 3 * sizeof *old);
	if (!old) return failed(c->context);
	memcpy(old, c->order, n * sizeof *old);
	memcpy(old + n, c->parent, n * sizeof *old);
	memcpy(old + 2 * n, c->count, n * sizeof *old);
	for (size_t i = 0; i < n; i++) {
		const uint32_t to = c->place[i];
		c->order[to] = old[i];
		c->parent[to] = old[n + i] == OSSA_NONE ? OSSA_NONE : c->place[old[n + i]];
		c->count[to] = old[2 * n + i];
	}
	fill_places(c);
	return OSSA_OK;
}

/* the entries of the matrix by the earlier of their two places, with the later one */
static ossa_status list_entries(ossai_arena *arena, columns *c)
{
	const ossai_sparse_pattern *p = c->pattern;
	OSSAI_TRY(ossai_csr_begin(arena, p->size, &c->entries));
	for (size_t j = 0; j < p->size; j++) {
		for (uint32_t i = p->start[j]; i < p->start[j + 1]; i++) {
			const uint32_t a = c->place[j], b = c->place[p->row[i]];
			ossai_csr_count(&c->entries, a < b ? a : b);
		}
	}
	OSSAI_TRY(ossai_csr_take_items(arena, &c->entries));
	c->entry_row = ossai_arena_new(arena, p->start[p->size], sizeof *c->entry_row);
	if (!c->entry_row) return failed(c->context);
	for (size_t j = 0; j < p->size; j++) {
		for (uint32_t i = p->start[j]; i < p->start[j + 1]; i++) {
			const uint32_t a = c->place[j], b = c->place[p->row[i]], at = ossai_csr_next(&c->entries, a < b ? a : b);
			c->entries.item[at] = i;
			c->entry_row[at] = a < b ? b : a;
		}
	}
	return OSSA_OK;
}

static ossa_status find_columns(ossai_arena *arena, columns *c)
{
	OSSAI_TRY(take_columns(arena, c));
	OSSAI_TRY(ossai_sparse_order(c->context, c->pattern, c->order));
	fill_places(c);
	ossai_csr rows;
	OSSAI_TRY(list_rows(arena, c, &rows));
	find_parents(c, &rows);
	count_entries(c, &rows);
	OSSAI_TRY(find_postorder(arena, c));
	OSSAI_TRY(sort_columns(arena, c));
	return list_entries(arena, c);
}

/* ---- supernodes ---- */

/* entries of the factor's panel of this size */
static size_t panel_entries(size_t width, size_t height) { return width * height - width * (width - 1) / 2; }

/* Whether a supernode is better merged into its parent: more work on zeros, but fewer and larger
   panels. The bounds are CHOLMOD's. */
static bool pays(size_t width, size_t entries, size_t zeros)
{
	const double share = (double)zeros / (double)entries;
	return width <= 4 || (width <= 16 && share < 0.8) || (width <= 48 && share < 0.1) || share < 0.05;
}

/* merges the last supernode into the one before it while that is its child and it pays */
static void merge_nodes(const columns *c, size_t *entries, ossai_multifrontal *s)
{
	while (s->node_count > 1) {
		const ossai_supernode last = s->node[s->node_count - 1];
		ossai_supernode *child = &s->node[s->node_count - 2];
		const uint32_t above = c->parent[last.first - 1];
		const size_t width = child->width + last.width, height = child->width + last.height;
		const size_t own = entries[s->node_count - 2] + entries[s->node_count - 1], all = panel_entries(width, height);
		if (above == OSSA_NONE || above >= last.first + last.width || !pays(width, all, all - own)) return;
		child->width = (uint32_t)width;
		child->height = (uint32_t)height;
		entries[--s->node_count - 1] = own;
	}
}

/* Columns one after the other, each the parent of the last and with its rows, are a supernode;
   so are a supernode and the parent right behind it where that pays. `entries`: scratch, n. */
static void find_nodes(const columns *c, size_t *entries, ossai_multifrontal *s)
{
	for (uint32_t j = 0; j < s->size;) {
		const uint32_t first = j;
		entries[s->node_count] = c->count[j++];
		for (; j < s->size && c->parent[j - 1] == j && c->count[j - 1] == c->count[j] + 1; j++) {
			entries[s->node_count] += c->count[j];
		}
		s->node[s->node_count++] = (ossai_supernode){.first = first, .width = j - first, .height = c->count[first]};
		merge_nodes(c, entries, s);
	}
}

static void find_node_parents(columns *c, ossai_multifrontal *s)
{
	uint32_t *node_of_column = c->mark;
	for (uint32_t n = 0; n < s->node_count; n++) {
		for (uint32_t j = 0; j < s->node[n].width; j++) node_of_column[s->node[n].first + j] = n;
	}
	for (uint32_t n = 0; n < s->node_count; n++) {
		const uint32_t above = c->parent[s->node[n].first + s->node[n].width - 1];
		s->node[n].parent = above == OSSA_NONE ? OSSA_NONE : node_of_column[above];
	}
}

/* where rows and panels begin */
static size_t lay_out(ossai_multifrontal *s)
{
	size_t rows = 0;
	for (size_t n = 0; n < s->node_count; n++) {
		ossai_supernode *node = &s->node[n];
		node->rows = rows;
		node->panel = s->panel_size;
		rows += node->height;
		s->panel_size += (size_t)node->height * node->width;
	}
	return rows;
}

static size_t square(size_t x) { return x * x; }

/* the stack as the factorization fills it, or the scratch of the solution where that is more */
static size_t measure_stack(ossai_multifrontal *s)
{
	size_t top = 0, open = 0, most = (size_t)OSSAI_MULTIFRONTAL_WIDTH * s->size;
	for (uint32_t n = 0; n < s->node_count; n++) {
		const size_t own = square(s->node[n].height - s->node[n].width);
		if (top + own > most) most = top + own;
		while (open > 0 && s->node[s->stacked[open - 1]].parent == n) {
			const ossai_supernode *child = &s->node[s->stacked[--open]];
			top -= square(child->height - child->width);
		}
		top += own;
		if (own > 0) s->stacked[open++] = n;
	}
	return most;
}

/* ---- rows ---- */

/* the rows of supernode n: its columns, then rising those of its entries and of its children */
static void fill_rows(columns *c, const ossai_csr *children, uint32_t n, const ossai_multifrontal *s)
{
	const ossai_supernode *node = &s->node[n];
	const uint32_t end = node->first + node->width;
	uint32_t *rows = s->row + node->rows, count = 0;
	for (uint32_t j = node->first; j < end; j++) rows[count++] = j;
	for (uint32_t e = c->entries.start[node->first]; e < c->entries.start[end]; e++) {
		const uint32_t row = c->entry_row[e];
		if (row < end || c->mark[row] == n) continue;
		c->mark[row] = n;
		rows[count++] = row;
	}
	for (uint32_t e = children->start[n]; e < children->start[n + 1]; e++) {
		const ossai_supernode *child = &s->node[children->item[e]];
		for (uint32_t i = child->width; i < child->height; i++) {
			const uint32_t row = s->row[child->rows + i];
			if (row < end || c->mark[row] == n) continue;
			c->mark[row] = n;
			rows[count++] = row;
		}
	}
	qsort(rows + node->width, count - node->width, sizeof *rows, ossai_compare_indices);
}

/* where the entries of supernode n are in its panel, and the rows of its children among its own;
   `index`: of each row, scratch */
static void fill_indices(const columns *c, const ossai_csr *children, uint32_t n, uint32_t *index, ossai_multifrontal *s)
{
	const ossai_supernode *node = &s->node[n];
	for (uint32_t i = 0; i < node->height; i++) index[s->row[node->rows + i]] = i;
	for (uint32_t j = 0; j < node->width; j++) {
		const ossai_csr *list = &c->entries;
		for (uint32_t e = list->start[node->first + j]; e < list->start[node->first + j + 1]; e++) {
			s->entry_panel[list->item[e]] = node->panel + (size_t)j * node->height + index[c->entry_row[e]];
		}
	}
	for (uint32_t e = children->start[n]; e < children->start[n + 1]; e++) {
		const ossai_supernode *child = &s->node[children->item[e]];
		for (size_t i = child->width; i < child->height; i++) {
			s->into_parent[child->rows + i] = index[s->row[child->rows + i]];
		}
	}
}

static ossa_status list_all_rows(ossai_arena *scratch, columns *c, ossai_multifrontal *s)
{
	uint32_t *parent = ossai_arena_new(scratch, s->node_count, sizeof *parent);
	if (!parent) return failed(c->context);
	for (size_t n = 0; n < s->node_count; n++) parent[n] = s->node[n].parent;
	ossai_csr children;
	OSSAI_TRY(ossai_csr_of_keys(scratch, s->node_count, s->node_count, parent, &children));
	for (size_t i = 0; i < s->size; i++) c->mark[i] = OSSA_NONE;
	for (uint32_t n = 0; n < s->node_count; n++) fill_rows(c, &children, n, s);
	for (uint32_t n = 0; n < s->node_count; n++) fill_indices(c, &children, n, c->mark, s);
	return OSSA_OK;
}

/* ---- all ---- */

static ossa_status take_nodes(ossai_arena *arena, ossai_multifrontal *s)
{
	s->node = ossai_arena_new(arena, s->size, sizeof *s->node);
	s->stacked = ossai_arena_new(arena, s->size, sizeof *s->stacked);
	s->order = ossai_arena_new(arena, s->size, sizeof *s->order);
	s->entry_panel = ossai_arena_new(arena, s->pattern.start[s->size], sizeof *s->entry_panel);
	s->right = ossai_arena_new(arena, s->size, OSSAI_MULTIFRONTAL_WIDTH * sizeof *s->right);
	return s->node && s->stacked && s->order && s->entry_panel && s->right ? OSSA_OK : failed(s->context);
}

static ossa_status take_factor(ossai_arena *arena, size_t row_count, ossai_multifrontal *s)
{
	const size_t stack_size = measure_stack(s);
	s->row = ossai_arena_new(arena, row_count, sizeof *s->row);
	s->into_parent = ossai_arena_new(arena, row_count, sizeof *s->into_parent);
	s->panel = ossai_arena_new(arena, s->panel_size, sizeof *s->panel);
	s->stack = ossai_arena_new(arena, stack_size, sizeof *s->stack);
	return s->row && s->into_parent && s->panel && s->stack ? OSSA_OK : failed(s->context);
}

static ossa_status make(ossai_arena *arena, ossai_arena *scratch, ossai_multifrontal *s)
{
	columns c = {.context = s->context, .pattern = &s->pattern, .order = s->order};
	OSSAI_TRY(find_columns(scratch, &c));
	size_t *entries = ossai_arena_new(scratch, s->size, sizeof *entries);
	if (!entries) return failed(s->context);
	find_nodes(&c, entries, s);
	find_node_parents(&c, s);
	OSSAI_TRY(take_factor(arena, lay_out(s), s));
	return list_all_rows(scratch, &c, s);
}

ossa_status ossai_multifrontal_make(ossai_arena *arena, const ossai_sparse_pattern *pattern, ossai_multifrontal *s)
{
	*s = (ossai_multifrontal){.context = arena->context, .size = pattern->size, .pattern = *pattern};
	OSSAI_TRY(take_nodes(arena, s));
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = make(arena, &scratch, s);
	ossai_arena_end(&scratch);
	return status;
}
