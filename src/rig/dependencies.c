/* rig/dependencies.c: see dependencies.h. */
#include "rig/dependencies.h"

#include "rig/pose.h"

#include <math.h>
#include <string.h>

static bool is_there(const ossa_skeleton *skeleton, int32_t bone) { return bone >= 0 && (size_t)bone < skeleton->bone_count; }

static bool is_hinge(const ossa_skeleton *skeleton, int32_t bone) { return skeleton->bones[bone].kind == OSSA_JOINT_HINGE; }

static const char *numbers_fault(const ossa_dependency *d)
{
	if (!isfinite(d->ratio) || d->ratio == 0) return "has a ratio that is 0 or not finite";
	if (!isfinite(d->offset_degrees)) return "has an offset that is not finite";
	if (!(d->error_degrees >= 0) || !isfinite(d->error_degrees)) return "has an error that is not a number from 0 on";
	if (!(d->cost >= 0) || !isfinite(d->cost)) return "has a cost that is not a number from 0 on";
	return NULL;
}

static const char *fault_of(const ossa_skeleton *skeleton, size_t count, const ossa_dependency *list, size_t i)
{
	const ossa_dependency *d = &list[i];
	if (!is_there(skeleton, d->bone) || !is_there(skeleton, d->driver)) return "names a bone that is not there";
	if (d->bone == d->driver) return "drives a bone by itself";
	if (!is_hinge(skeleton, d->bone) || !is_hinge(skeleton, d->driver)) return "is of a bone that is no hinge";
	if (i > 0 && d->bone <= list[i - 1].bone) return "is not in the order of bones, or drives a bone a second time";
	for (size_t k = 0; k < count; k++) {
		if (list[k].bone == d->driver) return "has a driver that is driven itself";
	}
	return numbers_fault(d);
}

const char *ossai_dependencies_fault(const ossa_skeleton *skeleton, size_t count, const ossa_dependency *list, size_t *which)
{
	for (*which = 0; *which < count; ++*which) {
		const char *fault = fault_of(skeleton, count, list, *which);
		if (fault) return fault;
	}
	return NULL;
}

/* by bone; few */
static void sort(size_t count, ossa_dependency *list)
{
	for (size_t i = 1; i < count; i++) {
		const ossa_dependency moved = list[i];
		size_t at = i;
		for (; at > 0 && list[at - 1].bone > moved.bone; at--) list[at] = list[at - 1];
		list[at] = moved;
	}
}

static int32_t renumbered(const uint32_t *new_of, int32_t bone)
{
	if (!new_of) return bone;
	return new_of[bone] == OSSA_NONE ? -1 : (int32_t)new_of[bone];
}

static ossa_status copy_list(ossa_context *context, size_t given, const ossa_dependency *list, const uint32_t *new_of,
	ossa_dependency **made, size_t *count)
{
	*made = NULL;
	*count = 0;
	if (given == 0) return OSSA_OK;
	*made = ossai_new(context, given, sizeof **made);
	if (!*made) return ossa_context_error(context)->status;
	for (size_t i = 0; i < given; i++) {
		ossa_dependency d = list[i];
		d.bone = renumbered(new_of, d.bone);
		d.driver = renumbered(new_of, d.driver);
		if (!new_of || (d.bone >= 0 && d.driver >= 0)) (*made)[(*count)++] = d;
	}
	sort(*count, *made);
	if (*count > 0) return OSSA_OK;
	ossa_free(context, *made);
	*made = NULL;
	return OSSA_OK;
}

ossa_status ossai_dependencies_copy(
	ossa_context *context, const ossa_rig *from, const uint32_t *new_of, ossa_dependency **made, size_t *count)
{
	return copy_list(context, from->dependency_count, from->dependencies, new_of, made, count);
}

void ossai_dependencies_warn_of_lost(ossa_context *context, size_t count)
{
	if (count == 0) return;
	ossai_warn(context, "dependencies-dropped", (int64_t)count,
		"bones that turned as others did turn on their own now, as a joint of theirs changed");
}

size_t ossai_dependencies_keep_hinges(const ossa_skeleton *skeleton, size_t count, ossa_dependency *list)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		if (is_hinge(skeleton, list[i].bone) && is_hinge(skeleton, list[i].driver)) list[kept++] = list[i];
	}
	return kept;
}

ossa_status ossa_rig_set_dependencies(ossa_context *context, ossa_rig *rig, size_t count, const ossa_dependency *dependencies)
{
	size_t which, made_count;
	ossa_dependency *made;
	OSSAI_NEED(context, rig);
	if (count > 0) OSSAI_NEED(context, dependencies);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	OSSAI_TRY(copy_list(context, count, dependencies, NULL, &made, &made_count));
	const char *fault = ossai_dependencies_fault(&rig->skeleton, made_count, made, &which);
	if (fault) {
		ossa_free(context, made);
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "dependency %zu, in the order of bones, %s", which, fault);
	}
	ossa_free(context, rig->dependencies);
	rig->dependencies = made;
	rig->dependency_count = made_count;
	return OSSA_OK;
}

int32_t ossa_rig_dependency_of(const ossa_rig *rig, size_t bone)
{
	for (size_t i = 0; rig && i < rig->dependency_count; i++) {
		if (rig->dependencies[i].bone == (int32_t)bone) return (int32_t)i;
	}
	return -1;
}
