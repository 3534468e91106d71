// movie.c: `ooze movie`: makes a video of a run's pictures with ffmpeg; keeps it if ffmpeg
// succeeds.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/base/base.h"
#include "../src/render/render.h"
#include "cli.h"
#include "run.h"

extern char **environ;

typedef struct movie_job {
	const char *output;
	double rate; // 0: the scene's
	bool quiet;
	oz_run_folder folder;
	uint32_t first, count; // of the pictures
	oz_run_path file, beside;
} movie_job;

static int parse(movie_job *job, oz_cli_spec *spec, int argc, char **argv)
{
	const oz_cli_option options[] = {
	        {"rate", 'r', "FPS", "pictures a second (default: the scene's frame_rate)",
	         OZ_CLI_NUMBER, &job->rate, 0.1, 1000},
	        {"output", 'o', "FILE", "the video, .mp4 (default DIR/movie.mp4)", OZ_CLI_TEXT,
	         &job->output, 0, 0},
	};
	spec->usage = "movie DIR [options]";
	spec->help =
	        "Makes a video (H.264 in MP4) of DIR/pictures, which 'ooze render DIR' draws.\n"
	        "Needs the program ffmpeg.";
	spec->options = options;
	spec->option_count = sizeof options / sizeof options[0];
	spec->least = spec->most = 1;
	int status = oz_cli_parse(spec, argc, argv);
	job->quiet = spec->quiet;
	if (status == OZ_CLI_GO && job->output && !oz_cli_ends_with(job->output, ".mp4"))
		return oz_cli_wrong("-o is '%s'; the video is an MP4: give it a name that ends in "
		                    ".mp4",
		                    job->output);
	return status;
}

static bool is_among(const uint32_t *numbers, uint32_t count, uint32_t number)
{
	for (uint32_t k = 0; k < count; k++)
		if (numbers[k] == number)
			return true;
	return false;
}

// Fails for a missing picture; `drawable`: its frame exists.
static oz_result picture_missing(const movie_job *job, uint32_t number, bool drawable,
                                 oz_error *error)
{
	const char *folder = job->folder.path;
	if (drawable)
		return oz_fail(error, OZ_ERROR_NOT_FOUND,
		               "picture %" PRIu32 " is missing in %s/pictures; draw them again: "
		               "ooze render %s",
		               number, folder, folder);
	return oz_fail(error, OZ_ERROR_NOT_FOUND,
	               "picture %" PRIu32 " is missing in %s/pictures, and frame %" PRIu32
	               " too; repeat the run, then draw its pictures: ooze run -o %s --force",
	               number, folder, number, folder);
}

// Warns if the numbers of pictures and frames differ; the video is made anyway.
static void compare_with_frames(const movie_job *job, uint32_t frames)
{
	const char *folder = job->folder.path;
	if (frames > job->count)
		oz_cli_warn("%s frames, %s pictures: the render was not finished; go on with: "
		            "ooze render %s",
		            oz_cli_count(frames).s, oz_cli_count(job->count).s, folder);
	if (frames && frames < job->count)
		oz_cli_warn("%s frames, %s pictures: some are of an earlier run; draw them again: "
		            "ooze render %s",
		            oz_cli_count(frames).s, oz_cli_count(job->count).s, folder);
}

static oz_result find_pictures(movie_job *job, oz_error *error)
{
	uint32_t *numbers = NULL, *frames = NULL, frame_count = 0;
	oz_run_path pictures = oz_run_folder_path(&job->folder, "pictures");
	oz_result result = oz_frame_list(oz_run_folder_path(&job->folder, "frames").s, "ply",
	                                 &frames, &frame_count, error);
	if (result == OZ_OK)
		result = oz_frame_list(pictures.s, "png", &numbers, &job->count, error);
	if (result == OZ_OK && job->count == 0)
		result = oz_fail(error, OZ_ERROR_NOT_FOUND,
		                 "%s holds no pictures; draw them first: ooze render %s",
		                 pictures.s, job->folder.path);
	job->first = job->count ? numbers[0] : 0;
	for (uint32_t k = 1; result == OZ_OK && k < job->count; k++) {
		const uint32_t number = job->first + k;
		if (numbers[k] != number)
			result = picture_missing(job, number, is_among(frames, frame_count, number),
			                         error);
	}
	if (result == OZ_OK)
		compare_with_frames(job, frame_count);
	free(numbers);
	free(frames);
	return result;
}

