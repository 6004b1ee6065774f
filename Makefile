# hallmark: build, test, release. `make help` lists the targets.
#
# This file must parse on a machine that has only git and make: nothing here asks a compiler or
# pkg-config anything before a rule needs the answer. GNU make 3.81 is enough.

BUILD      ?= build
PREFIX     ?= /usr/local
DESTDIR    ?=
PKG_CONFIG ?= pkg-config
# Set to anything: ASan and UBSan. `make test` uses it for $(BUILD)/asan.
SANITIZE   ?=
# Set to anything, with CC=clang-19: coverage for libFuzzer. `make fuzz` uses it.
FUZZER     ?=
# no: without Unicorn, even when it is there; then there is no assay.
UNICORN    ?=
# no: link with every library. yes: load some only when they are needed; not for macOS.
LAZY       ?= $(if $(filter Darwin,$(SYSTEM)),no,yes)
# make test: only the tests whose name matches this pattern.
T          ?=
JOBS       ?= 2

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:

SYSTEM  := $(shell uname -s)
PKGS    := libgit2 libcrypto libarchive libcyaml yaml-0.1 jansson zlib
LAYERS  := base port format macho config assay stage cli
DATADIR := $(PREFIX)/share/hallmark

# ---- flags ----------------------------------------------------------------------------------

CFLAGS  ?= -O2 -g
LDFLAGS ?=

WARN := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
        -Wold-style-definition -Wvla -Wformat=2 -Wundef -Wpointer-arith -Wwrite-strings \
        -Wimplicit-fallthrough -Wswitch

ifeq ($(SYSTEM),Darwin)
PLATFORM_CFLAGS  := -D_DARWIN_C_SOURCE
PLATFORM_LDFLAGS :=
# Homebrew does not link these into its prefix, since macOS has them, if without headers, or a zlib
# that is Apple's own.
KEG_ONLY := openssl@3 libarchive zlib
EMPTY    :=
export PKG_CONFIG_PATH := $(PKG_CONFIG_PATH)$(subst $(EMPTY) ,,$(foreach p,/opt/homebrew /usr/local,\
                            $(foreach k,$(KEG_ONLY),:$p/opt/$k/lib/pkgconfig)))
else
PLATFORM_CFLAGS  := -D_GNU_SOURCE -fPIE
PLATFORM_LDFLAGS := -pie -Wl,-z,relro,-z,now -Wl,--as-needed
endif

# Libraries that are loaded when they are first needed (base/lazy.h). The symbol is of port/odb.c.
ifeq ($(LAZY),yes)
LAZY_PKGS        := libgit2 libarchive unicorn
PLATFORM_CFLAGS  += -DHALLMARK_LAZY
PLATFORM_LDFLAGS += -Wl,--export-dynamic-symbol=mbedtls_x509_crt_parse_file
endif

ifneq ($(SANITIZE),)
HARDEN      := -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
HARDEN_LINK := -fsanitize=address,undefined
else
HARDEN      := -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
HARDEN_LINK :=
endif

ifneq ($(FUZZER),)
HARDEN += -fsanitize=fuzzer-no-link
endif

# Relative source names and the prefix map keep the build directory out of the binary.
ALL_CFLAGS  = -std=c17 $(PLATFORM_CFLAGS) $(CFLAGS) $(HARDEN) $(WARN) -pthread \
              "-ffile-prefix-map=$(CURDIR)=." -Isrc $(OPTIONAL_CFLAGS) $(CPPFLAGS)
ALL_LDFLAGS = $(PLATFORM_LDFLAGS) $(HARDEN_LINK) -pthread $(LDFLAGS)
DEPFLAGS    = -MMD -MP -MF $(@:.o=.d)

# Asked once, and only when a rule first uses the answer.
PKG_CFLAGS    = $(eval PKG_CFLAGS := $$(shell $(PKG_CONFIG) --cflags $(PKGS) $(OPTIONAL)))$(PKG_CFLAGS)
PKG_LIBS      = $(eval PKG_LIBS := $$(shell $(PKG_CONFIG) --libs $(filter-out $(LAZY_PKGS),$(PKGS) $(OPTIONAL))) $(if $(LAZY_PKGS),-ldl))$(PKG_LIBS)
# Libraries that hallmark can be built without; HALLMARK_UNICORN tells port/emu.c. UNICORN=no: never.
OPTIONAL      = $(eval OPTIONAL := $$(shell [ '$(UNICORN)' = no ] || ! $(PKG_CONFIG) --exists unicorn || echo unicorn))$(OPTIONAL)
OPTIONAL_CFLAGS = $(patsubst unicorn,-DHALLMARK_UNICORN,$(OPTIONAL))
CMOCKA_CFLAGS = $(eval CMOCKA_CFLAGS := $$(shell $(PKG_CONFIG) --cflags cmocka))$(CMOCKA_CFLAGS)
CMOCKA_LIBS   = $(eval CMOCKA_LIBS := $$(shell $(PKG_CONFIG) --libs cmocka))$(CMOCKA_LIBS)

