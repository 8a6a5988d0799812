/* tools/ossa/cmd_batch.c: `ossa batch`: thousands of assets, on one machine or many.

   Place in the path: the top; open batch/batch.h for the modes.
   Input: a manifest, a line an asset, or patterns of files to make one of.
   Output: rigs, a report for each shard, a contact sheet, a script for Slurm. */
#include "batch/batch.h"

#include <stddef.h>

static const batch_options defaults = {
	.asset_seconds = 3600,
	.lock_seconds = 60,
	.thumbnails = 1000,
	.shards = 16,
	.cpus = 1,
};

#define FIELD(name) offsetof(batch_options, name)

const ossa_option_table *batch_option_table(void)
{
	static const ossa_option options[] = {
		{"jobs", OSSA_OPTION_INT, FIELD(jobs), 0, 4096, "", "",
			"assets that are rigged at once; 0: one for each core, or for each that Slurm gives", ""},
		{"asset-seconds", OSSA_OPTION_INT, FIELD(asset_seconds), 0, 1 << 30, "s", "",
			"the time that one asset may take; 0: no limit", ""},
		{"asset-memory", OSSA_OPTION_INT, FIELD(asset_memory), 0, 1 << 30, "MB", "",
			"the memory that one asset may take; 0: no limit", ""},
		{"retry-failed", OSSA_OPTION_BOOL, FIELD(retry_failed), 0, 1, "", "", "do what failed before again", ""},
		{"verify", OSSA_OPTION_BOOL, FIELD(verify), 0, 1, "", "",
			"compare the bytes of all files that were done before, not only sizes and times", ""},
		{"lock-seconds", OSSA_OPTION_INT, FIELD(lock_seconds), 5, 1 << 20, "s", "",
			"take over what a process of another machine works on where it gives no sign of life so long", ""},
		{"collect", OSSA_OPTION_BOOL, FIELD(collect), 0, 1, "", "",
			"merge the reports of all shards, print a summary and make a contact sheet", ""},
		{"thumbnails", OSSA_OPTION_INT, FIELD(thumbnails), 0, 1 << 30, "", "",
			"pictures on the contact sheet, of the worst rigs first", ""},
		{"slurm", OSSA_OPTION_BOOL, FIELD(slurm), 0, 1, "", "",
			"write scripts for Slurm: an array of shards, and what collects", ""},
		{"submit", OSSA_OPTION_BOOL, FIELD(submit), 0, 1, "", "", "with `slurm`: hand them to Slurm, too", ""},
		{"shards", OSSA_OPTION_INT, FIELD(shards), 1, 1000000, "", "", "with `slurm`: tasks of the array", ""},
		{"cpus", OSSA_OPTION_INT, FIELD(cpus), 1, 4096, "", "", "with `slurm`: processors of a task", ""},
		{"node-memory", OSSA_OPTION_INT, FIELD(node_memory), 0, 1 << 30, "MB", "",
			"with `slurm`: memory of a task; 0: what the cluster gives", ""},
	};
	static const ossa_option_group groups[] = {
		{"Work", "jobs|asset-seconds|asset-memory|retry-failed", "verify|lock-seconds"},
		{"Results", "collect|thumbnails", ""},
		{"Slurm", "slurm|submit|shards|cpus|node-memory", ""},
		{NULL, NULL, NULL},
	};
	static const ossa_option_table table = {
		"batch", options, sizeof options / sizeof options[0], &defaults, .size = sizeof(batch_options), .groups = groups};
	return &table;
}

