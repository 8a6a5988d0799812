/* body/limb_odds.c: see limb_odds.h. */
#include "body/limb_odds.h"

#include <stdio.h>

static const char *const words[] = {
	[OSSAI_LIMB_HEAD] = "head",
	[OSSAI_LIMB_LEG] = "leg",
	[OSSAI_LIMB_ARM] = "arm",
	[OSSAI_LIMB_WING] = "wing",
	[OSSAI_LIMB_TAIL] = "tail",
	[OSSAI_LIMB_EAR] = "ear",
	[OSSAI_LIMB_FIN] = "fin",
	[OSSAI_LIMB_FINGER] = "finger",
	[OSSAI_LIMB_WRIST] = "wrist",
	[OSSAI_LIMB_ANTENNA] = "feeler",
};

/* "left front leg", "finger 2" */
static void print_limb(const ossai_body *body, const ossai_limb *limb, int side, char *text, size_t size)
{
	const bool is_front = body->form->kind == OSSA_BODY_QUADRUPED && limb->kind == OSSAI_LIMB_ARM;
	char number[16] = "";
	if (limb->number > 0) snprintf(number, sizeof number, " %d", limb->number);
	snprintf(text, size, "%s%s%s",
		!limb->is_pair  ? ""
			: side == 0 ? "left "
						: "right ",
		is_front ? "front leg" : words[limb->kind], number);
}

void ossai_limb_odds_print(const ossai_body *body, char *text, size_t size)
{
	size_t used = 0;
	text[0] = 0;
	for (size_t l = 0; l < body->form->limb_count; l++) {
		const ossai_limb *limb = &body->form->limb[l];
		for (int side = 0; side < (limb->is_pair ? 2 : 1) && used < size; side++) {
			const bool is_hidden = body->end[l][side] == OSSAI_LIMB_HIDDEN;
			const char *comma = used > 0 ? ", " : "";
			char name[32], odds[48];
			print_limb(body, limb, side, name, sizeof name);
			if (is_hidden && limb->share > 0.5)
				used += (size_t)snprintf(text + used, size - used, "%sno %s is seen", comma, name);
			if (is_hidden || body->odds[l][side] >= 0) continue;
			ossa_odds_print(body->odds[l][side], odds, sizeof odds);
			used += (size_t)snprintf(text + used, size - used, "%sthe %s is unlikely (%s)", comma, name, odds);
		}
	}
}
