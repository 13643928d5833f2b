# What make bench runs; ci/bench explains it.
BENCH := $(addprefix $(BUILD)/t/bench/,own table model)
# The plugin's objects but for target.o, in whose place own.c stands.
BENCH_ENGINE := $(filter-out %/target.o %/guard.o,$(PLUGIN_OBJS))

bench:
	ci/deps
	$(MAKE) all bench-programs
	BUILD="$(BUILD)" ci/bench
	BUILD="$(BUILD)" ci/bench-peak

bench-programs: plugin $(BENCH)

# t/60-bench.t runs them.
units: bench-programs

# -rdynamic: the plugin's code asks the program around it for fio's version.
$(BUILD)/t/bench/own: $(BUILD)/t/bench/own.o $(BENCH_ENGINE)
	$(CC) $(ALL_LDFLAGS) -rdynamic -o $@ $^ $(PLUGIN_LIBS)

$(BUILD)/t/bench/table: $(BUILD)/t/bench/table.o
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -ljansson -lm

$(BUILD)/t/bench/model: $(BUILD)/t/bench/model.o $(MODEL_LIB) $(BUILD)/engine/status.o
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -ljansson -lm

.PHONY: bench-programs
