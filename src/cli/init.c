/* `dither init`: a policy drafted from data files. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/draft_yaml.h"

enum { DRAFT_BYTES = 16 << 20, ARENA_BYTES = 256 << 20 };

struct init_request {
    const char *const *files;
    size_t file_count;
    const char *output, *dataset;
    bool peek;
};

/* The folder that the policy will lie in, with every link followed. */
static status policy_folder(const char *output, char folder[PATH_MAX], error *why)
{
    const char *slash = output != NULL ? strrchr(output, '/') : NULL;
    char given[PATH_MAX] = ".";
    if (slash != NULL)
        snprintf(given, sizeof given, "%.*s", slash == output ? 1 : (int)(slash - output), output);
    if (realpath(given, folder) == NULL)
        return fail(why, DITHER_IO, "%.200s: %s", given, strerror(errno));
    return DITHER_OK;
}

/* How a policy in `folder` names the file: relative to it, where it lies in it. */
static status name_source(const char *file, const char *folder, struct arena *arena, const char **out,
                          error *why)
{
    char path[PATH_MAX], *copy = NULL;
    if (realpath(file, path) == NULL)
        return fail(why, DITHER_IO, "%.200s: %s", file, strerror(errno));
    size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    const char *name = path;
    if (strncmp(path, folder, length) == 0 && path[length] == '/')
        name = path + length + 1;
    TRY(arena_text(arena, name, strlen(name), &copy, why));
    *out = copy;
    return DITHER_OK;
}

static status write_draft(const struct init_request *request, struct arena *arena, struct buffer *out,
                          error *why)
{
    const struct draft *draft = NULL;
    char folder[PATH_MAX];
    void *room = NULL;
    TRY(policy_folder(request->output, folder, why));
    TRY(draft_read(request->files, request->file_count, request->peek, arena, &draft, why));
    TRY(arena_take(arena, draft->table_count * sizeof(char *), &room, why));
    const char **sources = room;
    for (size_t i = 0; i < draft->table_count; i++)
        if (draft->tables[i].file != NULL)
            TRY(name_source(draft->tables[i].file, folder, arena, &sources[i], why));
    struct draft_request wanted = {.dataset = request->dataset, .peek = request->peek, .sources = sources};
    if (draft->database != NULL)
        TRY(name_source(draft->database, folder, arena, &wanted.database, why));
    return draft_yaml(draft, &wanted, out, why);
}

/* Never over a file that is there. */
static status save(const char *path, const struct buffer *text, error *why)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0 && errno == EEXIST)
        return fail(why, DITHER_REFUSED, "%.200s is there already, and is not overwritten", path);
    if (file < 0)
        return fail(why, DITHER_IO, "%.200s: %s", path, strerror(errno));
    bool failed = false;
    for (size_t done = 0; done < text->length && !failed;) {
        ssize_t count = write(file, text->data + done, text->length - done);
        failed = count < 0;
        done += failed ? 0 : (size_t)count;
    }
    failed = close(file) != 0 || failed;
    if (!failed)
        return DITHER_OK;
    int cause = errno;
    unlink(path);
    return fail(why, DITHER_IO, "%.200s: %s", path, strerror(cause));
}

static size_t count_words(const char *text, const char *words)
{
    size_t count = 0;
    for (const char *at = strstr(text, words); at != NULL; at = strstr(at + 1, words))
        count++;
    return count;
}

static status draft_policy(const struct init_request *request, error *why)
{
    struct arena arena;
    struct buffer out;
    arena_init(&arena, ARENA_BYTES);
    buffer_init(&out, DRAFT_BYTES);
    status result = DITHER_OK;
    if (request->output != NULL && access(request->output, F_OK) == 0) /* before minutes of reading */
        result =
            fail(why, DITHER_REFUSED, "%.200s is there already, and is not overwritten", request->output);
    if (result == DITHER_OK)
        result = write_draft(request, &arena, &out, why);
    if (result == DITHER_OK && request->output == NULL)
        result = cli_write(&out, why);
    else if (result == DITHER_OK)
        result = save(request->output, &out, why);
    if (result == DITHER_OK && request->output != NULL)
        printf("%s is drafted: fill in %zu line%s, then `dither check %s`\n", request->output,
               count_words(out.data, "# fill in"), count_words(out.data, "# fill in") == 1 ? "" : "s",
               request->output);
    buffer_free(&out);
    arena_free(&arena);
    return result;
}

static const struct cli_help help = {
    .usage = "init FILE... [--output POLICY] [--dataset NAME] [--peek]",
    .about =
        "Drafts a policy from CSV, Parquet, JSON or DuckDB files: tables, columns, types, and guesses from\n"
        "names who is protected and how tables hang together. Ranges and limits are left for the owner\n"
        "to fill in, and the draft is refused until they are. Files are never overwritten.\n"
        "With --peek the owner lets it look at the rows and propose ranges, rounded outwards. They are\n"
        "marked, and nothing is answered under them until the owner has removed the mark.",
    .example = "  dither init examples/hospital/patients.csv examples/hospital/visits.csv",
};

static int run(int argc, char **argv)
{
    struct init_request request = {0};
    const struct cli_option list[] = {
        {"output", "POLICY", "the file to write; without it, standard output", cli_read_text, &request.output,
         NULL, 'o'},
        {"dataset", "NAME", "of the dataset; without it, the database's or the first table's", cli_read_text,
         &request.dataset, NULL, 0},
        {"peek", NULL, "propose ranges from the data, rounded outwards and marked", NULL, &request.peek, NULL,
         0},
    };
    const struct cli_options options = {list, sizeof list / sizeof list[0]};
    bool wants_help = false;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("init", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    if (argc == 0) {
        (void)fail(&why, DITHER_INVALID, "init needs data files");
        return cli_misused("init", &why);
    }
    request.files = (const char *const *)argv;
    request.file_count = (size_t)argc;
    return draft_policy(&request, &why) == DITHER_OK ? CLI_DONE : cli_failed(&why);
}

const struct cli_command cli_init = {"init", "draft a policy from data files", run};