# ---- files ----------------------------------------------------------------------------------

LIB_SRCS  := $(sort $(foreach l,$(LAYERS),$(wildcard src/$l/*.c)))
LIB_OBJS  := $(LIB_SRCS:src/%.c=$(BUILD)/obj/%.o)
MAIN_OBJ  := $(BUILD)/obj/main.o
LIB       := $(BUILD)/libhallmark.a
BIN       := $(BUILD)/hallmark

# Of tests/unit, test_*.c are programs; whatever else is there are helpers, of which each of them,
# the fuzz targets and the tools are linked with what they use.
UNIT_SRCS := $(sort $(wildcard tests/unit/test_*.c))
UNIT_BINS := $(UNIT_SRCS:tests/%.c=$(BUILD)/tests/%)
HELP_SRCS := $(sort $(filter-out $(UNIT_SRCS),$(wildcard tests/unit/*.c)))
HELP_OBJS := $(HELP_SRCS:tests/%.c=$(BUILD)/obj/tests/%.o)
HELP_LIB  := $(BUILD)/tests/libhelp.a
FUZZ_SRCS := $(sort $(wildcard tests/fuzz/fuzz_*.c))
FUZZ_BINS := $(FUZZ_SRCS:tests/%.c=$(BUILD)/tests/%)
TOOL_SRCS := $(sort $(wildcard tests/tools/*.c))
TOOL_BINS := $(TOOL_SRCS:tests/%.c=$(BUILD)/tests/%)
# Libraries that tests preload to make system calls fail; never sanitized themselves. macOS has no
# LD_PRELOAD: the tests that need one skip there.
FAULT_SRCS := $(if $(filter Darwin,$(SYSTEM)),,$(sort $(wildcard tests/faults/*.c)))
FAULT_LIBS := $(FAULT_SRCS:tests/%.c=$(BUILD)/tests/%.so)
TEST_OBJS := $(patsubst tests/%.c,$(BUILD)/obj/tests/%.o,\
               $(UNIT_SRCS) $(FUZZ_SRCS) $(TOOL_SRCS)) $(HELP_OBJS) $(BUILD)/obj/tests/fuzz/replay.o

# ---- building -------------------------------------------------------------------------------

.PHONY: all lib unit tests-build fuzz-build
all: $(BIN)                     ## the hallmark program (the default)
lib: $(LIB)
unit: $(UNIT_BINS)
tests-build: $(BIN) $(UNIT_BINS) $(FUZZ_BINS) $(TOOL_BINS) $(FAULT_LIBS)
fuzz-build: $(FUZZ_BINS) $(FUZZ_BINS:$(BUILD)/tests/fuzz/%=$(BUILD)/tests/libfuzzer/%)

$(BIN): $(MAIN_OBJ) $(LIB)
	@echo "  LD    $@"
	@$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(MAIN_OBJ) $(LIB) $(PKG_LIBS)

$(LIB): $(LIB_OBJS) $(BUILD)/objects.txt
	@echo "  AR    $@"
	@rm -f $@
	@$(AR) rcs $@ $(LIB_OBJS)

$(BUILD)/obj/%.o: src/%.c $(BUILD)/flags.txt
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CC) $(ALL_CFLAGS) $(PKG_CFLAGS) $(EXTRA_CFLAGS) $(DEPFLAGS) -c -o $@ $<

$(BUILD)/obj/tests/%.o: tests/%.c $(BUILD)/flags.txt
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CC) $(ALL_CFLAGS) -Itests $(PKG_CFLAGS) $(CMOCKA_CFLAGS) $(DEPFLAGS) -c -o $@ $<

$(HELP_LIB): $(HELP_OBJS) $(BUILD)/objects.txt
	@mkdir -p $(@D)
	@echo "  AR    $@"
	@rm -f $@
	@$(AR) rcs $@ $(HELP_OBJS)

$(BUILD)/tests/unit/%: $(BUILD)/obj/tests/unit/%.o $(HELP_LIB) $(LIB)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(HELP_LIB) $(LIB) $(PKG_LIBS) $(CMOCKA_LIBS)

$(BUILD)/tests/fuzz/%: $(BUILD)/obj/tests/fuzz/%.o $(BUILD)/obj/tests/fuzz/replay.o $(HELP_LIB) $(LIB)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(filter %.o %.a,$^) $(PKG_LIBS) $(CMOCKA_LIBS)

$(BUILD)/tests/libfuzzer/%: $(BUILD)/obj/tests/fuzz/%.o $(HELP_LIB) $(LIB)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer $(ALL_LDFLAGS) -o $@ $(filter %.o %.a,$^) $(PKG_LIBS) $(CMOCKA_LIBS)

$(BUILD)/tests/tools/%: $(BUILD)/obj/tests/tools/%.o $(HELP_LIB) $(LIB)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(HELP_LIB) $(LIB) $(PKG_LIBS)

$(BUILD)/tests/faults/%.so: tests/faults/%.c $(BUILD)/flags.txt
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(CC) -std=c17 $(PLATFORM_CFLAGS) $(CFLAGS) $(WARN) -fPIC -shared -Isrc -o $@ $< -ldl

# The one object that knows where the data is installed: made again when PREFIX changes.
$(BUILD)/obj/base/datadir.o: EXTRA_CFLAGS = -DHALLMARK_DATADIR='"$(DATADIR)"'
$(BUILD)/obj/base/datadir.o: $(BUILD)/datadir.txt

# Files that change only when what they say changes. The first also checks that the libraries
# are there, so that a missing one is named instead of a missing header.
.PHONY: FORCE
FORCE:
define update
@mkdir -p $(@D); printf '%s\n' '$(strip $(1))' >$@.new; \
if cmp -s $@.new $@; then rm -f $@.new; else mv -f $@.new $@; fi
endef
$(BUILD)/flags.txt: FORCE
	@$(PKG_CONFIG) --print-errors --exists $(PKGS) || \
		{ echo "hallmark: libraries are missing (see above); 'ci/setup build' installs them" >&2; exit 1; }
	$(call update,$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS))
$(BUILD)/objects.txt: FORCE
	$(call update,$(LIB_OBJS) $(HELP_OBJS))
$(BUILD)/datadir.txt: FORCE
	$(call update,$(DATADIR))

.SECONDARY: $(TEST_OBJS)
-include $(LIB_OBJS:.o=.d) $(MAIN_OBJ:.o=.d) $(TEST_OBJS:.o=.d)

# ---- checking -------------------------------------------------------------------------------

.PHONY: test lint bench corpus fuzz
test:                           ## set up, build, run every test, plain and under ASan+UBSan; T=pattern
	@BUILD='$(BUILD)' MAKE='$(MAKE_COMMAND)' JOBS='$(JOBS)' ci/test '$(T)'

lint:                           ## layers, formatting, static analysis, gates on length, two compilers
	@BUILD='$(BUILD)' MAKE='$(MAKE_COMMAND)' JOBS='$(JOBS)' ci/lint

bench:                          ## measure against a shell script, git archive and openssl
	@ci/setup bench
	@$(MAKE) all $(BUILD)/tests/tools/maxrss
	@BUILD='$(BUILD)' ci/bench

corpus: all                     ## fetch real Mach-O files that others made, and test against them
	@ci/setup test
	@tests/corpus/fetch
	@tests/run '$(BUILD)' '^corpus$$'

fuzz:                           ## fuzz each parser for T=seconds (default 60), JOBS at a time
	@ci/setup test
	@BUILD='$(BUILD)' MAKE='$(MAKE_COMMAND)' JOBS='$(JOBS)' ci/fuzz '$(or $(T),60)'

# ---- using ----------------------------------------------------------------------------------

.PHONY: release install uninstall clean help
release:                        ## derive the latest release into dist/ and audit it
	@BUILD='$(BUILD)' MAKE='$(MAKE_COMMAND)' ci/release

install: $(BIN)                 ## program, manual page and toolchain data below PREFIX
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' ci/install install '$(BIN)'

uninstall:                      ## remove what install put there
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' ci/install uninstall

clean:                          ## remove what was built (never dist/)
	rm -rf $(BUILD)

help:                           ## this list
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 20
	@echo
	@echo "  BUILD=$(BUILD) PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) CC=$(CC) SANITIZE=$(SANITIZE)"
