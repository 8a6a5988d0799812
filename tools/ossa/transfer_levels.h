/* tools/ossa/transfer_levels.h: levels of detail of `ossa transfer`.

   Place in the path: beside the command.
   Input: a rig and meshes that it was carried to.
   Output: files. */
#ifndef OSSA_TOOLS_TRANSFER_LEVELS_H
#define OSSA_TOOLS_TRANSFER_LEVELS_H

#include "target.h"

/* texts and tables of the command */
enum { TRANSFER_OUTPUT };
enum { TRANSFER_OWN, TRANSFER_READ, TRANSFER_WRITE, TRANSFER_TARGET, TRANSFER_LEVELS };

typedef struct transfer_level_options {
	bool lod;         /* one OTHER, too, is a level below RIG */
	int levels;       /* of articulation */
	bool own_weights; /* levels of detail keep weights of RIG's bones */
} transfer_level_options;

/* A mesh that the rig is carried to. */
typedef struct transfer_level {
	ossa_mesh *mesh;
	ossa_rig *rig;
	ossa_transfer_facts facts;
	bool keeps_weights; /* its own */
} transfer_level;

typedef struct transfer_work {
	ossa_rig *from;
	size_t count;
	transfer_level *levels; /* the OTHERs, from fine to coarse */
	bool is_lods;           /* they are levels below the mesh of RIG */
} transfer_work;

const ossa_option_table *transfer_level_table(void);

/* Checks all paths before the work begins. */
ossa_status transfer_check_outputs(command_run *run, const transfer_work *work);

/* Gives a level of detail the weights that its file has, where they are of RIG's bones. */
ossa_status transfer_keep_weights(command_run *run, const char *path, transfer_level *level);

/* Gives the rig the levels of articulation that are asked for; which of them a level of detail has,
   0 being RIG's own mesh. */
ossa_status transfer_find_levels(command_run *run, transfer_work *work);
int transfer_articulation(const command_run *run, const transfer_work *work, size_t level);

/* Writes all levels of detail into one file, or each into its own. */
ossa_status transfer_write_levels(
	command_run *run, const transfer_work *work, const char *path, const ossa_write_options *options);

/* Appends the names of the files that output `index` stands for. */
void transfer_list_files(const command_run *run, const transfer_work *work, size_t index, json_t *files);

#endif
