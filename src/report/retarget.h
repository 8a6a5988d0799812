/* report/retarget.h: how a motion came over from another body, for programs.

   Place in the path: ossa_retarget_facts -> here -> the JSON report, `ossa convert --json`. */
#ifndef OSSAI_REPORT_RETARGET_H
#define OSSAI_REPORT_RETARGET_H

#include <jansson.h>
#include <ossa/retarget.h>

/* NULL where memory is short. Ownership: json_decref. */
json_t *ossai_retarget_value(const ossa_retarget_facts *facts);

#endif
