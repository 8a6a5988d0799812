/* body/landmarks.c: see landmarks.h. */
#include "body/landmarks.h"

#include "body/frames.h"

static const char *const names[OSSA_LANDMARK_COUNT] = {
	"chin", "groin", "left-elbow", "right-elbow", "left-wrist", "right-wrist", "left-knee", "right-knee"};

/* the part whose joint each one is, and its side; of the groin the hips are found */
static const struct {
	ossa_body_part part;
	int side;
} role_of[OSSA_LANDMARK_COUNT] = {{OSSA_PART_HEAD, 0}, {OSSA_PART_HIPS, 0}, {OSSA_PART_LOWER_ARM, 1}, {OSSA_PART_LOWER_ARM, -1},
	{OSSA_PART_HAND, 1}, {OSSA_PART_HAND, -1}, {OSSA_PART_LOWER_LEG, 1}, {OSSA_PART_LOWER_LEG, -1}};

/* A point that is this share of the figure's height away from its surface is none of the body. */
static const double FAR = 0.12;

/* How far a point is from the middle of its limb, in RMS distances of the surface from its centroid;
   of another limb it is anywhere within this distance. */
static const ossai_range OFF_LIMB = {0, 0.15};
static const double ANYWHERE = 2;

/* Who sets points means the body's own left; one in twenty means that of the viewer. Logarithm. */
static const double SIDES_MEANT = 3;

/* Hips lie above the groin, in heights of the figure, with a deviation; and the deviation of what is
   known of them without it (body/hips.h). */
static const ossai_range HIP_OVER_GROIN = {0.01, 0.04};
static const double HIP_DEVIATION = 0.06;

const char *ossa_landmark_name(ossa_landmark landmark)
{
	return (size_t)landmark < OSSA_LANDMARK_COUNT ? names[landmark] : NULL;
}

const char *ossai_landmarks_first(const ossa_landmarks *landmarks)
{
	for (int i = 0; i < OSSA_LANDMARK_COUNT; i++) {
		if (landmarks->point[i].choice != 0) return names[i];
	}
	return NULL;
}

/* ---- checks ---- */

static double off_surface(const ossai_figure *figure, ossai_vec3 p)
{
	double nearest = INFINITY;
	for (size_t v = 0; v < figure->proxy->vertex_count; v++)
		nearest = ossai_lesser(nearest, ossai_distance(p, ossai_v3_of(figure->proxy->positions + 3 * v)));
	return nearest;
}

static double off_limb(const ossai_figure *figure, size_t end, uint32_t node, ossai_vec3 p)
{
	const uint32_t *toward = figure->end[end].toward;
	double nearest = ossai_distance(p, figure->curve->node[node]);
	for (; toward[node] != node; node = toward[node])
		nearest = ossai_lesser(nearest, ossai_distance(p, figure->curve->node[toward[node]]));
	return nearest;
}

static uint32_t nearest_node(const ossai_curve *curve, ossai_vec3 p)
{
	uint32_t nearest = 0;
	for (uint32_t i = 1; i < curve->node_count; i++) {
		if (ossai_distance(curve->node[i], p) < ossai_distance(curve->node[nearest], p)) nearest = i;
	}
	return nearest;
}

/* the limb that a point is on; WRIST: none */
static ossai_limb_kind limb_of(int mark)
{
	switch (role_of[mark].part) {
	case OSSA_PART_HEAD: return OSSAI_LIMB_HEAD;
	case OSSA_PART_LOWER_LEG: return OSSAI_LIMB_LEG;
	case OSSA_PART_LOWER_ARM:
	case OSSA_PART_HAND: return OSSAI_LIMB_ARM;
	default: return OSSAI_LIMB_WRIST;
	}
}

void ossai_marks_tell(const ossai_marks *marks, ossai_figure *figure)
{
	const ossai_spread_moments moments = ossai_spread_moments_of(figure->proxy);
	const uint32_t middle = nearest_node(figure->curve, moments.center);
	for (size_t e = 0; e < figure->end_count; e++) {
		for (int i = 0; i < OSSA_LANDMARK_COUNT; i++) {
			const ossai_limb_kind kind = limb_of(i);
			if (!marks->is_set[i] || kind > OSSAI_LIMB_ARM) continue;
			double off = off_limb(figure, e, middle, marks->at[i]);
			if (figure->mirror && figure->mirror->exists)
				off = fmin(off, off_limb(figure, e, middle, ossai_mirror_point(figure->mirror, marks->at[i])));
			double *told = &figure->end[e].told[kind];
			*told = fmax(*told, ossai_range_evidence(OFF_LIMB, off / moments.scale, ANYWHERE));
		}
	}
}

