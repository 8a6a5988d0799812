/* rig/ik_followers.c: see ik_followers.h. */
#include "rig/ik_followers.h"

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

ossa_status ossai_ik_followers_find(ossai_arena *arena, const ossa_rig *rig, const ossa_clip *clip, size_t frame,
	size_t link_count, ossai_ik_link *links, ossai_ik_followers *followers)
{
	followers->count = 0;
	followers->list = ossai_arena_new(arena, rig->dependency_count, sizeof *followers->list);
	if (!followers->list) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < rig->dependency_count; i++) {
		const ossa_dependency *d = &rig->dependencies[i];
		const uint32_t link = link_of(link_count, links, d->bone), driver = link_of(link_count, links, d->driver);
		if (link != OSSA_NONE) followers->list[followers->count++] = (ossai_ik_follower){link, driver, d->ratio};
		if (driver == OSSA_NONE) continue;
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

void ossai_ik_join_columns(const ossai_ik_followers *followers, ossai_vec3 *column)
{
	for (size_t i = 0; i < followers->count; i++) {
		const ossai_ik_follower *f = &followers->list[i];
		ossai_vec3 *own = &column[OSSAI_IK_AXES * f->link];
		if (f->driver != OSSA_NONE) {
			ossai_vec3 *driver = &column[OSSAI_IK_AXES * f->driver];
			*driver = ossai_madd(*driver, f->ratio, *own);
		}
		*own = ossai_v3(0, 0, 0);
	}
}

void ossai_ik_follow(const ossai_ik_followers *followers, const ossai_ik_link *before, ossai_ik_link *links)
{
	for (size_t i = 0; i < followers->count; i++) {
		const ossai_ik_follower *f = &followers->list[i];
		if (f->driver == OSSA_NONE) continue;
		ossai_ik_link_follow(&links[f->link], f->ratio * (links[f->driver].angle[0] - before[f->driver].angle[0]));
	}
}
