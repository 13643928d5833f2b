// SPDX-License-Identifier: GPL-2.0-only
/* fio-curve reads job files as fio does, and their second line: what is taken, what is refused. */
#include <stdlib.h>
#include <unistd.h>

#include "t/unit/tap.h"
#include "tools/fio-curve/header.h"
#include "tools/fio-curve/jobfile.h"
#include "tools/fio-curve/traffic.h"

static char path[] = "/tmp/curve-jobfile-XXXXXX";

static char *read_text(const char *text, struct jobfile *f)
{
	FILE *out = fopen(path, "w");

	fputs(text, out);
	fclose(out);
	return jobfile_read(path, f);
}

static void test_read(void)
{
	struct jobfile f;
	char *text, *why = read_text(
			    "# a comment\n; another\n\n[global]\n  blocksize = 8k \nnorandommap\n"
			    "[a]\nreadwrite=randread\nbs=4k\n[global]\nruntime=7\n[b]\n"
			    "filename_format=x.$jobnum\r\n",
			    &f);

	if (!ok(!why, "a job file is read")) {
		printf("# %s\n", why);
		return;
	}
	is_int((long)f.nr, 2, "two sections");
	is_str(section_get(&f.section[0], "rw"), "randread", "names have one spelling");
	is_str(section_get(&f.section[0], "readwrite"), "randread", "... whichever is asked for");
	is_str(section_get(&f.section[0], "bs"), "4k", "a section wins over [global]");
	is_str(section_get(&f.section[1], "bs"), "8k", "... which holds otherwise, without blanks");
	ok(!section_get(&f.section[0], "runtime"), "a later [global] does not reach back");
	is_str(section_get(&f.section[1], "runtime"), "7", "... but forward");
	is_str(section_get(&f.section[1], "norandommap"), "", "an option without a value");
	ok(section_flag(&f.section[1], "norandommap"), "... is on");
	is_str(section_get(&f.section[1], "filename_format"), "x.$jobnum",
	       "fio's own $jobnum stays");
	section_set(&f.section[0], "blocksize", "16k");
	section_unset(&f.section[1], "timeout");
	section_set(&f.global, "ioengine", "null");
	f.remark = strdup("one\ntwo");
	text = jobfile_text(&f);
	is_str(text,
	       "# one\n# "
	       "two\n\n[global]\nioengine=null\n\n[a]\nbs=16k\nnorandommap\nrw=randread\n\n"
	       "[b]\nbs=8k\nnorandommap\nfilename_format=x.$jobnum\n",
	       "it is written with all of that");
	free(text);
	jobfile_free(&f);
}

static void test_refusals(void)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ "", "no job section" },
		{ "[global]\nbs=4k\n", "no job section" },
		{ "bs=4k\n[a]\n", "before the first [section]" },
		{ "[a\nbs=4k\n", "is no section" },
		{ "[]\n", "is no section" },
		{ "[a]\n[a]\n", "second section [a]" },
		{ "[a]\ninclude other.fio\n", "include" },
		{ "[a]\nsize=${SIZE}\n", "the environment has no SIZE" },
		{ "[a]\nbs=$pagesize\n", "$pagesize is not supported" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct jobfile f;
		char *why = read_text(cases[i].text, &f);

		ok(why && strstr(why, cases[i].why), "refused: %s", cases[i].why);
		free(why);
		jobfile_free(&f);
	}
}