/* +1: a limb's point is nearer to the limb of its side than to the other one, -1: farther away, 0:
   it has no side, or clothes hide the limbs */
static int side_fits(const ossai_figure *figure, const ossai_body *body, int mark, ossai_vec3 p)
{
	const bool is_leg = role_of[mark].part == OSSA_PART_LOWER_LEG;
	const size_t *pair = is_leg ? body->limbs.leg : body->limbs.arm;
	const uint32_t node = is_leg ? body->hip_node : body->shoulder_node;
	const bool is_hidden = pair[0] == OSSAI_LIMB_HIDDEN || pair[1] == OSSAI_LIMB_HIDDEN || node == OSSA_NONE;
	if (role_of[mark].side == 0 || is_hidden) return 0;
	const double left = off_limb(figure, pair[0], node, p), right = off_limb(figure, pair[1], node, p);
	return (left < right) == (role_of[mark].side > 0) ? 1 : -1;
}

static void turn_about(ossai_body *body)
{
	const ossai_body_limbs limbs = body->limbs;
	for (size_t l = 0; l < body->form->limb_count; l++) {
		if (!body->form->limb[l].is_pair) continue;
		const size_t end = body->end[l][0];
		body->end[l][0] = body->end[l][1];
		body->end[l][1] = end;
	}
	body->front = ossai_scale(body->front, -1);
	body->left = ossai_scale(body->left, -1);
	for (int k = 0; k < 2; k++) {
		body->limbs.leg[k] = limbs.leg[1 - k];
		body->limbs.arm[k] = limbs.arm[1 - k];
	}
}

static ossa_status check_sides(ossa_context *context, const int fits[OSSA_LANDMARK_COUNT], ossai_body *body)
{
	int right = -1, wrong = -1;
	for (int i = 0; i < OSSA_LANDMARK_COUNT; i++) {
		if (fits[i] > 0 && right < 0) right = i;
		if (fits[i] < 0 && wrong < 0) wrong = i;
	}
	if (wrong < 0) {
		if (right >= 0) body->front_odds += SIDES_MEANT;
		return OSSA_OK;
	}
	if (right >= 0) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the landmark `%s` is on the side of the body where `%s` is not",
			names[wrong], names[right]);
	}
	if (body->front_odds >= SIDES_MEANT) {
		char odds[48];
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
			"left and right of the landmarks are exchanged: they are the body's own sides, and by feet and hands it faces the "
			"other direction (%s)",
			ossa_odds_print(body->front_odds, odds, sizeof odds));
	}
	body->front_odds = SIDES_MEANT - body->front_odds;
	turn_about(body);
	return OSSA_OK;
}

ossa_status ossai_marks_check(ossa_context *context, const ossai_figure *figure, const ossai_marks *marks, ossai_body *body)
{
	int fits[OSSA_LANDMARK_COUNT] = {0};
	for (int i = 0; i < OSSA_LANDMARK_COUNT; i++) {
		if (!marks->is_set[i]) continue;
		const double off = off_surface(figure, marks->at[i]) / body->height;
		if (off > FAR) {
			return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
				"the landmark `%s` is %.2g times the figure's height away from its surface: points are in the axes and units "
				"of "
				"the mesh",
				names[i], off);
		}
		fits[i] = side_fits(figure, body, i, marks->at[i]);
	}
	return check_sides(context, fits, body);
}

/* ---- joints ---- */

/* The deviation of a joint that was set, in heights of the figure. */
static const double SET = 0.005;

typedef struct applying {
	ossai_marks marks;
	double height; /* of the figure */
	ossai_body_joints *joints;
} applying;

static uint32_t find_joint(const ossai_body_joints *joints, ossa_body_part part, int side, int number)
{
	for (uint32_t b = 0; b < joints->count; b++) {
		const ossa_role *role = &joints->bone[b].role;
		if (role->part == part && role->side == side && role->number == number) return b;
	}
	return OSSA_NONE;
}

