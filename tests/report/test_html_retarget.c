/* tests/report/test_html_retarget.c: how a motion came over from another body, in the page and in
   JSON. */
#include "base/context.h"
#include "support/people.h"

#include <jansson.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a walk on a person of other proportions */
typedef struct stage {
	ossa_context *context;
	person target, source;
	ossa_clip *clip;
	ossa_retarget_facts facts;
} stage;

static stage begin(ossa_retarget_match match)
{
	stage s = {.context = test_context(1)};
	ossa_retarget_options options = ossa_retarget_default();
	options.match = match;
	s.source = person_make(s.context, (person_form){0});
	s.target = person_make(s.context, (person_form){.calf = 1.3, .foot = 1.5});
	person_walk(&s.source, 12);
	assert_ok(s.context, ossa_rig_retarget(s.context, s.target.rig, s.source.rig, "walk", &options, &s.clip, &s.facts));
	return s;
}

static void end(stage *s)
{
	ossa_clip_free(s->context, s->clip);
	person_end(&s->target);
	person_end(&s->source);
	test_context_end(s->context);
}

/* without pictures, which take their time */
static ossa_rig *bones_of(ossa_context *context, const ossa_rig *rig)
{
	ossa_mesh *none;
	ossa_rig *bones;
	assert_ok(context, ossa_mesh_create(context, 0, NULL, 0, NULL, &none));
	assert_ok(context, ossa_rig_create(context, none, rig->skeleton.bone_count, 1, &bones));
	memcpy(bones->skeleton.bones, rig->skeleton.bones, rig->skeleton.bone_count * sizeof *rig->skeleton.bones);
	ossa_mesh_free(context, none);
	return bones;
}

static ossa_report report_of(ossa_context *context, const ossa_rig *rig, const ossa_retarget_facts *facts, const char *motion)
{
	ossa_report report;
	ossa_report_fill(context, rig, 0, NULL, NULL, &report);
	report.retarget = facts;
	report.motion = motion;
	return report;
}

static char *page_of(ossa_context *context, const ossa_rig *rig, const ossa_retarget_facts *facts, const char *motion)
{
	const ossa_report report = report_of(context, rig, facts, motion);
	char *text;
	assert_ok(context, ossa_report_html(context, &report, &text));
	xmlDoc *document = xmlReadMemory(text, (int)strlen(text), "page", NULL, XML_PARSE_NONET | XML_PARSE_NOERROR);
	assert_non_null(document);
	xmlFreeDoc(document);
	return text;
}

static void assert_number(const char *text, const char *after, double value)
{
	const char *at = strstr(text, after);
	char *last;
	assert_non_null(at);
	assert_non_null(at = strstr(at, "class=\"number\">"));
	assert_near(strtod(at + strlen("class=\"number\">"), &last), value, 0.00501);
	assert_true(*last == '<' || *last == ' ');
}

/* limbs, feet and steps; paths of this machine stay private */
static void a_page_shows_how_a_motion_came_over(void **state)
{
	(void)state;
	stage s = begin(OSSA_RETARGET_ROLES);
	ossa_rig *bones = bones_of(s.context, s.target.rig);
	char *text = page_of(s.context, bones, &s.facts, "/home/somebody/a & b.bvh"), part[64];
	assert_non_null(strstr(text, "Motion of another body"));
	assert_non_null(strstr(text, "<p>a &amp; b.bvh: "));
	assert_null(strstr(text, "somebody"));
	snprintf(part, sizeof part, "%zu bones follow", s.facts.matched);
	assert_non_null(strstr(text, part));
	assert_true(s.facts.segment_count >= 10);
	for (size_t i = 0; i < s.facts.segment_count; i++) {
		char name[64], row[96];
		ossa_retarget_segment_print(&s.facts.segments[i], name, sizeof name);
		snprintf(row, sizeof row, "<tr><th scope=\"row\">%s</th>", name);
		assert_number(text, row, s.facts.segments[i].mean);
	}
	assert_number(text, "Lowest point", s.facts.lowest_percent);
	assert_number(text, "Sliding", s.facts.slide);
	assert_true(s.facts.steps > 0);
	assert_number(text, "Steps kept", (double)s.facts.steps_kept);
	ossa_free(s.context, text);
	/* without a name, and without such a motion */
	text = page_of(s.context, bones, &s.facts, NULL);
	snprintf(part, sizeof part, "<p>%zu bones follow", s.facts.matched);
	assert_non_null(strstr(text, part));
	ossa_free(s.context, text);
	text = page_of(s.context, bones, NULL, NULL);
	assert_null(strstr(text, "another body"));
	ossa_free(s.context, text);
	ossa_rig_free(s.context, bones);
	end(&s);
}

/* by equal names nothing is measured */
static void names_have_no_numbers(void **state)
{
	(void)state;
	stage s = begin(OSSA_RETARGET_NAMES);
	ossa_rig *bones = bones_of(s.context, s.target.rig);
	char *text = page_of(s.context, bones, &s.facts, "walk.bvh");
	assert_non_null(strstr(text, "bones follow those of equal names"));
	assert_null(strstr(text, "Steps kept"));
	ossa_free(s.context, text);
	ossa_rig_free(s.context, bones);
	end(&s);
}

static void json_has_the_same(void **state)
{
	(void)state;
	stage s = begin(OSSA_RETARGET_ROLES);
	const ossa_report report = report_of(s.context, s.target.rig, &s.facts, "walk.bvh");
	char *text, *own;
	assert_ok(s.context, ossa_report_json(s.context, &report, &text));
	assert_ok(s.context, ossa_retarget_json(s.context, &s.facts, &own));
	json_t *value = json_loads(text, 0, NULL), *facts = json_object_get(value, "retarget"), *alone = json_loads(own, 0, NULL);
	assert_string_equal(json_string_value(json_object_get(facts, "match")), "roles");
	assert_int_equal(json_integer_value(json_object_get(facts, "steps")), s.facts.steps);
	assert_int_equal(json_array_size(json_object_get(facts, "segments")), s.facts.segment_count);
	assert_int_equal(json_array_size(json_object_get(alone, "segments")), s.facts.segment_count);
	assert_near(json_real_value(json_object_get(alone, "slide")), s.facts.slide, 1e-12);
	json_decref(value);
	json_decref(alone);
	ossa_free(s.context, text);
	ossa_free(s.context, own);
	end(&s);
}

static ossa_status write_both(ossa_context *context, void *arg)
{
	const ossa_report *report = arg;
	char *text;
	OSSAI_TRY(ossa_retarget_json(context, report->retarget, &text));
	ossa_free(context, text);
	OSSAI_TRY(ossa_report_html(context, report, &text));
	ossa_free(context, text);
	return OSSA_OK;
}

static void no_memory_leaves_nothing_behind(void **state)
{
	(void)state;
	stage s = begin(OSSA_RETARGET_ROLES);
	ossa_rig *bones = bones_of(s.context, s.target.rig);
	ossa_report report = report_of(s.context, bones, &s.facts, "walk.bvh");
	assert_true(test_allocation_sweep(write_both, &report, SIZE_MAX, 1) >= 4);
	ossa_rig_free(s.context, bones);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_shows_how_a_motion_came_over),
		cmocka_unit_test(names_have_no_numbers),
		cmocka_unit_test(json_has_the_same),
		cmocka_unit_test(no_memory_leaves_nothing_behind),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
