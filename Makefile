# The short way in. CMake does the work; CMakePresets.json and cmake/ say how.

PREFIX  ?= /usr/local
DESTDIR ?=
ONLY    ?=
TORTURE ?= 20
FUZZ    ?= 60

.PHONY: all help setup demo test torture tsan fuzz bench lint format coverage mutants install clean
.NOTPARALLEL:

all: setup ## Build the program build/dither and the library build/libdither.so (the default)
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build build

help: ## Say what there is to make
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Install what the build needs, where it is missing (Debian 12)
	@tools/setup

demo: all ## Show it at work: examples/demo.sh
	@examples/demo.sh

test: setup ## Build with sanitizers in build-dev/ and run the whole suite
	@cmake --preset dev --log-level=WARNING >/dev/null
	@cmake --build build-dev
	@ctest --preset dev

torture: setup ## Kill, race and fail the ledger for long; TORTURE=20 times what the suite does
	@cmake --preset dev --log-level=WARNING >/dev/null
	@cmake --build build-dev
	@DITHER_TORTURE='$(TORTURE)' ctest --preset dev --tests-regex '^ledger/(batch|faults|kill|race|postgres)$$|^serve/load$$' --timeout 7200

fuzz: setup ## Look for inputs that break a parser, FUZZ=60 seconds each; ONLY=name for one (installs clang)
	@tools/fuzz '$(FUZZ)' $(ONLY)

TSAN_TESTS := ledger/race ledger/kill curator/join serve/work serve/load serve/http serve/http_api serve/http_document serve/tick

tsan: setup ## Look for races between threads: TSan on the tests of curators, ledger and server that have several
	@cmake --preset tsan --log-level=WARNING >/dev/null
	@cmake --build build-tsan --target $(foreach test,$(TSAN_TESTS),tests/$(dir $(test))test_$(notdir $(test)))
	@TSAN_OPTIONS="suppressions=$(CURDIR)/tests/tsan.supp halt_on_error=0 exitcode=66" \
	    ctest --test-dir build-tsan --output-on-failure --timeout 1800 --tests-regex \
	    "^($$(echo $(TSAN_TESTS) | tr ' ' '|'))$$"

bench: all ## Measure, print a table, write build/bench.json; ONLY=prefix for some
	@cmake --build build --target dither_bench
	@build/bench/dither_bench --output build/bench.json --only '$(ONLY)'

lint: all ## Check layout of code, rooms, scripts, pages
	@DITHER=build/dither tools/lint

format: setup ## Lay out the C code as .clang-format says
	@tools/lint --fix format

coverage: setup ## Run the suite and say which lines it reaches
	@cmake --preset coverage --log-level=WARNING >/dev/null
	@cmake --build build-coverage
	@tools/coverage build-coverage

mutants: setup ## Plant bugs one by one and see that the suite notices each (long); ONLY=name for one
	@tools/mutants $(ONLY)

install: all ## Install; PREFIX=/usr/local, DESTDIR= for packagers
	@DESTDIR='$(DESTDIR)' cmake --install build --prefix '$(PREFIX)'
	@test -n '$(DESTDIR)' || test "$$(id -u)" != 0 || ldconfig

clean: ## Remove all that was built
	rm -rf build build-dev build-fuzz build-tsan build-coverage
