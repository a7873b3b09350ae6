# SPDX-License-Identifier: GPL-2.0-only
# Builds fio-iozone: the engine, the translator and the command line.
# "make help" lists what there is to make.

# ---- what one may set ----------------------------------------------------

# Full command lines with V=1.
V ?= 0
# A fio of one's own, and the configured source tree that it was built from.
FIO ?= fio
FIO_VERSION := $(patsubst fio-%,%,$(shell $(FIO) --version 2>/dev/null))
FIO_SRC ?= build/fio-src-$(FIO_VERSION)
# Sanitizers of the compiler, such as address,undefined or thread.
SANITIZE ?=
BUILD ?= $(if $(SANITIZE),build-$(if $(findstring address,$(SANITIZE)),asan,sanitize),build)

CC ?= cc
AR ?= ar
CFLAGS ?= -O2 -g
# _FORTIFY_SOURCE and the sanitizers do not go together.
HARDENING ?= -fstack-protector-strong $(if $(SANITIZE),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
WARNINGS ?= -Wall -Wextra

# fio looks for engines of its own in /usr/local/lib/fio unless its builder
# chose otherwise.
PREFIX ?= /usr/local
prefix ?= $(PREFIX)
bindir ?= $(prefix)/bin
libdir ?= $(prefix)/lib
datadir ?= $(prefix)/share
mandir ?= $(datadir)/man
ENGINE_DIR ?= $(libdir)/fio
JOB_DIR ?= $(datadir)/fio-iozone
INSTALL ?= install

# ---- what is built -------------------------------------------------------

ENGINE := $(BUILD)/fio-iozone.so
PROGRAMS := $(BUILD)/fio2iozone $(BUILD)/fiozone
MAINS := fio2iozone fiozone

ENGINE_C := $(wildcard plugin/*.c)
ENGINE_O := $(ENGINE_C:%.c=$(BUILD)/%.o)
MAIN_O := $(MAINS:%=$(BUILD)/translator/%.o)
COMMON_C := $(filter-out $(MAINS:%=translator/%.c),$(wildcard translator/*.c))
COMMON_O := $(COMMON_C:%.c=$(BUILD)/%.o)
UNIT_C := $(wildcard tests/unit/*_test.c)
UNIT_TESTS := $(UNIT_C:%.c=$(BUILD)/%)

# Unit tests take from these what they use; a mock in the test goes before.
ENGINE_A := $(BUILD)/plugin/engine.a
COMMON_A := $(BUILD)/translator/common.a

SANITIZE_FLAGS := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer)
BASE_CFLAGS := -std=gnu11 -D_GNU_SOURCE -Iinclude $(WARNINGS) $(HARDENING) $(SANITIZE_FLAGS)
BASE_LDFLAGS := -Wl,-z,relro,-z,now $(SANITIZE_FLAGS)
# fio's headers are not ours to keep free of warnings.
FIO_CFLAGS = -DFIO_BUILT_FOR='"fio-$(FIO_VERSION)"' -include $(FIO_SRC)/config-host.h -isystem $(FIO_SRC)

ENGINE_CFLAGS = $(BASE_CFLAGS) -Iplugin -fPIC -fvisibility=hidden $(FIO_CFLAGS) \
		$(CFLAGS) $(CPPFLAGS)
PROGRAM_CFLAGS = $(BASE_CFLAGS) -Itranslator -fPIE -DENGINE_DIR='"$(ENGINE_DIR)"' \
		 -DFIO_BUILT_FOR='"fio-$(FIO_VERSION)"' -DJOB_DIR='"$(JOB_DIR)"' $(CFLAGS) $(CPPFLAGS)
TEST_CFLAGS = $(BASE_CFLAGS) -Iplugin -Itranslator -Itests/unit -fPIE $(FIO_CFLAGS) \
	      $(CFLAGS) $(CPPFLAGS)

ENGINE_LIBS := -lcsv -lpthread -lrt
PROGRAM_LIBS := -lyajl -lcsv -lm
TEST_LIBS := -lcmocka -lyajl -lcsv -lm -lpthread -lrt

# ---- quiet output --------------------------------------------------------

ifeq ($(V),0)
Q := @
say = @printf '  %-7s %s\n' '$(1)' '$(2)';
else
Q :=
say =
endif
MAKEFLAGS += --no-print-directory

# What the tests and the runs are told.
export CC
RUN_ENV = BUILD='$(abspath $(BUILD))' FIO='$(if $(findstring /,$(FIO)),$(abspath $(FIO)),$(FIO))' \
	  FIO_SRC='$(abspath $(FIO_SRC))'

# ---- targets -------------------------------------------------------------

.PHONY: all engine programs unit-tests help deps run run-built check check-built \
	check-sanitized lint-built check-valgrind check-asan check-tsan check-fio check-nfs lint format fidelity bench fuzz \
	install uninstall clean distclean FORCE
.DELETE_ON_ERROR:
.SECONDARY:

.DEFAULT_GOAL := all
all: engine programs
engine: $(ENGINE)
programs: $(PROGRAMS)
unit-tests: $(UNIT_TESTS)

$(ENGINE): $(ENGINE_O)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -Wl,-z,nodelete $(BASE_LDFLAGS) -o $@ $^ $(LDFLAGS) $(ENGINE_LIBS)

$(BUILD)/fio2iozone $(BUILD)/fiozone: $(BUILD)/%: $(BUILD)/translator/%.o $(COMMON_A)
	$(call say,LD,$@)
	$(Q)$(CC) -pie $(BASE_LDFLAGS) -o $@ $^ $(LDFLAGS) $(PROGRAM_LIBS)

$(ENGINE_A): $(ENGINE_O)
$(COMMON_A): $(COMMON_O)
%.a:
	$(call say,AR,$@)
	$(Q)rm -f $@.new && $(AR) rcs $@.new $^ && mv $@.new $@

$(BUILD)/plugin/%.o: plugin/%.c $(BUILD)/host-fio $(BUILD)/flags-engine
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(ENGINE_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/translator/%.o: translator/%.c $(BUILD)/flags-programs
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(PROGRAM_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tests/unit/%.o: tests/unit/%.c $(BUILD)/host-fio $(BUILD)/flags-tests
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(TEST_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tests/unit/%_test: $(BUILD)/tests/unit/%_test.o $(COMMON_A) $(ENGINE_A)
	$(call say,LD,$@)
	$(Q)$(CC) -pie $(BASE_LDFLAGS) -o $@ $^ $(LDFLAGS) $(TEST_LIBS)

# The fio that will load the engine, and the headers that go with it.
$(BUILD)/host-fio: FORCE
	$(Q)mkdir -p $(@D) && FIO='$(FIO)' FIO_SRC='$(FIO_SRC)' CC='$(CC)' scripts/host-fio $@

# Whatever is compiled otherwise than the last time is compiled again.
$(BUILD)/flags-%: FORCE
	$(Q)mkdir -p $(@D); printf '%s\n' '$(subst ','\'',$(CC) $(FLAGS_OF_$*) $(BASE_LDFLAGS))' >$@.new; \
	if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

FLAGS_OF_engine = $(ENGINE_CFLAGS)
FLAGS_OF_programs = $(PROGRAM_CFLAGS)
FLAGS_OF_tests = $(TEST_CFLAGS)

# ---- running -------------------------------------------------------------

# A set-up may install what the lines of this Makefile have looked for: what
# depends on it runs in a make of its own, on all processors.
BUILD_MAKE = $(MAKE) $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

# Standard output is the report and nothing else.
run:
	$(Q)FIO='$(FIO)' scripts/install build >&2
	$(Q)$(BUILD_MAKE) all >&2
	$(Q)$(MAKE) run-built

run-built:
	$(Q)$(RUN_ENV) $(if $(DIR),DIR='$(DIR)') $(if $(SIZE),SIZE='$(SIZE)') scripts/run-job

deps:
	$(Q)FIO='$(FIO)' scripts/install build

# ---- tests ---------------------------------------------------------------

TESTS ?= $(sort $(UNIT_TESTS) $(wildcard tests/*/*.bats tests/*/*.t))
# What also runs with a checker in the engine and the programs: compiled in, or
# valgrind, which is too slow for the end-to-end tests.  Those that look at system
# calls and at files are about other things.
VALGRIND_TESTS ?= $(sort $(UNIT_TESTS) $(wildcard tests/checked/*.bats tests/cases/*.t))
SANITIZED_TESTS ?= $(sort $(VALGRIND_TESTS) \
	$(filter-out tests/e2e/data.bats tests/e2e/syscalls.bats,$(wildcard tests/e2e/*.bats)))
# With one that looks for races: what has threads.
THREAD_TESTS ?= $(sort $(filter %/meet_test %_race_test,$(UNIT_TESTS)) $(wildcard tests/checked/*.bats))
VALGRIND ?= valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite \
	--errors-for-leak-kinds=definite

check:
	$(Q)FIO='$(FIO)' scripts/install build test
	$(Q)$(BUILD_MAKE) all unit-tests
	$(Q)$(MAKE) check-built

check-built: all unit-tests
	$(Q)$(RUN_ENV) tests/run -o $(BUILD)/check $(TESTS)

check-valgrind:
	$(Q)FIO='$(FIO)' scripts/install build test valgrind
	$(Q)$(BUILD_MAKE) all unit-tests
	$(Q)$(RUN_ENV) VALGRIND='$(VALGRIND)' tests/run-checked valgrind '$(BUILD)' $(VALGRIND_TESTS)

check-asan:
	$(Q)FIO='$(FIO)' scripts/install build test
	$(Q)$(BUILD_MAKE) SANITIZE=address,undefined BUILD=build-asan all unit-tests
	$(Q)$(MAKE) SANITIZE=address,undefined BUILD=build-asan check-sanitized

check-tsan:
	$(Q)FIO='$(FIO)' scripts/install build test
	$(Q)$(BUILD_MAKE) SANITIZE=thread BUILD=build-tsan all unit-tests
	$(Q)$(MAKE) SANITIZE=thread BUILD=build-tsan SANITIZED_TESTS='$$(THREAD_TESTS)' check-sanitized

check-sanitized: all unit-tests
	$(Q)$(RUN_ENV) tests/run-checked '$(SANITIZE)' '$(BUILD)' $(SANITIZED_TESTS)

check-fio:
	$(Q)FIO='$(FIO)' scripts/install build test
	$(Q)$(BUILD_MAKE) programs
	$(Q)$(RUN_ENV) tests/fio-versions/check-fio

check-nfs:
	$(Q)FIO='$(FIO)' scripts/install build test nfs
	$(Q)$(BUILD_MAKE) all
	$(Q)$(RUN_ENV) tests/nfs/check-nfs

fidelity bench:
	$(Q)FIO='$(FIO)' scripts/install build bench
	$(Q)$(BUILD_MAKE) all
	$(Q)$(RUN_ENV) tests/bench/$@

fuzz:
	$(Q)FIO='$(FIO)' scripts/install build fuzz
	$(Q)$(RUN_ENV) tests/fuzz/run $(FUZZ_SECONDS)

# ---- style ---------------------------------------------------------------

ALL_C = $(ENGINE_C) $(wildcard translator/*.c tests/*/*.c scripts/*.c)
ALL_H = $(wildcard include/*.h plugin/*.h translator/*.h tests/*/*.h)
TIDY_FIO_C = $(ENGINE_C) $(UNIT_C)
TIDY_C = $(wildcard translator/*.c)
SHELL_SCRIPTS = $(shell grep -lE '^\#!/bin/(ba)?sh' .ci/run scripts/* tests/run* tests/tap-* tests/*/* 2>/dev/null)

lint:
	$(Q)FIO='$(FIO)' scripts/install build test lint
	$(Q)$(MAKE) lint-built

lint-built: $(BUILD)/host-fio
	$(call say,FORMAT,)
	$(Q)clang-format --dry-run -Werror $(ALL_C) $(ALL_H)
	$(call say,SHELL,)
	$(Q)shellcheck -x --severity=warning $(SHELL_SCRIPTS)
	$(Q)$(BUILD_MAKE) CC=gcc BUILD=build-gcc WARNINGS='-Wall -Wextra -Werror' all unit-tests
	$(Q)$(BUILD_MAKE) CC=clang BUILD=build-clang WARNINGS='-Wall -Wextra -Werror' all unit-tests
	$(call say,TIDY,)
	$(Q)printf '%s\n' $(TIDY_C) | xargs -P "$$(nproc)" -I{} clang-tidy --quiet {} -- $(PROGRAM_CFLAGS)
	$(Q)printf '%s\n' $(TIDY_FIO_C) | xargs -P "$$(nproc)" -I{} clang-tidy --quiet {} -- $(TEST_CFLAGS)

format:
	$(Q)clang-format -i $(ALL_C) $(ALL_H)

# ---- installing ----------------------------------------------------------

JOB_FILES = $(wildcard jobfiles/*.fio)
MAN_PAGES = $(wildcard docs/*.1)

install: all
	$(Q)$(INSTALL) -d '$(DESTDIR)$(bindir)' '$(DESTDIR)$(ENGINE_DIR)' '$(DESTDIR)$(JOB_DIR)' \
		'$(DESTDIR)$(mandir)/man1'
	$(Q)$(INSTALL) -m 755 $(PROGRAMS) '$(DESTDIR)$(bindir)'
	$(Q)$(INSTALL) -m 644 $(ENGINE) '$(DESTDIR)$(ENGINE_DIR)'
	$(Q)for job in $(JOB_FILES); do \
		sed 's|^ioengine=external:.*|ioengine=external:$(ENGINE_DIR)/fio-iozone.so|' $$job \
			>'$(DESTDIR)$(JOB_DIR)'/$${job##*/} || exit 1; \
		chmod 644 '$(DESTDIR)$(JOB_DIR)'/$${job##*/}; \
	done
	$(Q)$(if $(MAN_PAGES),$(INSTALL) -m 644 $(MAN_PAGES) '$(DESTDIR)$(mandir)/man1')

uninstall:
	$(Q)rm -f $(PROGRAMS:$(BUILD)/%='$(DESTDIR)$(bindir)/%') '$(DESTDIR)$(ENGINE_DIR)/fio-iozone.so' \
		$(MAN_PAGES:docs/%='$(DESTDIR)$(mandir)/man1/%') $(JOB_FILES:jobfiles/%='$(DESTDIR)$(JOB_DIR)/%')
	$(Q)rmdir '$(DESTDIR)$(JOB_DIR)' '$(DESTDIR)$(ENGINE_DIR)' 2>/dev/null || :

# The sources of fio and the package lists stay: distclean takes them too.
clean:
	$(Q)rm -rf $(wildcard build-*)
	$(Q)[ ! -d build ] || find build -mindepth 1 -maxdepth 1 ! -name 'fio-src-*' ! -name apt \
		! -name fio-versions -exec rm -rf {} +

distclean:
	$(Q)rm -rf build $(wildcard build-*)

help:
	@sed -n 's/^\#: //p' Makefile

#: make             build/fio-iozone.so, build/fio2iozone, build/fiozone
#: make run         run the 32-process 16 KiB job in DIR with files of SIZE; print IOzone's report
#: make check       install what is missing, build, run all tests
#: make deps        install what the build needs
#: make install     PREFIX, DESTDIR, libdir, ENGINE_DIR as usual; make uninstall takes it away
#: make clean       remove what was built; make distclean removes fio's sources too
#:
#: make check-valgrind, check-asan, check-tsan   the tests with a checker of memory or threads
#: make check-fio   against the fio of each Debian release, and crosswise
#: make check-nfs   on a real NFS mount, in User Mode Linux
#: make fidelity    the figures beside those of the real iozone
#: make bench       what the engine costs, beside fio's own and iozone
#: make fuzz        feed the translator broken input, for FUZZ_SECONDS
#: make lint        formatting, compilers' and clang-tidy's warnings; make format
#:
#: V=1              full command lines
#: FIO=, FIO_SRC=   a fio of one's own, and the configured source tree that it was built from
#: SANITIZE=, CC=, BUILD=, TESTS=    sanitizers, compiler, folder to build in, tests to run

-include $(wildcard $(BUILD)/plugin/*.d $(BUILD)/translator/*.d $(BUILD)/tests/unit/*.d)
