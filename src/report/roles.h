/* report/roles.h: bones in the colours of what they are in a body, and what these mean.

   Place in the path: pictures.
   Input: a skeleton with roles.
   Output: a colour for each bone, the rows of a legend, and rings of how sure joints are. */
#ifndef OSSAI_REPORT_ROLES_H
#define OSSAI_REPORT_ROLES_H

#include "report/bones.h"
#include "report/legend.h"

/* The colour of a role: hues by the side (left warm, right cool, the middle green), lightness and
   hue within these by the part; grey where it is not known. */
ossai_color ossai_role_color(ossa_role role);

/* The colours of all bones. */
void ossai_palette_roles(const ossa_skeleton *skeleton, ossai_color *bone_colors);

/* The rows of the legend: each part and side once, in the order of the parts. rows: space for B.
   Returns how many there are. */
size_t ossai_role_rows(const ossa_skeleton *skeleton, ossai_legend_row *rows);

/* Rings that face the camera around joints that are known to be unsure: their radius is the
   deviation. scale: from the mesh's units to unit space. Empty where there are none. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_doubts_solid(
	ossai_arena *arena, const ossai_posed_bones *bones, double scale, const ossai_camera *camera, ossai_solid *solid);

#endif
