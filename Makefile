# fio-peak: everything is built into $(BUILD). GNU make.
#   make            the plugin, the tools
#   make check      the tests that CI runs       make check-long   the rest
#   make demo       see it work, on model drives  make demo-vm      ... on QEMU's NVMe drives
#   make bench      measure it
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

# Two model drives, a file each; no root, no device.
demo:
	ci/deps build test
	$(MAKE) all
	BUILD="$(BUILD)" OUT="$(BUILD)/demo" t/demo.sh
	$(BUILD)/fio-peak $(BUILD)/demo/results

# The same by Linux' own NVMe driver on two drives of QEMU's, in a virtual machine.
demo-vm:
	ci/deps build test vm
	$(MAKE) all
	rm -rf $(BUILD)/demo-vm
	t/vm/run --drive=name=fast,size=128M,iops=5000,bps=200M \
		--drive=name=slow,size=128M,iops=2000,bps=80M --out=$(BUILD)/demo-vm t/vm/demo.sh
	$(BUILD)/fio-peak $(BUILD)/demo-vm

install: all
	install -D -m 755 -t $(LIBDIR) $(BUILD)/nvmept.so
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/bin $(BUILD)/fio-peak $(BUILD)/fio-curve $(BUILD)/nvsim
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man1 tools/*/*.1
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man5 engine/*.5
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man7 engine/*.7
	cd jobs && find . -type f -exec install -D -m 644 {} $(JOBSDIR)/{} \;

clean:
	rm -rf $(BUILD)

.PHONY: all plugin tools deps clean check check-long demo demo-vm bench install
-include $(shell find $(BUILD)/engine $(BUILD)/tools $(BUILD)/t -name '*.d' -type f 2>/dev/null)
