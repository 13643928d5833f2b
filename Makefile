# fio-peak: everything is built into $(BUILD). GNU make.
#   make            the plugin, the tools
#   make check      the tests that CI runs       make check-long   the rest
#   make demo       see it work                  make bench        measure it
#   make deps       install what a fresh Debian 12 lacks (root or sudo)
BUILD   ?= build
PREFIX  ?= /usr/local
CC      ?= cc
PKG_CONFIG ?= pkg-config
PROVE   ?= prove

CFLAGS  ?= -O2 -g
WARN    := -Wall -Wextra -Werror -Wno-unused-parameter -Wmissing-prototypes \
	   -Wstrict-prototypes -Wshadow -Wvla
# SAN=address,undefined builds everything with sanitizers (use another BUILD).
SANFLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE -I. $(WARN) $(CFLAGS) $(SANFLAGS) -MMD -MP
ALL_LDFLAGS = $(LDFLAGS) $(SANFLAGS)

all: plugin tools

include engine/build.mk
include tools/build.mk
include t/build.mk

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(EXTRA_CFLAGS) -c -o $@ $<

deps:
	ci/deps

clean:
	rm -rf $(BUILD)

.PHONY: all plugin tools deps clean check check-long demo bench install
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
