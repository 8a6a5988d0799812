/* tools/ossa/opened.h: the paths of files that a command reads. */
#ifndef OSSA_OPENED_H
#define OSSA_OPENED_H

/* Keeps the path of a file that is read; `run` is the command_run. Without memory it is
   forgotten. */
void command_keep_opened(void *run, const char *path);

#endif
