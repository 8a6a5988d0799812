/* body/words.c: what was recognized in words, the same in the command, the reports and the studio.

   Place in the path: ossa_rig.body -> here -> inspect, report, studio. */
#include <ossa/body.h>

#include "base/format.h"

#include <math.h>
#include <stdio.h>

/* Up to this odds are written out, above it as a power of ten. */
static const double WRITTEN_OUT = 1000;

const char *ossa_odds_print(double logarithm, char *text, size_t size)
{
	char number[32];
	const double odds = exp(fmin(fabs(logarithm), 600));
	if (odds < 10) ossai_format(number, sizeof number, "%.1f", odds);
	else if (odds < WRITTEN_OUT) ossai_format(number, sizeof number, "%.0f", odds);
	else ossai_format(number, sizeof number, "1e%.0f", log10(odds));
	snprintf(text, size, logarithm < 0 ? "1 to %s" : "%s to 1", number);
	return text;
}

const char *ossa_body_print(const ossa_body *body, char *text, size_t size)
{
	char none[48], other[48], runner_up[96] = "", score[24];
	if (!ossa_body_is_known(body)) {
		snprintf(text, size, "none");
		return text;
	}
	if (body->runner_up > OSSA_BODY_NONE) {
		ossa_odds_print(body->score - body->runner_up_score, other, sizeof other);
		snprintf(runner_up, sizeof runner_up, ", %s against %s", other, ossa_body_kind_name(body->runner_up));
	}
	ossai_format(score, sizeof score, "%.1f", body->score);
	snprintf(text, size, "%s, score %s: %s against no body%s", ossa_body_kind_name(body->kind), score,
		ossa_odds_print(body->score, none, sizeof none), runner_up);
	return text;
}

/* "+z" of an axis, else three numbers */
static void print_direction(const double *v, char *text, size_t size)
{
	for (int k = 0; k < 3; k++) {
		if (fabs(v[k]) < 0.999) continue;
		snprintf(text, size, "%c%c", v[k] < 0 ? '-' : '+', "xyz"[k]);
		return;
	}
	/* no minus before a zero that was rounded */
	ossai_format(text, size, "(%.2f, %.2f, %.2f)", v[0] + 0.0, v[1] + 0.0, v[2] + 0.0);
}

const char *ossa_body_front_print(const ossa_body *body, char *text, size_t size)
{
	char front[48], up[48], odds[48];
	if (!ossa_body_is_known(body)) {
		snprintf(text, size, "%s", "");
		return text;
	}
	print_direction(body->front, front, sizeof front);
	print_direction(body->up, up, sizeof up);
	ossa_odds_print(body->front_odds, odds, sizeof odds);
	snprintf(text, size, "%s, up %s; %s that left and right are not exchanged", front, up, odds);
	return text;
}

const char *ossa_role_print(ossa_role role, char *text, size_t size)
{
	char side[16] = "", number[32] = "";
	if (role.side != 0) snprintf(side, sizeof side, "%s ", ossa_body_side_name(role.side));
	if (role.limb > 0) snprintf(number, sizeof number, " %d, bone %d", role.limb, role.number);
	else if (role.number > 0) snprintf(number, sizeof number, " %d", role.number);
	const bool is_known = role.part != OSSA_PART_NONE;
	snprintf(
		text, size, "%s%s%s", is_known ? side : "", is_known ? ossa_body_part_name(role.part) : "", is_known ? number : "");
	return text;
}
