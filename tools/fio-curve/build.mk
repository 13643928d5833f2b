# fio-curve: one fio run per point of a curve. It shares fio-peak's reader of fio's JSON, the engine's
# safety guard, and the model drive.
CURVE_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tools/fio-curve/*.c))
CURVE_USES := $(patsubst %,$(BUILD)/tools/fio-peak/%.o,beside read frame text) $(BUILD)/engine/guard.o $(BUILD)/engine/power/journal.o \
	$(BUILD)/engine/power/lock.o \
	$(BUILD)/engine/model.a
CURVE_LIBS = $(shell $(PKG_CONFIG) --libs jansson mount 2>/dev/null) -lpthread -lm

$(CURVE_OBJ): EXTRA_CFLAGS = $(shell $(PKG_CONFIG) --cflags jansson mount 2>/dev/null)

tools: $(BUILD)/fio-curve

$(BUILD)/fio-curve: $(CURVE_OBJ) $(CURVE_USES)
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LDFLAGS) $(CURVE_LIBS)

# Unit tests: everything but main(). t/build.mk has their recipe.
CURVE_TEST := $(patsubst %.c,$(BUILD)/%,$(wildcard t/unit/curve_*.c))

$(CURVE_TEST): private PLUGIN_LIBS = $(CURVE_LIBS)
$(CURVE_TEST): $(filter-out %/main.o,$(CURVE_OBJ)) $(CURVE_USES)
