/* tools/ossa/batch/sheet.h: the contact sheet: all rigs of a batch on one page. */
#ifndef OSSA_BATCH_SHEET_H
#define OSSA_BATCH_SHEET_H

#include "batch/rows.h"

/* Writes index.html to the state folder: UTF-8, with all it needs but the pictures, which are
   beside it; the rows can be sorted and searched.
   Errors: OSSA_ERROR_WRITE, OSSA_ERROR_MEMORY. */
ossa_status batch_sheet_write(command_run *run, const batch_place *place, batch_rows *rows);

#endif