/* the landmark of a bone's joint, OSSA_LANDMARK_COUNT where there is none */
static int mark_of(const applying *a, const ossai_body_joint *bone)
{
	for (int i = 0; i < OSSA_LANDMARK_COUNT; i++) {
		const bool is_same = role_of[i].part == bone->role.part && role_of[i].side == bone->role.side;
		if (is_same && a->marks.is_set[i]) return i;
	}
	return OSSA_LANDMARK_COUNT;
}

/* the joint by a point, given the bones before and after it: the point's place along them, and so
   much of its distance from them as it is inside of the limb */
static ossai_vec3 observe(const ossai_body_joint *bone, ossai_vec3 before, ossai_vec3 after, ossai_vec3 p)
{
	const ossai_vec3 a = ossai_nearest_on_segment(before, bone->joint, p), b = ossai_nearest_on_segment(bone->joint, after, p);
	const ossai_vec3 on = ossai_distance(p, a) < ossai_distance(p, b) ? a : b;
	const double off = ossai_distance(p, on) / fmax(bone->radius, 1e-12), inside = fmax(1 - off * off, 0);
	return ossai_lerp(on, p, inside);
}

/* moves the joints of a chain: set ones where they are, those between two by their shares of the
   length; the first by `shift`, the last not unless it is set */
static void move_chain(applying *a, size_t count, const uint32_t *chain, const ossai_vec3 *end, ossai_vec3 shift, bool is_held)
{
	enum { CHAIN_MAX = 16 };
	ossai_vec3 move[CHAIN_MAX];
	double arc[CHAIN_MAX] = {0};
	bool is_known[CHAIN_MAX] = {false};
	ossai_body_joint *bone = a->joints->bone;
	if (count < 2 || count > CHAIN_MAX) return;
	for (size_t i = 1; i < count; i++) {
		arc[i] = arc[i - 1] + ossai_distance(bone[chain[i - 1]].joint, bone[chain[i]].joint);
		const int mark = mark_of(a, &bone[chain[i]]);
		const ossai_vec3 after = i + 1 < count ? bone[chain[i + 1]].joint : *end;
		is_known[i] = mark < OSSA_LANDMARK_COUNT;
		if (!is_known[i]) continue;
		move[i] = ossai_sub(observe(&bone[chain[i]], bone[chain[i - 1]].joint, after, a->marks.at[mark]), bone[chain[i]].joint);
	}
	move[0] = shift;
	is_known[0] = true;
	if (is_held && !is_known[count - 1]) {
		is_known[count - 1] = true;
		move[count - 1] = ossai_v3(0, 0, 0);
	}
	for (size_t i = 1, last = 0; i < count; i++) {
		if (!is_known[i]) continue;
		for (size_t k = last + 1; k < i; k++) {
			const double share = arc[i] > arc[last] ? (arc[k] - arc[last]) / (arc[i] - arc[last]) : 0;
			move[k] = ossai_lerp(move[last], move[i], share);
			is_known[k] = true;
		}
		last = i;
	}
	for (size_t i = 0; i < count; i++) {
		if (!is_known[i]) continue;
		bone[chain[i]].joint = ossai_add(bone[chain[i]].joint, move[i]);
		if (mark_of(a, &bone[chain[i]]) < OSSA_LANDMARK_COUNT) bone[chain[i]].deviation = SET * a->height;
	}
}

static void move_limbs(applying *a, ossai_vec3 hips)
{
	static const ossa_body_part parts[2][3] = {
		{OSSA_PART_UPPER_ARM, OSSA_PART_LOWER_ARM, OSSA_PART_HAND}, {OSSA_PART_UPPER_LEG, OSSA_PART_LOWER_LEG, OSSA_PART_FOOT}};
	for (int limb = 0; limb < 4; limb++) {
		uint32_t chain[3];
		size_t count = 0;
		for (int i = 0; i < 3; i++) {
			const uint32_t b = find_joint(a->joints, parts[limb / 2][i], limb % 2 ? -1 : 1, 0);
			if (b != OSSA_NONE) chain[count++] = b;
		}
		const bool is_leg = limb >= 2;
		const ossai_vec3 end = count > 0 ? a->joints->bone[chain[count - 1]].tail : ossai_v3(0, 0, 0);
		move_chain(a, count, chain, &end, is_leg ? hips : ossai_v3(0, 0, 0), is_leg);
	}
}

