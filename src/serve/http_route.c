/* Which route a request is for, and whether it may. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "serve/http_room.h"

static void refuse(struct http_exchange *exchange, int code, const char *name, const char *message)
{
    http_refuse(exchange, &(struct http_error){.code = code, .name = name, .message = message});
}

/* ---- The table ---- */

static bool same_method(const struct http_route *route, const char *method)
{
    return strcmp(route->method, method) == 0 ||
           (strcmp(route->method, "GET") == 0 && strcmp(method, "HEAD") == 0);
}

static void refuse_method(struct http_exchange *exchange, const struct http_route *other)
{
    http_add_header(exchange, "Allow", strcmp(other->method, "GET") == 0 ? "GET, HEAD" : other->method);
    refuse(exchange, MHD_HTTP_METHOD_NOT_ALLOWED, "method_not_allowed",
           "this method is not for this path; the Allow header names those that are");
}

/* Every path of a table has one method, so that what is allowed is known from any route of the path. */
static void find(struct http_exchange *exchange, const char *method, const char *path)
{
    const struct http_options *options = &exchange->http->options;
    const struct http_route *other = NULL;
    for (size_t i = 0; i < options->route_count; i++) {
        const struct http_route *route = &options->routes[i];
        if (strcmp(route->path, path) != 0)
            continue;
        if (same_method(route, method)) {
            exchange->route = route;
            return;
        }
        other = route;
    }
    if (other != NULL)
        refuse_method(exchange, other);
    else
        refuse(exchange, MHD_HTTP_NOT_FOUND, "not_found",
               "there is nothing at this path; /v1/openapi.json says what there is");
}

/* ---- Who asks ---- */

static void note_address(struct http_exchange *exchange)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(exchange->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    socket_print_address(info != NULL ? info->client_addr : NULL, exchange->asker.address);
}

/* NULL: there is none. */
static const char *bearer(const struct http_exchange *exchange)
{
    static const char scheme[] = "Bearer ";
    const char *value = http_header(exchange, MHD_HTTP_HEADER_AUTHORIZATION);
    if (value == NULL || strncasecmp(value, scheme, strlen(scheme)) != 0)
        return NULL;
    value += strlen(scheme);
    return value + strspn(value, " ");
}

static void refuse_unknown(struct http_exchange *exchange, const char *message)
{
    http_add_header(exchange, "WWW-Authenticate", "Bearer");
    http_refuse(exchange, &(struct http_error){.code = MHD_HTTP_UNAUTHORIZED,
                                               .name = "not_signed_in",
                                               .message = message,
                                               .hint = "Authorization: Bearer TOKEN, with a token from "
                                                       "`dither token create`."});
}

static void sign_in(struct http_exchange *exchange)
{
    const struct http_options *options = &exchange->http->options;
    const char *token = bearer(exchange);
    if (exchange->route->needed == ROLE_NOBODY)
        return;
    if (token == NULL) {
        refuse_unknown(exchange, "this needs a token");
        return;
    }
    enum http_entry entry =
        options->sign_in != NULL ? options->sign_in(options->context, token, &exchange->asker) : HTTP_UNKNOWN;
    if (entry == HTTP_SLOW_DOWN) {
        http_add_header(exchange, "Retry-After", "10");
        refuse(exchange, MHD_HTTP_TOO_MANY_REQUESTS, "too_many_tries",
               "too many unknown tokens came from this address; wait, and try again");
    } else if (entry == HTTP_UNKNOWN) {
        refuse_unknown(exchange, "this token is not known, or no longer");
    } else if (exchange->asker.role < exchange->route->needed) {
        refuse(exchange, MHD_HTTP_FORBIDDEN, "owner_only", "this is the owner's");
    }
}

/* ---- What comes with it ---- */

struct query {
    const struct http_route *route;
    bool unknown;
};

static enum MHD_Result check_parameter(void *context, enum MHD_ValueKind kind, const char *name,
                                       const char *value)
{
    struct query *query = context;
    (void)kind;
    for (size_t i = 0; i < query->route->parameter_count; i++)
        if (strcmp(query->route->parameters[i].name, name) == 0 && value != NULL)
            return MHD_YES;
    query->unknown = true;
    return MHD_NO;
}

static void check_query(struct http_exchange *exchange)
{
    struct query query = {.route = exchange->route};
    (void)MHD_get_connection_values(exchange->connection, MHD_GET_ARGUMENT_KIND, check_parameter, &query);
    if (query.unknown)
        refuse(exchange, MHD_HTTP_BAD_REQUEST, "unknown_parameter",
               "the path has a parameter that is not known here, or has no value");
}

/* "application/json", with or without parameters. */
static void check_type(struct http_exchange *exchange)
{
    static const char json[] = "application/json";
    const char *type = http_header(exchange, MHD_HTTP_HEADER_CONTENT_TYPE);
    size_t length = type != NULL ? strcspn(type, "; \t") : 0;
    if (length != strlen(json) || strncasecmp(type, json, length) != 0)
        refuse(exchange, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "not_json",
               "the body must be JSON: Content-Type: application/json");
}

void route_find(struct http_exchange *exchange, const char *method, const char *path)
{
    note_address(exchange);
    if (exchange->http->stopping) {
        http_add_header(exchange, "Retry-After", "10");
        refuse(exchange, MHD_HTTP_SERVICE_UNAVAILABLE, "going_away", "the server is going away");
        return;
    }
    find(exchange, method, path);
    if (!exchange->reply.ready)
        sign_in(exchange);
    if (!exchange->reply.ready)
        check_query(exchange);
    if (!exchange->reply.ready && exchange->route->body)
        check_type(exchange);
}