// Fails if the video's file cannot be written, before ffmpeg starts.
static oz_result try_target(const movie_job *job, oz_error *error)
{
	const int file = open(job->beside.s, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (file >= 0) {
		close(file);
		return OZ_OK;
	}
	return oz_fail(error, OZ_ERROR_FILE,
	               "%s cannot be written: %s; choose another place with -o", job->file.s,
	               strerror(errno));
}

// Pictures per second: the option, or the scene's frame_rate (real time), or 30.
static double find_rate(const movie_job *job)
{
	oz_scene *scene = NULL;
	double rate = job->rate;
	if (rate > 0)
		return rate;
	rate = 30;
	if (oz_scene_load(oz_run_folder_path(&job->folder, "scene.json").s, &scene, NULL) == OZ_OK)
		rate = (double)oz_scene_output(scene)->frame_rate;
	oz_scene_free(scene);
	return rate;
}

// The pattern of the pictures, as ffmpeg reads it: a percent sign of the folder is written twice.
static oz_result write_pattern(const movie_job *job, char *text, size_t size, oz_error *error)
{
	size_t at = (size_t)snprintf(text, size, "file:");
	for (const char *c = job->folder.path; *c && at + 40 < size; c++) {
		text[at++] = *c;
		if (*c == '%')
			text[at++] = '%';
	}
	if (at + 40 >= size)
		return oz_fail(error, OZ_ERROR_FILE,
		               "the folder %.60s… has too long a name for ffmpeg; move it",
		               job->folder.path);
	snprintf(text + at, size - at, "/pictures/frame_%%05d.png");
	return OZ_OK;
}

static oz_result wait_for(pid_t child, const movie_job *job, oz_error *error)
{
	int status = 0;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	oz_cli_end_work();
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_FILE,
	               "ffmpeg could not make %s (%s %d); see its messages above, and check that "
	               "it has libx264: ffmpeg -encoders",
	               job->file.s, WIFEXITED(status) ? "status" : "signal",
	               WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

static oz_result run_ffmpeg(const movie_job *job, oz_error *error)
{
	char rate[32], first[16], target[OZ_RUN_PATH_SIZE + 8], pattern[OZ_RUN_PATH_SIZE + 8];
	oz_cli_begin_work("ffmpeg makes a video of %s pictures", oz_cli_count(job->count).s);
	oz_result result = write_pattern(job, pattern, sizeof pattern, error);
	if (result != OZ_OK)
		return result;
	snprintf(rate, sizeof rate, "%.6g", find_rate(job));
	snprintf(first, sizeof first, "%" PRIu32, job->first);
	snprintf(target, sizeof target, "file:%s", job->beside.s);
	// H.264 with yuv420p needs even sizes: pad adds a black line to an odd one
	const char *const words[] = {"ffmpeg",
	                             "-y",
	                             "-nostdin",
	                             "-xerror",
	                             "-loglevel",
	                             "error",
	                             "-framerate",
	                             rate,
	                             "-start_number",
	                             first,
	                             "-i",
	                             pattern,
	                             "-vf",
	                             "pad=ceil(iw/2)*2:ceil(ih/2)*2",
	                             "-c:v",
	                             "libx264",
	                             "-pix_fmt",
	                             "yuv420p",
	                             "-crf",
	                             "18",
	                             "-movflags",
	                             "+faststart",
	                             "-f",
	                             "mp4",
	                             target,
	                             NULL};
	pid_t child;
	int code = posix_spawnp(&child, "ffmpeg", NULL, NULL, (char *const *)words, environ);
	if (code == ENOENT)
		return oz_fail(error, OZ_ERROR_UNAVAILABLE,
		               "the program ffmpeg was not found; install ffmpeg, or make a video "
		               "of %s/pictures with another program",
		               job->folder.path);
	if (code != 0)
		return oz_fail(error, OZ_ERROR_UNAVAILABLE,
		               "ffmpeg cannot be started: %s; check that it runs by itself",
		               strerror(code));
	return wait_for(child, job, error);
}

static oz_result make_movie(movie_job *job, oz_error *error)
{
	job->file = oz_run_folder_path(&job->folder, "movie.mp4");
	if (job->output && strlen(job->output) + 8 > sizeof job->file.s)
		return oz_fail(error, OZ_ERROR_FILE,
		               "the name of the video is too long; choose a shorter one with -o");
	if (job->output)
		snprintf(job->file.s, sizeof job->file.s, "%s", job->output);
	snprintf(job->beside.s, sizeof job->beside.s, "%.4080s.part", job->file.s);
	oz_result result = find_pictures(job, error);
	if (result == OZ_OK)
		result = try_target(job, error);
	if (result == OZ_OK)
		result = run_ffmpeg(job, error);
	if (result == OZ_OK && rename(job->beside.s, job->file.s) != 0)
		result = oz_fail(error, OZ_ERROR_FILE,
		                 "%s cannot be put in place: %s; choose another name with -o",
		                 job->file.s, strerror(errno));
	if (result != OZ_OK)
		unlink(job->beside.s);
	return result;
}

int oz_cli_movie(int argc, char **argv)
{
	movie_job job = {0};
	oz_cli_spec spec = {0};
	oz_error error = {OZ_OK, ""};
	int status = parse(&job, &spec, argc, argv);
	if (status != OZ_CLI_GO)
		return status;
	if (oz_run_folder_name(&job.folder, spec.arguments[0], &error) != OZ_OK ||
	    make_movie(&job, &error) != OZ_OK)
		return oz_cli_fail("%s", error.text);
	if (!job.quiet)
		printf("%s pictures in %s\n", oz_cli_count(job.count).s, job.file.s);
	return OZ_CLI_DONE;
}