/* hips by what was known of them and by the groin, each by its deviation */
static ossai_vec3 find_hips(const applying *a, const ossai_body *body)
{
	const uint32_t hips = find_joint(a->joints, OSSA_PART_HIPS, 0, 0);
	if (!a->marks.is_set[OSSA_LANDMARK_GROIN] || hips == OSSA_NONE) return ossai_v3(0, 0, 0);
	const ossai_vec3 groin = a->marks.at[OSSA_LANDMARK_GROIN];
	const double seen = ossai_dot(body->up, ossai_sub(groin, a->joints->bone[hips].joint)) / body->height + HIP_OVER_GROIN.mean;
	const double known = HIP_DEVIATION * HIP_DEVIATION, told = HIP_OVER_GROIN.deviation * HIP_OVER_GROIN.deviation;
	return ossai_scale(body->up, seen * body->height * known / (known + told));
}

/* the spine between hips and head, whose joint is as high along the neck as the chin */
static void move_trunk(applying *a, ossai_vec3 hips)
{
	uint32_t chain[16];
	size_t count = 0;
	const uint32_t root = find_joint(a->joints, OSSA_PART_HIPS, 0, 0), head = find_joint(a->joints, OSSA_PART_HEAD, 0, 0);
	if (root == OSSA_NONE || head == OSSA_NONE) return;
	for (uint32_t b = head; b != OSSA_NONE && count < 16; b = a->joints->bone[b].parent) chain[count++] = b;
	for (size_t i = 0; i < count / 2; i++) {
		const uint32_t other = chain[i];
		chain[i] = chain[count - 1 - i];
		chain[count - 1 - i] = other;
	}
	const ossai_body_joint *skull = &a->joints->bone[head];
	ossai_vec3 *chin = &a->marks.at[OSSA_LANDMARK_CHIN];
	const ossai_vec3 along = ossai_unit(ossai_sub(skull->tail, a->joints->bone[chain[count - 2]].joint), ossai_v3(0, 0, 0));
	*chin = ossai_madd(skull->joint, ossai_dot(along, ossai_sub(*chin, skull->joint)), along);
	move_chain(a, count, chain, &skull->tail, hips, true);
}

/* points of one side for both, or with `enforce` the mean of both */
static void mirror_marks(applying *a, const ossai_mirror *mirror, bool enforce)
{
	ossai_marks *m = &a->marks;
	for (int i = OSSA_LANDMARK_LEFT_ELBOW; mirror->exists && i < OSSA_LANDMARK_COUNT; i += 2) {
		if (m->is_set[i] && m->is_set[i + 1] && enforce)
			m->at[i] = ossai_lerp(m->at[i], ossai_mirror_point(mirror, m->at[i + 1]), 0.5);
		if (m->is_set[i] && (!m->is_set[i + 1] || enforce)) m->at[i + 1] = ossai_mirror_point(mirror, m->at[i]);
		else if (m->is_set[i + 1] && !m->is_set[i]) m->at[i] = ossai_mirror_point(mirror, m->at[i + 1]);
		m->is_set[i] = m->is_set[i + 1] = m->is_set[i] || m->is_set[i + 1];
	}
}

void ossai_marks_apply(
	const ossai_body *body, const ossai_mirror *mirror, bool enforce, const ossai_marks *marks, ossai_body_joints *joints)
{
	applying a = {.marks = *marks, .height = body->height, .joints = joints};
	uint32_t ends_at[OSSAI_BODY_BONES];
	for (uint32_t b = 0; b < joints->count; b++) {
		ends_at[b] = OSSA_NONE;
		for (uint32_t c = b + 1; c < joints->count && ends_at[b] == OSSA_NONE; c++) {
			const bool is_there = ossai_distance(joints->bone[b].tail, joints->bone[c].joint) == 0;
			if (joints->bone[c].parent == b && is_there) ends_at[b] = c;
		}
	}
	mirror_marks(&a, mirror, enforce);
	const ossai_vec3 hips = find_hips(&a, body);
	move_trunk(&a, hips);
	move_limbs(&a, hips);
	for (uint32_t b = 0; b < joints->count; b++) {
		if (ends_at[b] != OSSA_NONE) joints->bone[b].tail = joints->bone[ends_at[b]].joint;
	}
}
