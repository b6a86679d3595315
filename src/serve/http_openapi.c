/* The OpenAPI document: paths from the table of routes, shapes from here. tests/serve/test_http_api.c holds both against what
 * the server does. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "serve/http_api_room.h"

/* ---- Shapes ---- */

#define COST   "{\"$ref\": \"#/components/schemas/Cost\"}"
#define TEXT   "{\"type\": \"string\"}"
#define FLAG   "{\"type\": \"boolean\"}"
#define WHOLE  "{\"type\": \"integer\"}"
#define AMOUNT "{\"oneOf\": [{\"type\": \"number\"}, {\"type\": \"string\"}]}"

static const struct {
    const char *name, *schema;
} shapes[] = {
    {"Cost", "{\"type\": \"object\", \"description\": \"In the components of the budget's currency; null: "
             "without limit.\","
             " \"properties\": {\"epsilon\": {\"type\": [\"number\", \"null\"]}, \"delta\": {\"type\": "
             "[\"number\", \"null\"]},"
             " \"rho\": {\"type\": [\"number\", \"null\"]}, \"cached\": " FLAG "}}"},
    {"Error",
     "{\"type\": \"object\", \"required\": [\"error\"], \"properties\": {\"error\": {\"type\": \"object\","
     " \"required\": [\"code\", \"message\"], \"properties\": {\"code\": " TEXT ", \"message\": " TEXT
     ", \"hint\": " TEXT
     ", \"position\": {\"type\": \"integer\", \"description\": \"in the question, in characters from 1\"},"
     " \"sqlstate\": " TEXT "}}}}"},
    {"Question",
     "{\"type\": \"object\", \"required\": [\"question\"], \"additionalProperties\": false, \"properties\": {"
     "\"question\": {\"type\": \"string\", \"description\": \"SQL\"},"
     "\"parameters\": {\"type\": \"array\", \"maxItems\": 1000, \"items\": {\"type\": [\"string\", "
     "\"number\", \"boolean\", \"null\"]},"
     " \"description\": \"values of $1, $2 ...; a string is like a literal in quotes\"},"
     "\"epsilon\": " AMOUNT ", \"delta\": " AMOUNT ", \"rho\": " AMOUNT ","
     "\"error\": {\"oneOf\": [{\"type\": \"number\"}, {\"type\": \"string\"}],"
     " \"description\": \"the half width that is wanted, from which the cost follows: 50, or 5% of size\"},"
     "\"size\": {\"type\": \"number\", \"minimum\": 1, \"description\": \"about how many people are behind "
     "each number\"},"
     "\"confidence\": {\"type\": \"number\", \"minimum\": 0.5, \"maximum\": 0.99, \"default\": 0.95},"
     "\"max_groups\": {\"type\": \"integer\", \"minimum\": 1}, \"max_rows\": {\"type\": \"integer\", "
     "\"minimum\": 1},"
     "\"other\": {\"type\": \"boolean\", \"description\": \"show what is in hidden groups as one row\"},"
     "\"non_negative\": {\"type\": \"boolean\", \"description\": \"counts are raised to 0\"}}}"},
    {"Answer", "{\"type\": \"object\", \"required\": [\"columns\", \"rows\", \"intervals\", \"confidence\", "
               "\"cost\", \"remaining\"],"
               " \"properties\": {\"columns\": {\"type\": \"array\", \"items\": {\"type\": \"object\", "
               "\"required\": [\"name\", \"type\"],"
               " \"properties\": {\"name\": " TEXT ", \"type\": " TEXT ", \"noisy\": " FLAG
               ", \"noise\": {\"type\": \"object\"}}}},"
               "\"rows\": {\"type\": \"array\", \"items\": {\"type\": \"array\"}},"
               "\"intervals\": {\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": {\"type\": "
               "[\"array\", \"null\"]}}},"
               "\"confidence\": {\"type\": \"number\"}, \"cost\": " COST ", \"remaining\": " COST "}}"},
    {"Explanation", "{\"type\": \"object\"}"},
    {"Schema",
     "{\"type\": \"object\", \"required\": [\"dataset\", \"version\", \"tables\"], \"properties\": "
     "{\"dataset\": " TEXT ", \"description\": " TEXT ", \"version\": " WHOLE
     ", \"tables\": {\"type\": \"array\", \"items\": {\"type\": \"object\","
     " \"required\": [\"name\", \"public\", \"columns\"], \"properties\": {\"name\": " TEXT
     ", \"description\": " TEXT ", \"public\": " FLAG ", \"unit\": " TEXT
     ", \"join\": {\"type\": \"object\"}, \"max_rows\": " WHOLE ", \"max_groups\": " WHOLE
     ", \"columns\": {\"type\": \"array\", \"items\": {\"type\": \"object\", \"required\": [\"name\", "
     "\"type\", \"nullable\"],"
     " \"properties\": {\"name\": " TEXT ", \"type\": " TEXT ", \"description\": " TEXT
     ", \"nullable\": " FLAG ", \"range\": {\"type\": \"array\"}, \"values\": {\"type\": \"array\"}}}}}}}}}"},
    {"Budget",
     "{\"type\": \"object\", \"required\": [\"dataset\", \"currency\", \"limit\", \"spent\", \"left\", "
     "\"lifetime\"],"
     " \"properties\": {\"dataset\": " TEXT ", \"currency\": " TEXT ", \"renew\": " TEXT
     ", \"analyst\": " TEXT ", \"stopped\": " FLAG ", \"limit\": " COST ", \"spent\": " COST
     ", \"left\": " COST ", \"lifetime\": " COST ", \"max_per_question\": " COST ", \"version\": " WHOLE
     ", \"window\": " WHOLE ", \"blocks\": {\"type\": \"array\"}, \"analysts\": {\"type\": \"array\"}, "
     "\"groups\": {\"type\": \"array\"}}}"},
    {"History",
     "{\"type\": \"object\", \"required\": [\"questions\", \"next\"], \"properties\": {\"questions\": "
     "{\"type\": \"array\","
     " \"items\": {\"type\": \"object\", \"required\": [\"number\", \"time\", \"question\", \"settings\", "
     "\"request\", \"cost\", \"answered\"],"
     " \"properties\": {\"number\": " WHOLE ", \"time\": " TEXT
     ", \"analyst\": {\"type\": [\"string\", \"null\"]}, \"question\": " TEXT ", \"settings\": " TEXT
     ", \"request\": {\"type\": [\"string\", \"null\"]}, \"cost\": " COST ", \"answered\": " FLAG "}}},"
     "\"next\": {\"type\": [\"integer\", \"null\"], \"description\": \"`before` of the next page; null: this "
     "is the last\"}}}"},
    {"Health",
     "{\"type\": \"object\", \"required\": [\"status\"], \"properties\": {\"status\": {\"const\": \"ok\"}}}"},
    {"Document", "{\"type\": \"object\"}"},
};

/* ---- Paths ---- */

static const char *meaning(int code)
{
    static const struct {
        int code;
        const char *text;
    } meanings[] = {
        {200, "as asked for"},
        {400, "the request is not understood"},
        {401, "no token, or an unknown one"},
        {403, "not this asker's: the owner's, a cap or the budget is reached, not in the policy, or stopped"},
        {405, "another method"},
        {409, "the request of this Idempotency-Key was charged and never answered"},
        {413, "the body is longer than 1 MB"},
        {415, "the body is not declared to be JSON"},
        {422, "the question cannot be answered, or its Idempotency-Key belongs to another one"},
        {429, "too many unknown tokens from this address"},
        {500, "the data source or the ledger failed; what was charged stays"},
        {503, "too many questions wait, or the server is going away; Retry-After says when"},
    };
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
        if (meanings[i].code == code)
            return meanings[i].text;
    return "";
}

static void write_raw(struct json_writer *json, const char *key, const char *text)
{
    json_write_key(json, key);
    json_write_raw(json, text, strlen(text));
}

/* {"content": {TYPE: {"schema": {"$ref": SHAPE}}}}; without a shape it is text. */
static void write_content(struct json_writer *json, const char *shape)
{
    char reference[100] = "{\"type\": \"string\"}";
    if (shape != NULL)
        snprintf(reference, sizeof reference, "{\"$ref\": \"#/components/schemas/%s\"}", shape);
    json_write_key(json, "content");
    json_begin_object(json);
    json_write_key(json, shape != NULL ? "application/json" : "text/plain");
    json_begin_object(json);
    write_raw(json, "schema", reference);
    json_end_object(json);
    json_end_object(json);
}

static void write_responses(struct json_writer *json, const struct api_about *about)
{
    char code[8];
    json_write_key(json, "responses");
    json_begin_object(json);
    for (const int *at = about->codes; *at != 0; at++) {
        snprintf(code, sizeof code, "%d", *at);
        json_write_key(json, code);
        json_begin_object(json);
        json_member_text(json, "description", meaning(*at));
        write_content(json, *at == 200 ? about->answer : "Error");
        json_end_object(json);
    }
    json_write_key(json, "default");
    json_begin_object(json);
    json_member_text(json, "description", "anything else that went wrong");
    write_content(json, "Error");
    json_end_object(json);
    json_end_object(json);
}

static void write_parameter(struct json_writer *json, const char *place,
                            const struct http_parameter *parameter)
{
    json_begin_object(json);
    json_member_text(json, "name", parameter->name);
    json_member_text(json, "in", place);
    json_member_text(json, "description", parameter->about);
    write_raw(json, "schema", parameter->schema);
    json_end_object(json);
}

static void write_parameters(struct json_writer *json, const struct http_route *route,
                             const struct api_about *about)
{
    json_write_key(json, "parameters");
    json_begin_array(json);
    for (size_t i = 0; i < route->parameter_count; i++)
        write_parameter(json, "query", &route->parameters[i]);
    if (about->header != NULL)
        write_parameter(json, "header",
                        &(struct http_parameter){about->header,
                                                 "a name for this asking: asked again with it, the stored "
                                                 "answer comes back, free",
                                                 "{\"type\": \"string\", \"maxLength\": 200}"});
    json_end_array(json);
}

static void write_security(struct json_writer *json, const struct http_route *route)
{
    json_write_key(json, "security");
    json_begin_array(json);
    if (route->needed != ROLE_NOBODY) {
        json_begin_object(json);
        json_write_key(json, "token");
        json_begin_array(json);
        json_write_text(json, serve_role_name(route->needed));
        json_end_array(json);
        json_end_object(json);
    }
    json_end_array(json);
}

static void write_route(struct json_writer *json, const struct http_route *route)
{
    const struct api_about *about = route->about;
    char method[8] = "";
    for (size_t i = 0; i + 1 < sizeof method && route->method[i] != '\0'; i++)
        method[i] = (char)tolower((unsigned char)route->method[i]);
    json_write_key(json, route->path);
    json_begin_object(json);
    json_write_key(json, method);
    json_begin_object(json);
    json_member_text(json, "summary", about->summary);
    write_security(json, route);
    write_parameters(json, route, about);
    if (about->request != NULL) {
        json_write_key(json, "requestBody");
        json_begin_object(json);
        write_raw(json, "required", "true");
        write_content(json, about->request);
        json_end_object(json);
    }
    write_responses(json, about);
    json_end_object(json);
    json_end_object(json);
}

static void write_components(struct json_writer *json)
{
    json_write_key(json, "components");
    json_begin_object(json);
    write_raw(
        json, "securitySchemes",
        "{\"token\": {\"type\": \"http\", \"scheme\": \"bearer\", \"description\": \"a token of `dither "
        "token create`\"}}");
    json_write_key(json, "schemas");
    json_begin_object(json);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        write_raw(json, shapes[i].name, shapes[i].schema);
    json_end_object(json);
    json_end_object(json);
}

void api_openapi(struct http_exchange *exchange)
{
    struct buffer body;
    struct json_writer json;
    size_t count = 0;
    const struct http_route *routes = http_api_routes(&count);
    buffer_init(&body, 1 << 20);
    json_writer_init(&json, &body);
    json_begin_object(&json);
    json_member_text(&json, "openapi", "3.1.0");
    write_raw(&json, "info",
              "{\"title\": \"Dither\", \"version\": \"" DITHER_VERSION
              "\", \"description\": \"Questions in SQL, "
              "answered under a privacy budget.\"}");
    json_write_key(&json, "paths");
    json_begin_object(&json);
    for (size_t i = 0; i < count; i++)
        write_route(&json, &routes[i]);
    json_end_object(&json);
    write_components(&json);
    json_end_object(&json);
    buffer_byte(&body, '\n');
    http_reply(exchange, 200, "application/json", &body);
}