static void test_header(void)
{
	static const struct {
		const char *line, *why;
	} wrong[] = {
		{ "# a comment", "line 2" },
		{ "# fio-peak: shape=random destroys=no time=30+30s", "mode= is missing" },
		{ "# fio-peak: mode=curve shape=random time=30+30s", "destroys= is missing" },
		{ "# fio-peak: mode=curve shape=random destroys=no", "time= is missing" },
		{ "# fio-peak: mode=sweep shape=random destroys=no time=30+30s", "mode=sweep" },
		{ "# fio-peak: mode=curve shape=random destroys=maybe time=30+30s",
		  "destroys=maybe" },
		{ "# fio-peak: mode=curve shape=random destroys=no time=soon", "time=soon" },
		{ "# fio-peak: mode=curve shape=random destroys=no time=1-pass colour=red",
		  "colour" },
		{ "# fio-peak: mode=grid shape=random destroys=no time=1+1s grid=2", "grid=2" },
		{ "# fio-peak: mode=once shape=random destroys=no time=1+1s precondition=wash",
		  "precondition=wash" },
	};
	struct header h;
	char *why = header_parse("# fio-peak: mode=grid shape=mixed destroys=yes time=30+3600s "
				 "grid=2x2,16x16 shares=a:1 precondition=steady\n",
				 "x.fio", &h);

	ok(!why && h.mode == MODE_GRID && h.shape == SHAPE_MIXED && h.destroys && h.timed &&
		   h.ramp_ms == 30000 && h.run_ms == 3600000 && h.grid.nr == 2 &&
		   h.precondition == PRECONDITION_STEADY,
	   "a header with everything");
	free(why);
	header_free(&h);
	why = header_parse("# fio-peak: mode=once shape=stream destroys=yes time=2-passes", "x.fio",
			   &h);
	ok(!why && !h.timed && h.passes == 2 && !h.precondition, "a header with passes");
	free(why);
	header_free(&h);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		why = header_parse(wrong[i].line, "x.fio", &h);
		ok(why && strstr(why, wrong[i].why) && strstr(why, "x.fio"), "refused: %s",
		   wrong[i].why);
		free(why);
	}
}

static void test_traffic(void)
{
	static const struct {
		const char *text;
		double reads, mean_read, mean_write;
		long min, max;
	} cases[] = {
		{ "rw=randread\n", 1, 4096, 0, 4096, 4096 },
		{ "rw=read:496k\nbs=16k\n", 1, 16384, 0, 16384, 16384 },
		{ "rw=randrw\nrwmixread=70\nbs=8k\n", 0.7, 8192, 8192, 8192, 8192 },
		{ "rw=rw\nrwmixwrite=20\nbs=4k,8k\n", 0.8, 4096, 8192, 4096, 8192 },
		{ "rw=randwrite\nbs=4k,64k\n", 0, 0, 65536, 65536, 65536 },
		{ "rw=randrw\nbssplit=4k/50:64k/50,8k/100\n", 0.5, 34816, 8192, 4096, 65536 },
		{ "rw=randread\nbssplit=4k/50:8k/:16k/\n", 1, 8192, 0, 4096, 16384 },
		{ "rw=randwrite\nbsrange=4k-12k\n", 0, 0, 8192, 4096, 12288 },
		{ "rw=randtrim\nbs=4k,4k,1m\n", 0, 0, 1048576, 1048576, 1048576 },
	};
	static const char *const wrong[] = { "rw=sideways\n",
					     "bs=big\n",
					     "rw=randrw\nrwmixread=101\n",
					     "bssplit=4k/60:8k/60\n",
					     "bssplit=4k/50\n",
					     "numjobs=many\n",
					     "iodepth=0\n" };
	struct jobfile f;
	struct traffic t;
	char text[128], *why;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(text, sizeof(text), "[a]\n%s", cases[i].text);
		free(read_text(text, &f));
		why = traffic_read(&f.section[0], &t);
		if (!ok(!why && t.share[READS] == cases[i].reads &&
				t.mean_bs[READS] == cases[i].mean_read &&
				t.mean_bs[WRITES] == cases[i].mean_write &&
				t.min_bs == (uint64_t)cases[i].min &&
				t.max_bs == (uint64_t)cases[i].max,
			"case %zu", i))
			printf("# %s: %s %g %g %g\n", cases[i].text, why, t.share[READS],
			       t.mean_bs[READS], t.mean_bs[WRITES]);
		free(why);
		jobfile_free(&f);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(text, sizeof(text), "[a]\n%s", wrong[i]);
		free(read_text(text, &f));
		why = traffic_read(&f.section[0], &t);
		ok(why && strstr(why, "[a]"), "refused: %s", why);
		free(why);
		jobfile_free(&f);
	}
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	test_read();
	test_refusals();
	test_header();
	test_traffic();
	unlink(path);
	return done_testing();
}
