# nvsim: makes and inspects model drives. The model is engine/model, the same as the plugin's.
NVSIM_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tools/nvsim/*.c tools/nvsim/tcp/*.c))

$(NVSIM_OBJ): EXTRA_CFLAGS = $(shell $(PKG_CONFIG) --cflags jansson 2>/dev/null)

tools: $(BUILD)/nvsim

$(BUILD)/nvsim: $(NVSIM_OBJ) $(BUILD)/engine/status.o $(BUILD)/engine/model.a
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LDFLAGS) $(shell $(PKG_CONFIG) --libs jansson) -lpthread -lm
