/* tools/ossa/touched.h: the paths of files that a command reads and writes. */
#ifndef OSSA_TOUCHED_H
#define OSSA_TOUCHED_H

/* Keep the path of a file that is read, or has been written; `run` is the command_run. Without
   memory it is forgotten. */
void command_keep_opened(void *run, const char *path);
void command_keep_written(void *run, const char *path);

#endif
