/* report/words.h: what numbers mean, and whether they are good, in words.

   Place in the path: the HTML report.  In: a metric's name and value.  Out: words. docs/report.md has the limits. */
#ifndef OSSAI_REPORT_WORDS_H
#define OSSAI_REPORT_WORDS_H

#include <stddef.h>

typedef enum ossai_verdict { OSSAI_VERDICT_NONE, OSSAI_VERDICT_GOOD, OSSAI_VERDICT_FAIR, OSSAI_VERDICT_POOR } ossai_verdict;

typedef struct ossai_metric_words {
	const char *name;  /* of the field of ossa_metrics */
	const char *title; /* for people */
	const char *meaning;
	double factor;      /* what is shown is that times the value */
	const char *unit;   /* behind what is shown */
	int better;         /* -1: the less the better, 1: the more, 0: it is not judged */
	double good, fair;  /* limits of the value */
	const char *advice; /* where it is not good; `options` in backquotes */
} ossai_metric_words;

size_t ossai_metric_words_count(void);
const ossai_metric_words *ossai_metric_words_at(size_t index);

ossai_verdict ossai_metric_judge(const ossai_metric_words *words, double value);

#endif
