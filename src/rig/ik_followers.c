/* rig/ik_followers.c: see ik_followers.h. */
#include "rig/ik_followers.h"

#include "rig/dependencies.h"
#include "rig/hinge.h"

static uint32_t link_of(size_t count, const ossai_ik_link *links, int32_t bone)
{
	for (uint32_t i = 0; i < count; i++) {
		if (links[i].bone == (uint32_t)bone) return i;
	}
	return OSSA_NONE;
}

/* a driver turns as far as its dependent bones may, too */
static void narrow(const ossai_ik_link *own, double ratio, ossai_ik_link *driver)
{
	const double a = (own->low[0] - own->angle[0]) / ratio, b = (own->high[0] - own->angle[0]) / ratio;
	driver->low[0] = fmax(driver->low[0], driver->angle[0] + fmin(a, b));
	driver->high[0] = fmin(driver->high[0], driver->angle[0] + fmax(a, b));
}

/* what twists is not stopped by what it drives: that goes along, past its own limits */
static void set_free(ossai_ik_link *own)
{
	own->low[0] = -INFINITY;
	own->high[0] = INFINITY;
}

ossa_status ossai_ik_followers_find(ossai_arena *arena, const ossa_rig *rig, const ossa_clip *clip, size_t frame,
	size_t link_count, ossai_ik_link *links, ossai_ik_followers *followers)
{
	followers->count = 0;
	followers->list = ossai_arena_new(arena, rig->dependency_count, sizeof *followers->list);
	if (!followers->list) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < rig->dependency_count; i++) {
		const ossa_dependency *d = &rig->dependencies[i];
		const uint32_t link = link_of(link_count, links, d->bone), driver = link_of(link_count, links, d->driver);
		const bool by_twist = ossai_drives_by_twist(d);
		const ossai_vec3 axis = ossai_driver_axis(rig->skeleton.bones, d);
		if (link != OSSA_NONE)
			followers->list[followers->count++] = (ossai_ik_follower){link, driver, d->ratio, by_twist, axis};
		if (link != OSSA_NONE && by_twist) set_free(&links[link]);
		if (driver == OSSA_NONE || by_twist) continue;
		ossai_ik_link own;
		ossai_ik_link_begin(rig, clip, frame, (uint32_t)d->bone, &own);
		narrow(&own, d->ratio, &links[driver]);
	}
	return OSSA_OK;
}

bool ossai_ik_is_follower(const ossai_ik_followers *followers, size_t link)
{
	for (size_t i = 0; i < followers->count; i++) {
		if (followers->list[i].link == link) return true;
	}
	return false;
}

static ossai_quat turn_of(const ossai_ik_link *link) { return ossai_quat_mul(ossai_quat_conjugate(link->rest), link->local); }

/* How fast the driver's twist grows with turns about axes in the world: its gradient. A small turn
   d in the driver's frame makes of q q + q d / 2, and of the twist 2 atan2(v a, w), v = q.xyz, that
   plus d (w w a - w (v x a) + (v a) v) / (w w + (v a)^2). 0 where the twist means nothing. */
static ossai_vec3 gradient_of(const ossai_ik_follower *f, const ossai_ik_link *driver)
{
	const ossai_quat q = turn_of(driver);
	const ossai_vec3 v = ossai_v3(q.x, q.y, q.z), a = f->axis;
	const double along = ossai_dot(v, a), square = q.w * q.w + along * along;
	if (square < 1e-12) return ossai_v3(0, 0, 0);
	ossai_vec3 sum = ossai_scale(a, q.w * q.w);
	sum = ossai_madd(sum, -q.w, ossai_cross(v, a));
	sum = ossai_madd(sum, along, v);
	return ossai_mat3_mul_v(&driver->world.r, ossai_scale(sum, 1 / square));
}

void ossai_ik_join_columns(
	const ossai_ik_followers *followers, const ossai_ik_link *links, const ossai_vec3 *axis, ossai_vec3 *column)
{
	for (size_t i = 0; i < followers->count; i++) {
		const ossai_ik_follower *f = &followers->list[i];
		ossai_vec3 *own = &column[OSSAI_IK_AXES * f->link];
		if (f->driver != OSSA_NONE && f->by_twist) {
			const ossai_vec3 gradient = gradient_of(f, &links[f->driver]);
			for (size_t a = OSSAI_IK_AXES * f->driver; a < OSSAI_IK_AXES * (f->driver + 1); a++)
				column[a] = ossai_madd(column[a], f->ratio * ossai_dot(gradient, axis[a]), *own);
		} else if (f->driver != OSSA_NONE) {
			ossai_vec3 *driver = &column[OSSAI_IK_AXES * f->driver];
			*driver = ossai_madd(*driver, f->ratio, *own);
		}
		*own = ossai_v3(0, 0, 0);
	}
}

/* degrees by which a driver turned */
static double turned_by(const ossai_ik_follower *f, const ossai_ik_link *before, const ossai_ik_link *after)
{
	if (!f->by_twist) return after->angle[0] - before->angle[0];
	const double from = ossai_hinge_angle(turn_of(before), f->axis, 0);
	return ossai_hinge_angle(turn_of(after), f->axis, from) - from;
}

void ossai_ik_follow(const ossai_ik_followers *followers, const ossai_ik_link *before, ossai_ik_link *links)
{
	for (size_t i = 0; i < followers->count; i++) {
		const ossai_ik_follower *f = &followers->list[i];
		if (f->driver == OSSA_NONE) continue;
		ossai_ik_link_follow(&links[f->link], f->ratio * turned_by(f, &before[f->driver], &links[f->driver]));
	}
}
