# The tests: C units in t/unit, TAP scripts in t/ (t/long: what check has no time for), the VM in
# t/vm. check prepares everything itself, also on a machine where nothing is installed; what it
# then builds needs a make that sees the new programs and libraries, hence the second one.
UNITS := $(patsubst %.c,$(BUILD)/%,$(wildcard t/unit/*.c))
# An archive, so that a unit gets only the objects that it uses: some need fio around them.
UNIT_ENGINE := $(BUILD)/t/unit/engine.a
# Two at a time: a test in the VM keeps about one core busy.
JOBS ?= 2
TESTS ?= t/*.t
# A test that was named runs alone; all of them run with the units.
WITH_UNITS = $(if $(filter file,$(origin TESTS)),$(UNITS))
LONG_TESTS ?= t/long/*.t

units: $(UNITS)

$(UNIT_ENGINE): $(PLUGIN_OBJS)
	@mkdir -p $(@D)
	rm -f $@ && $(AR) rcs $@ $^

$(UNITS): %: %.o $(UNIT_ENGINE)
	$(CC) -rdynamic -o $@ $^ $(ALL_LDFLAGS) $(PLUGIN_LIBS)

check:
	ci/deps
	$(MAKE) all units
	$(MAKE) prove FILES="$(TESTS) $(WITH_UNITS)"

check-long:
	ci/deps
	$(MAKE) all units
	$(MAKE) prove FILES="$(TESTS) $(LONG_TESTS) $(UNITS)"

# Each file is executed as it is, a script or a binary. PROVE_FLAGS=-v shows every check.
prove:
	@for file in $(FILES); do [ -e "$$file" ] || { \
		echo "$$file: no such test; ls t/*.t t/long/*.t names them" >&2; exit 2; }; done
	BUILD="$(BUILD)" $(PROVE) --exec '' -j$(JOBS) --timer $(PROVE_FLAGS) $(wildcard $(FILES))

.PHONY: units prove
.PRECIOUS: $(BUILD)/t/unit/%.o
