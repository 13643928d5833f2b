# fio-peak: everything is built into $(BUILD). GNU make.
#   make            the plugin, the tools
#   make check      the tests that CI runs       make check-long   the rest
#   make demo       see it work                  make bench        measure it
#   make deps       install what a fresh Debian 12 lacks (root or sudo)
BUILD   ?= build
PREFIX  ?= /usr/local
LIBDIR   = $(DESTDIR)$(PREFIX)/lib/fio-peak
JOBSDIR  = $(DESTDIR)$(PREFIX)/share/fio-peak/jobs
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
include ci/build.mk

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(EXTRA_CFLAGS) -c -o $@ $<

deps:
	ci/deps

# Two NVMe drives of different speed in a virtual machine; touches nothing of the host.
demo:
	ci/deps build test vm
	$(MAKE) all
	rm -rf $(BUILD)/demo
	t/vm/run --drive=name=fast,size=128M,iops=5000,bps=200M \
		--drive=name=slow,size=128M,iops=2000,bps=80M --out=$(BUILD)/demo t/vm/demo.sh
	$(BUILD)/fio-peak $(BUILD)/demo

install: all
	install -D -m 755 -t $(LIBDIR) $(BUILD)/nvmept.so
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/bin $(BUILD)/fio-peak $(BUILD)/nvsim
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man1 tools/*/*.1
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man7 engine/*.7
	cd jobs && find . -type f -exec install -D -m 644 {} $(JOBSDIR)/{} \;

clean:
	rm -rf $(BUILD)

.PHONY: all plugin tools deps clean check check-long demo bench install
-include $(shell find $(BUILD)/engine $(BUILD)/tools $(BUILD)/t -name '*.d' -type f 2>/dev/null)
