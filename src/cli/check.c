/* `dither check`: a policy against its data source. */
#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "cli/cli.h"
#include "engine/engine.h"

enum { OUTPUT_BYTES = 64 << 20 };

struct check_request {
    const char *path;
    bool data;
    enum cli_format format;
};

/* What was found, as it is written. */
struct findings {
    const char *path;
    struct buffer *out;
    struct json_writer json;
    bool as_json;
    size_t wrong, costly;
};

/* `line` 0: of no line in particular. */
static void add(struct findings *findings, const char *severity, int line, const char *text)
{
    if (!findings->as_json) {
        buffer_format(findings->out, "%-7s ", severity);
        if (line > 0)
            buffer_format(findings->out, "%s:%d: ", findings->path, line);
        buffer_format(findings->out, "%s\n", text);
        return;
    }
    json_begin_object(&findings->json);
    json_member_text(&findings->json, "severity", severity);
    json_write_key(&findings->json, "line");
    if (line > 0)
        json_write_whole(&findings->json, line);
    else
        json_write_null(&findings->json);
    json_member_text(&findings->json, "text", text);
    json_end_object(&findings->json);
}

static void hear(void *context, enum engine_severity severity, const char *line)
{
    struct findings *findings = context;
    bool wrong = severity == ENGINE_WRONG;
    *(wrong ? &findings->wrong : &findings->costly) += 1;
    add(findings, wrong ? "wrong" : "costly", 0, line);
}

static status look(const struct policy *policy, bool data, struct findings *findings, error *why)
{
    for (const struct policy_warning *warning = policy->warnings; warning != NULL; warning = warning->next) {
        findings->costly++;
        add(findings, "costly", warning->line, warning->text);
    }
    TRY(engine_compare(policy, hear, findings, why));
    if (data && findings->wrong == 0)
        TRY(engine_prove(policy, hear, findings, why));
    return DITHER_OK;
}

static void sum_up(const struct findings *findings, const struct policy *policy, bool data)
{
    size_t private_tables = 0;
    for (size_t i = 0; i < policy->table_count; i++)
        private_tables += policy->tables[i].protection != POLICY_PUBLIC;
    buffer_format(findings->out, "%s: %zu private table%s, %zu public; %zu wrong, %zu costly\n",
                  policy->dataset, private_tables, private_tables == 1 ? "" : "s",
                  policy->table_count - private_tables, findings->wrong, findings->costly);
    if (data && findings->wrong == 0)
        buffer_format(findings->out, "the keys are proved unique for data version %" PRIu64 "\n",
                      policy->version);
}

static status check(const struct check_request *request, struct arena *arena, struct buffer *out,
                    size_t *wrong, error *why)
{
    const struct policy *policy = NULL;
    TRY(policy_read(request->path, arena, &policy, why));
    struct findings findings = {.path = request->path, .out = out, .as_json = request->format == CLI_JSON};
    json_writer_init(&findings.json, out);
    if (findings.as_json) {
        json_begin_object(&findings.json);
        json_member_text(&findings.json, "dataset", policy->dataset);
        json_write_key(&findings.json, "findings");
        json_begin_array(&findings.json);
    }
    TRY(look(policy, request->data, &findings, why));
    if (findings.as_json) {
        json_end_array(&findings.json);
        json_write_key(&findings.json, "wrong");
        json_write_whole(&findings.json, (int64_t)findings.wrong);
        json_write_key(&findings.json, "proved");
        json_write_bool(&findings.json, request->data && findings.wrong == 0);
        json_end_object(&findings.json);
        buffer_byte(out, '\n');
    } else {
        sum_up(&findings, policy, request->data);
    }
    *wrong = findings.wrong;
    return DITHER_OK;
}

static const struct cli_help help = {
    .usage = "check POLICY [--data] [--format table|json]",
    .about = "Reads a policy, compares it with its data source, and says what is wrong and what is costly:\n"
             "missing tables and columns, other types, columns without ranges. It looks at names and types.\n"
             "With --data the owner lets it look at rows: it counts cells that do not fit their type, and\n"
             "proves the keys unique that the policy relies on, which is remembered for this data version.\n"
             "Exit status 1 when something is wrong.",
    .example = "  dither check examples/hospital/hospital.yaml",
};

static int check_and_print(const struct check_request *request, error *why)
{
    struct arena arena;
    struct buffer out;
    size_t wrong = 0;
    arena_init(&arena, POLICY_ARENA_BYTES);
    buffer_init(&out, OUTPUT_BYTES);
    status result = check(request, &arena, &out, &wrong, why);
    if (result == DITHER_OK)
        result = cli_write(&out, why);
    if (result == DITHER_OK && wrong > 0)
        result = fail(why, DITHER_INVALID, "%.200s does not fit its data: %zu thing%s wrong", request->path,
                      wrong, wrong == 1 ? " is" : "s are");
    buffer_free(&out);
    arena_free(&arena);
    return result == DITHER_OK ? CLI_DONE : cli_failed(why);
}

static int run(int argc, char **argv)
{
    struct check_request request = {.format = CLI_TABLE};
    const struct cli_option list[] = {
        {"data", NULL, "look at rows: prove the keys unique, for this data version", NULL, &request.data,
         NULL, 0},
        {"format", "FORMAT", "table or json", cli_read_format, &request.format, NULL, 0},
    };
    const struct cli_options options = {list, sizeof list / sizeof list[0]};
    bool wants_help = false;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("check", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    if (argc != 1 || request.format == CLI_CSV) {
        (void)fail(&why, DITHER_INVALID,
                   argc != 1 ? "check needs one policy" : "--format must be table or json");
        return cli_misused("check", &why);
    }
    request.path = argv[0];
    return check_and_print(&request, &why);
}

const struct cli_command cli_check = {"check", "a policy against its data: what is wrong, what is costly",
                                      run};