static ossa_status run_batch(command_run *run)
{
	const batch_options *options = run->options[0];
	batch_place place;
	if (run->texts[BATCH_MAKE].count > 0) return batch_make(run);
	if (run->texts[BATCH_OUT].count > 0 || run->texts[BATCH_OVERRIDES].count > 0 || run->passed_count > 0) {
		return command_fail(run, OSSA_ERROR_ARGUMENT,
			"--%s makes a manifest: give --make 'in/**/*.glb', too; options of rigs stand in the manifest then",
			run->passed_count > 0                 ? run->passed[0].name
				: run->texts[BATCH_OUT].count > 0 ? "out"
												  : "overrides");
	}
	if (run->files.count == 0)
		return command_fail(run, OSSA_ERROR_ARGUMENT, "name a manifest, or make one with --make (see: ossa batch --help)");
	COMMAND_TRY(batch_enter(run, run->files.values[0], command_text_value(run, BATCH_STATE), &place));
	if (options->slurm || options->submit) return batch_slurm(run, options, &place);
	return options->collect ? batch_collect(run, options, &place) : batch_work(run, options, &place);
}

static const ossa_option_group groups[] = {
	{"Manifest", "make|out|poses|overrides", ""},
	{"Work", "shard|state", ""},
	{"Results", "", ""},
	{"Slurm", "partition|time|sbatch", ""},
	{NULL, NULL, NULL},
};

const command_definition command_batch = {
	.name = "batch",
	.summary = "rig thousands of assets, on one machine or many",
	.usage = "MANIFEST.jsonl [--shard I/N] [--jobs N] | MANIFEST.jsonl --collect | MANIFEST.jsonl --slurm [--submit] | "
			 "[MANIFEST.jsonl] --make PATTERN... --out TEMPLATE [OPTIONS OF ossa rig]",
	.details =
		"A manifest has a line of JSON for each asset: {\"id\": \"lion\", \"input\": \"in/lion.glb\", \"output\": "
		"\"out/lion.glb\", \"options\": {\"bones\": 30}}. --make writes it for all files that match a pattern. Paths are "
		"of the manifest's folder.\n\n"
		"Each asset is rigged by a process of its own, so that a crash or a hang costs one asset. What is done and has "
		"not changed since is skipped: the same command goes on where another was stopped or killed. The exit status is "
		"0 where all is done, and 1 where some failed.\n\n"
		"With --shard I/N a process does its part of N, as a task of an array of Slurm does by itself. --collect then "
		"merges the reports and makes a contact sheet.",
	.more = "docs/batch.md has the members of manifest and report, and examples for Slurm, GNU parallel and Snakemake.",
	.examples = "ossa batch beasts.jsonl --make 'in/**/*.glb' --out 'out/{name}.glb' --bones 30\n"
				"ossa batch beasts.jsonl --jobs 8 --asset-seconds 600 --asset-memory 4000\n"
				"ossa batch beasts.jsonl --collect\n"
				"ossa batch beasts.jsonl --slurm --submit --shards 32 --cpus 4 --time 4:00:00",
	.files_maximum = 1,
	.groups = groups,
	.texts = {[BATCH_MAKE] = {0, "make", "PATTERN", true,
				  "make a manifest of the files that match: * and ? within a name, [a-z], ** for folders at any depth", false},
		[BATCH_OUT] = {0, "out", "TEMPLATE", true,
			"with --make: the rig of each file, with {name}, {ending}, {folder} (below the pattern's first *) or {number} in "
			"it",
			false},
		[BATCH_POSES] = {0, "poses", "TEMPLATE", true,
			"with --make: the poses of each file, as a pattern with {folder} or {name} in it", false},
		[BATCH_OVERRIDES] = {0, "overrides", "FILE.jsonl", false,
			"with --make: what differs for some: {\"match\": \"**/dragon*\", \"options\": {\"bones\": 60}} on each line", true},
		[BATCH_SHARD] = {0, "shard", "I/N", false, "do part I of N, which are about equally large", false},
		[BATCH_STATE] = {0, "state", "FOLDER", false, "where reports and contact sheet go (MANIFEST.batch)", false},
		[BATCH_PARTITION] = {0, "partition", "NAME", false, "with --slurm: the partition", false},
		[BATCH_TIME] = {0, "time", "TIME", false, "with --slurm: the time of a task, as Slurm writes it", false},
		[BATCH_SBATCH] = {0, "sbatch", "OPTION", true, "with --slurm: a further option of sbatch, such as --account=films",
			false}},
	.tables = {batch_option_table},
	.passes = &command_rig,
	.run = run_batch,
};
