/* edit/editor.h: internals of the editor for its log and tests. */
#ifndef OSSAI_EDIT_EDITOR_H
#define OSSAI_EDIT_EDITOR_H

#include <ossa/edit.h>

/* How many bytes the states of a history may take together; those left out are recomputed from
   earlier ones when needed. */
void ossai_editor_limit(ossa_context *context, ossa_editor *editor, size_t bytes);

/* How many states are kept. */
size_t ossai_editor_kept(const ossa_editor *editor);

/* The rig that the history began with. */
const ossa_rig *ossai_editor_first(const ossa_editor *editor);

/* ossa_editor_do_line of so many bytes. */
ossa_status ossai_editor_do_bytes(ossa_context *context, ossa_editor *editor, const char *bytes, size_t size);

#endif
