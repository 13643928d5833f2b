# The plugin: build/nvmept.so. liburing goes in statically, so that the host needs none.
MODEL_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard engine/model/*.c))
PLUGIN_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard engine/*.c engine/power/*.c engine/telemetry/*.c)) $(MODEL_OBJS)
PLUGIN_LIBS := -l:liburing.a -lnvme -ljansson $(shell $(PKG_CONFIG) --libs mount 2>/dev/null) -ldl -lm
# The model drive alone, for nvsim and the tests.
MODEL_LIB := $(BUILD)/engine/model.a

plugin: $(BUILD)/nvmept.so

$(PLUGIN_OBJS): EXTRA_CFLAGS = -fPIC -fno-plt -fvisibility=hidden $(shell $(PKG_CONFIG) --cflags mount 2>/dev/null)

# -z now: a function that the running fio lacks is an error at load, not in the middle of a run.
# -z nodelete: fio unloads engines while their memory is still shared between jobs.
$(BUILD)/nvmept.so: $(PLUGIN_OBJS)
	$(CC) $(ALL_LDFLAGS) -shared -Wl,-z,now -Wl,-z,nodelete -Wl,--exclude-libs,ALL \
		-o $@ $^ $(PLUGIN_LIBS)

$(MODEL_LIB): $(MODEL_OBJS)
	rm -f $@ && $(AR) rcs $@ $^
