# fio-peak: fio JSON in, comparison out. jansson parses, libsmartcols prints the table.
PEAK_SRC := $(wildcard tools/fio-peak/*.c)
PEAK_OBJ := $(PEAK_SRC:%.c=$(BUILD)/%.o)
PEAK_LIBS = $(shell $(PKG_CONFIG) --libs jansson smartcols)

$(PEAK_OBJ): EXTRA_CFLAGS = $(shell $(PKG_CONFIG) --cflags jansson smartcols)

tools: $(BUILD)/fio-peak

$(BUILD)/fio-peak: $(PEAK_OBJ)
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LDFLAGS) $(PEAK_LIBS) -lm

# Unit tests and the fuzzer: everything but main(). t/build.mk has their recipe.
PEAK_TEST := $(patsubst %.c,$(BUILD)/%,$(wildcard t/unit/peak_*.c))

$(PEAK_TEST:%=%.o): EXTRA_CFLAGS = $(shell $(PKG_CONFIG) --cflags jansson smartcols)
$(PEAK_TEST): private PLUGIN_LIBS = $(PEAK_LIBS) -lm
$(PEAK_TEST): $(filter-out %/main.o,$(PEAK_OBJ))

# The assembler reads these, so the compiler cannot list them.
$(BUILD)/tools/fio-peak/html_assets.o: tools/fio-peak/page.css tools/fio-peak/page.js
