/* import/frame_takes.c: see frame_takes.h. */
#include "import/frame_takes.h"

#include <string.h>

/* The takes so far, of frames of the files. */
typedef struct take_list {
	size_t count;
	ossa_take *takes;
	bool is_of_poses; /* the last one */
} take_list;

/* ---- names ---- */

/* "walk_0001" and others are "walk" */
static void drop_number(char name[64])
{
	size_t end = strlen(name);
	while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9') end--;
	while (end > 1 && (name[end - 1] == '_' || name[end - 1] == '-' || name[end - 1] == '.')) end--;
	if (end > 0) name[end] = 0;
}

/* the name of a single animation, else the file's; for many files without their numbers */
static void name_stream(const ossai_frame_sources *all, char name[64])
{
	const ossai_frame_source *first = &all->items[0];
	if (first->motion[0] && all->is_single) memcpy(name, first->motion, sizeof first->motion);
	else ossai_name_of_path(name, first->source.path);
	if (!all->is_single) drop_number(name);
}

/* ---- takes ---- */

/* a mesh, or a scene that does not move */
static bool is_pose(const ossai_frame_source *source) { return source->frame_count == 1 && !source->times; }

static void add_pose(take_list *list, const ossai_frame_source *source, size_t frame)
{
	if (!list->is_of_poses) {
		ossa_take *take = &list->takes[list->count++];
		take->first = frame;
		ossai_name_of_path(take->name, source->source.path);
		drop_number(take->name);
	}
	list->takes[list->count - 1].frame_count++;
	list->is_of_poses = true;
}

static void add_motion(take_list *list, const ossai_frame_source *source, size_t frame)
{
	ossa_take *take = &list->takes[list->count];
	list->is_of_poses = false;
	for (size_t i = 0; i < source->take_count; i++, take++) {
		*take = source->takes[i];
		take->first += frame;
	}
	list->count += source->take_count;
	if (source->take_count > 0) return;
	*take = (ossa_take){.first = frame, .frame_count = source->frame_count};
	if (source->motion[0]) memcpy(take->name, source->motion, sizeof take->name);
	else ossai_name_of_path(take->name, source->source.path);
	list->count++;
}

/* in frames of the stream, without those that the range leaves empty */
static void apply_range(take_list *list, const ossai_frame_range *range)
{
	size_t kept = 0;
	for (size_t i = 0; i < list->count; i++) {
		ossa_take take = list->takes[i];
		const size_t begin = ossai_frame_range_before(range, take.first);
		const size_t end = ossai_frame_range_before(range, take.first + take.frame_count);
		take.first = begin;
		take.frame_count = end - begin;
		if (take.frame_count > 0) list->takes[kept++] = take;
	}
	list->count = kept;
}

ossa_status ossai_frame_takes_make(
	const ossai_frame_sources *all, const size_t *first, const ossai_frame_range *range, ossa_frame_stream *stream)
{
	take_list list = {0};
	size_t most = 0;
	name_stream(all, stream->motion);
	for (size_t i = 0; i < all->count; i++) most += all->items[i].take_count > 0 ? all->items[i].take_count : 1;
	list.takes = ossa_alloc(all->context, most, sizeof *list.takes);
	if (!list.takes) return ossa_context_error(all->context)->status;
	for (size_t i = 0; i < all->count; i++) {
		const ossai_frame_source *source = &all->items[i];
		if (is_pose(source)) add_pose(&list, source, first[i]);
		else if (source->frame_count > 0) add_motion(&list, source, first[i]);
	}
	apply_range(&list, range);
	/* one alone is called as the stream is */
	if (list.count > 1) {
		stream->take_count = list.count;
		stream->takes = list.takes;
	} else ossa_free(all->context, list.takes);
	return OSSA_OK;
}
