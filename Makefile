# The front door. `make demo` and `make test` work on a fresh Debian: they install what is missing.
#
#   make            build the library and the command into build/
#   make demo       rig a creature that ossa makes itself, into demo/
#   make test       all tests (minutes)
#   make test-long  the same under sanitizers, with threads watched, with all variants, and the output in the programs that read it
#   make test-clients  the output in the programs that read it: glTF validator, Blender, three.js, assimp, Godot
#   make studio     the studio: the command with its server, the page into build/studio (needs Node)
#   make test-studio  the studio in a browser
#   make test-studio-long  an hour of random acts in two tabs while the server is killed (CHAOS_SECONDS, CHAOS_SEED), 1000 restarts
#   make test-batch  `ossa batch` on a Slurm of four nodes on this machine, with shards and nodes killed
#   make bench      time, memory and growth of every stage
#   make quality    every model rigged and judged, against the accepted numbers (up to an hour)
#   make fuzz       every reader on mutated files, FUZZ_SECONDS each
#   make check      format, clang-tidy, layers, symbols, headers, sizes
#   make install    command, library, headers, manual page, completion (PREFIX, DESTDIR)

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 20
CHAOS_SECONDS ?= 3600
CHAOS_SEED ?= 1
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: all configure build demo studio test test-clients test-studio test-studio-long test-batch test-long bench quality fuzz check install clean
.NOTPARALLEL:

all: build

# again each time: what was missing at the first may be installed by now
configure:
	@if [ -f build/CMakeCache.txt ]; then cmake -S . -B build >build/configure.log; else cmake --preset release; fi

build: configure
	@cmake --build build -j $(JOBS)

demo:
	@scripts/setup base
	@$(MAKE) --no-print-directory configure
	@cmake --build build -j $(JOBS) --target ossa
	@scripts/demo

test:
	@scripts/setup base test
	@scripts/setup images || echo "make: without libjpeg and libwebp pictures do without such textures"
	@scripts/setup fbx || echo "make: without assimp ossa is built without reading FBX"
	@scripts/setup gltf || echo "make: without Draco and meshoptimizer ossa is built without reading compressed glTF"
	@scripts/setup server || echo "make: without libmicrohttpd ossa is built without the studio"
	@$(MAKE) --no-print-directory build
	@# some tests wait for servers: one more than there are processors
	ctest --test-dir build --no-tests=error --output-on-failure -j $$(($(JOBS) + 1))

test-clients:
	@tests/clients/run

test-studio:
	@tests/studio/run

test-studio-long:
	@CHAOS_SECONDS=$(CHAOS_SECONDS) CHAOS_SEED=$(CHAOS_SEED) RESTARTS=1000 tests/studio/run 'lose nothing' 'old port'

test-batch:
	@tests/batch/run

test-long:
	@scripts/setup base test
	@$(MAKE) --no-print-directory build
	@JOBS=$(JOBS) scripts/test_long

studio:
	@scripts/setup studio
	@scripts/setup images || echo "make: without libjpeg and libwebp pictures do without such textures"
	@scripts/setup fbx || echo "make: without assimp the studio reads no FBX"
	@$(MAKE) --no-print-directory configure
	@cmake --build build -j $(JOBS) --target ossa
	@scripts/studio

bench:
	@scripts/setup base test
	@$(MAKE) --no-print-directory build
	@scripts/bench

quality:
	@scripts/setup base test
	@$(MAKE) --no-print-directory build
	scripts/quality --check
	scripts/static_quality --check

fuzz:
	@scripts/setup base fuzz
	@FUZZ_SECONDS=$(FUZZ_SECONDS) JOBS=$(JOBS) scripts/fuzz

check:
	@scripts/setup base test check
	@$(MAKE) --no-print-directory build
	@scripts/check

# the command and the libraries alone, without tests and benchmarks
install: configure
	@cmake --build build -j $(JOBS) --target ossa ossa_static ossa_shared
	cmake --install build --prefix $(PREFIX)

clean:
	rm -rf build build-* demo
