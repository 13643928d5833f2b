# The tools. Each tool's folder adds itself here.
include $(wildcard tools/*/build.mk)
