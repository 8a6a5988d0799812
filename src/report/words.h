/* report/words.h: how methods work, in words.

   Place in the path: the HTML report.  In: a method's name.  Out: a sentence. */
#ifndef OSSAI_REPORT_WORDS_H
#define OSSAI_REPORT_WORDS_H

/* How a method works, in one sentence; "" for an unknown one. */
const char *ossai_method_words(const char *method);

#endif
