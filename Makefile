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
FIO_CFLAGS = -include $(FIO_SRC)/config-host.h -isystem $(FIO_SRC)

ENGINE_CFLAGS = $(BASE_CFLAGS) -Iplugin -fPIC -fvisibility=hidden $(FIO_CFLAGS) $(CFLAGS) $(CPPFLAGS)
PROGRAM_CFLAGS = $(BASE_CFLAGS) -Itranslator -fPIE -DENGINE_DIR='"$(ENGINE_DIR)"' \
		 -DJOB_DIR='"$(JOB_DIR)"' $(CFLAGS) $(CPPFLAGS)
TEST_CFLAGS = $(BASE_CFLAGS) -Iplugin -Itranslator -Itests/unit -fPIE $(FIO_CFLAGS) $(CFLAGS) $(CPPFLAGS)

ENGINE_LIBS := -lcsv -lpthread
PROGRAM_LIBS := -lyajl -lcsv -lm
TEST_LIBS := -lcmocka -lyajl -lcsv -lm -lpthread

# ---- quiet output --------------------------------------------------------

ifeq ($(V),0)
Q := @
say = @printf '  %-7s %s\n' '$(1)' '$(2)';
else
Q :=
say =
endif
MAKEFLAGS += --no-print-directory

# ---- targets -------------------------------------------------------------

.PHONY: all engine programs unit-tests FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: engine programs
engine: $(ENGINE)
programs: $(PROGRAMS)
unit-tests: $(UNIT_TESTS)

$(ENGINE): $(ENGINE_O)
	$(call say,LD,$@)
	$(Q)$(CC) -shared $(BASE_LDFLAGS) -o $@ $^ $(LDFLAGS) $(ENGINE_LIBS)

$(BUILD)/fio2iozone $(BUILD)/fiozone: $(BUILD)/%: $(BUILD)/translator/%.o $(COMMON_A)
	$(call say,LD,$@)
	$(Q)$(CC) -pie $(BASE_LDFLAGS) -o $@ $^ $(LDFLAGS) $(PROGRAM_LIBS)

$(ENGINE_A): $(ENGINE_O)
$(COMMON_A): $(COMMON_O)
%.a:
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/plugin/%.o: plugin/%.c $(BUILD)/host-fio $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(ENGINE_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/translator/%.o: translator/%.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(PROGRAM_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tests/unit/%.o: tests/unit/%.c $(BUILD)/host-fio $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(TEST_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tests/unit/%_test: $(BUILD)/tests/unit/%_test.o $(COMMON_A) $(ENGINE_A)
	$(call say,LD,$@)
	$(Q)$(CC) -pie $(BASE_LDFLAGS) -o $@ $^ $(LDFLAGS) $(TEST_LIBS)

# The fio that will load the engine, and the headers that go with it.
$(BUILD)/host-fio: FORCE
	$(Q)mkdir -p $(@D) && FIO='$(FIO)' FIO_SRC='$(FIO_SRC)' CC='$(CC)' scripts/host-fio $@

# Whatever is compiled otherwise than the last time is compiled again.
$(BUILD)/flags: FORCE
	$(Q)mkdir -p $(@D); printf '%s\n' '$(subst ','\'',$(CC) $(PROGRAM_CFLAGS) $(FIO_SRC) $(BASE_LDFLAGS))' >$@.new; \
	if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

-include $(wildcard $(BUILD)/plugin/*.d $(BUILD)/translator/*.d $(BUILD)/tests/unit/*.d)
