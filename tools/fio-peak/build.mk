# fio-peak: fio JSON in, comparison out. jansson parses, libsmartcols prints the table, zlib (where
# there is one) unpacks gzip.
PEAK_SRC := $(wildcard tools/fio-peak/*.c)
PEAK_OBJ := $(PEAK_SRC:%.c=$(BUILD)/%.o)
PEAK_ZLIB := $(shell $(PKG_CONFIG) --exists zlib 2>/dev/null && echo zlib)
PEAK_PKGS := jansson smartcols $(PEAK_ZLIB)
PEAK_LIBS = $(shell $(PKG_CONFIG) --libs $(PEAK_PKGS) 2>/dev/null)
PEAK_CFLAGS = $(if $(PEAK_ZLIB),-DPEAK_ZLIB) $(shell $(PKG_CONFIG) --cflags $(PEAK_PKGS) 2>/dev/null)

$(PEAK_OBJ): EXTRA_CFLAGS = $(PEAK_CFLAGS)

tools: $(BUILD)/fio-peak

$(BUILD)/fio-peak: $(PEAK_OBJ)
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LDFLAGS) $(PEAK_LIBS) -lm

# Unit tests and the fuzzer: everything but main(). t/build.mk has their recipe.
PEAK_TEST := $(patsubst %.c,$(BUILD)/%,$(wildcard t/unit/peak_*.c))

$(PEAK_TEST:%=%.o): EXTRA_CFLAGS = $(PEAK_CFLAGS)
$(PEAK_TEST): private PLUGIN_LIBS = $(PEAK_LIBS) -lm
$(PEAK_TEST): $(filter-out %/main.o,$(PEAK_OBJ))

# The assembler reads these, so the compiler cannot list them.
$(BUILD)/tools/fio-peak/html_assets.o: tools/fio-peak/page.css tools/fio-peak/page.js
