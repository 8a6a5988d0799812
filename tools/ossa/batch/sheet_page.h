/* tools/ossa/batch/sheet_page.h: the page around the rows of a contact sheet. */
#ifndef OSSA_BATCH_SHEET_PAGE_H
#define OSSA_BATCH_SHEET_PAGE_H

/* What stands before and behind the JSON of the rows: {"manifest", "base", "rows"}. */
extern const char batch_sheet_head[], batch_sheet_tail[];

#endif
