/* rig/dependencies.c: see dependencies.h. */
#include "rig/dependencies.h"

#include "base/search.h"
#include "math/vec.h"
#include "rig/pose.h"

#include <math.h>
#include <stdlib.h>

static bool is_there(const ossa_skeleton *skeleton, int32_t bone) { return bone >= 0 && (size_t)bone < skeleton->bone_count; }

static bool is_hinge(const ossa_skeleton *skeleton, int32_t bone) { return skeleton->bones[bone].kind == OSSA_JOINT_HINGE; }

static const char DRIVEN_DRIVER[] = "has a driver that is driven itself";

/* of rounding in files */
static const double NEAR_UNIT = 1e-6;

bool ossai_drives_by_twist(const ossa_dependency *d) { return ossai_length2(ossai_v3_of(d->driver_axis)) != 0; }

static const char *driver_fault(const ossa_skeleton *skeleton, const ossa_dependency *d)
{
	const ossa_joint_kind kind = skeleton->bones[d->driver].kind;
	if (skeleton->bones[d->driver].parent < 0) return "has the root as its driver";
	if (!ossai_drives_by_twist(d))
		return kind == OSSA_JOINT_HINGE ? NULL : "has a driver that is no hinge, and no axis about which it twists";
	if (!(fabs(ossai_length(ossai_v3_of(d->driver_axis)) - 1) < NEAR_UNIT)) return "has an axis that is no unit vector";
	const bool twists = kind == OSSA_JOINT_BALL || kind == OSSA_JOINT_UNIVERSAL;
	return twists ? NULL : "has a driver that twists and is no ball or universal joint";
}

static const char *numbers_fault(const ossa_dependency *d)
{
	if (d->ratio == 0 || !(fabs(d->ratio) <= OSSAI_DEPENDENCY_MOST)) return "has a ratio that is 0, or beyond a million";
	if (!(fabs(d->offset_degrees) <= OSSAI_DEPENDENCY_MOST)) return "has an offset beyond a million degrees";
	if (!(d->error_degrees >= 0) || !isfinite(d->error_degrees)) return "has an error that is not a number from 0 on";
	if (!(d->cost >= 0) || !isfinite(d->cost)) return "has a cost that is not a number from 0 on";
	return NULL;
}

static int compare_bone(const void *item, const void *key)
{
	const int32_t own = ((const ossa_dependency *)item)->bone, bone = *(const int32_t *)key;
	return (own > bone) - (own < bone);
}

/* the index of a bone's dependency in a list in the order of bones; count: it has none */
static size_t find(size_t count, const ossa_dependency *list, int32_t bone)
{
	const size_t at = ossai_search(&bone, list, count, sizeof *list, compare_bone);
	return at < count && list[at].bone == bone ? at : count;
}

/* of one by itself */
static const char *own_fault(const ossa_skeleton *skeleton, const ossa_dependency *d)
{
	if (!is_there(skeleton, d->bone) || !is_there(skeleton, d->driver)) return "names a bone that is not there";
	if (d->bone == d->driver) return "drives a bone by itself";
	if (!is_hinge(skeleton, d->bone)) return "is of a bone that is no hinge";
	const char *fault = driver_fault(skeleton, d);
	return fault ? fault : numbers_fault(d);
}

const char *ossai_dependencies_fault(const ossa_skeleton *skeleton, size_t count, const ossa_dependency *list, size_t *which)
{
	for (size_t i = *which = 0; i < count; *which = ++i) {
		const char *fault = own_fault(skeleton, &list[i]);
		if (fault) return fault;
		if (i > 0 && list[i].bone <= list[i - 1].bone) return "is not in the order of bones, or drives a bone a second time";
	}
	for (size_t i = *which = 0; i < count; *which = ++i) {
		if (find(count, list, list[i].driver) < count) return DRIVEN_DRIVER;
	}
	return NULL;
}

static void note(ossai_unfit_dependency *first, int32_t bone, const char *fault)
{
	if (!first->fault) *first = (ossai_unfit_dependency){bone, fault};
}

size_t ossai_dependencies_keep_good(
	const ossa_skeleton *skeleton, size_t count, ossa_dependency *list, ossai_unfit_dependency *first)
{
	size_t own = 0, kept = 0;
	ossai_unfit_dependency unused;
	if (!first) first = &unused;
	*first = (ossai_unfit_dependency){-1, NULL};
	for (size_t i = 0; i < count; i++) {
		const char *fault = own_fault(skeleton, &list[i]);
		if (fault) note(first, list[i].bone, fault);
		if (!fault) list[own++] = list[i];
	}
	/* marked first: the list stays in order for those after */
	for (size_t i = 0; i < own; i++) {
		if (find(own, list, list[i].driver) == own) continue;
		note(first, list[i].bone, DRIVEN_DRIVER);
		list[i].ratio = 0;
	}
	for (size_t i = 0; i < own; i++) {
		if (list[i].ratio != 0) list[kept++] = list[i];
	}
	return kept;
}

static int compare(const void *a, const void *b)
{
	const ossa_dependency *p = a, *q = b;
	return (p->bone > q->bone) - (p->bone < q->bone);
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
	qsort(*made, *count, sizeof **made, compare);
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
	if (!rig || bone > INT32_MAX) return -1;
	const size_t found = find(rig->dependency_count, rig->dependencies, (int32_t)bone);
	return found < rig->dependency_count ? (int32_t)found : -1;
}
