/* One request: its body comes in, its reply goes out. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/monotonic.h"
#include "base/utf8.h"
#include "serve/http_room.h"

/* ---- For handlers ---- */

void *http_context(const struct http_exchange *exchange)
{
    return exchange->http->options.context;
}

const struct http_asker *http_asker(const struct http_exchange *exchange)
{
    return &exchange->asker;
}

const struct buffer *http_body(const struct http_exchange *exchange)
{
    return &exchange->body;
}

const char *http_header(const struct http_exchange *exchange, const char *name)
{
    return MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND, name);
}

const char *http_query(const struct http_exchange *exchange, const char *name)
{
    return MHD_lookup_connection_value(exchange->connection, MHD_GET_ARGUMENT_KIND, name);
}

/* ---- Replies ---- */

void http_add_header(struct http_exchange *exchange, const char *name, const char *value)
{
    struct http_reply *reply = &exchange->reply;
    if (reply->header_count < HTTP_MOST_HEADERS) {
        reply->headers[reply->header_count].name = name;
        reply->headers[reply->header_count++].value = value;
    }
}

/* Gives the exchange back to the daemon's thread, where it waits. */
static void end_wait(struct http_exchange *exchange)
{
    struct http *http = exchange->http;
    pthread_mutex_lock(&http->lock);
    bool waiting = exchange->waiting, going = exchange->going;
    exchange->waiting = false;
    if (waiting)
        watch_end_wait(exchange);
    pthread_mutex_unlock(&http->lock);
    if (waiting && !going)
        MHD_resume_connection(exchange->connection);
}

static void set_failed(struct http_reply *reply)
{
    static const char text[] = "{\"error\":{\"code\":\"no_room\",\"message\":\"the answer has no room\"}}\n";
    buffer_free(&reply->body);
    buffer_init(&reply->body, sizeof text);
    buffer_text(&reply->body, text);
    reply->code = MHD_HTTP_INTERNAL_SERVER_ERROR;
    reply->type = "application/json";
}

void http_reply(struct http_exchange *exchange, int code, const char *type, struct buffer *body)
{
    struct http_reply *reply = &exchange->reply;
    if (reply->ready) {
        buffer_free(body);
        return;
    }
    reply->code = code;
    reply->type = type;
    reply->body = *body;
    buffer_init(body, body->limit);
    if (reply->body.failed)
        set_failed(reply);
    reply->ready = true;
    end_wait(exchange);
}

/* A message may end in the middle of a character of the client's, which JSON could not carry. */
static void write_text(struct json_writer *json, const char *key, const char *text)
{
    char clean[sizeof((error *)0)->message];
    size_t length = strnlen(text, sizeof clean - 1);
    memcpy(clean, text, length);
    clean[length] = '\0';
    for (size_t i = 0; i < length;) {
        size_t wide = 1;
        while (wide < 4 && i + wide < length && !utf8_valid(clean + i, wide))
            wide++;
        if (utf8_valid(clean + i, wide))
            i += wide;
        else
            clean[i++] = '?';
    }
    json_member_text(json, key, clean);
}

void http_refuse(struct http_exchange *exchange, const struct http_error *refusal)
{
    struct buffer body;
    struct json_writer json;
    buffer_init(&body, 64 * 1024);
    json_writer_init(&json, &body);
    json_begin_object(&json);
    json_write_key(&json, "error");
    json_begin_object(&json);
    json_member_text(&json, "code", refusal->name);
    write_text(&json, "message", refusal->message);
    if (refusal->hint != NULL)
        write_text(&json, "hint", refusal->hint);
    if (refusal->position > 0) {
        json_write_key(&json, "position");
        json_write_whole(&json, refusal->position);
    }
    if (refusal->state != NULL)
        json_member_text(&json, "sqlstate", refusal->state);
    json_end_object(&json);
    json_end_object(&json);
    buffer_byte(&body, '\n');
    http_reply(exchange, refusal->code, "application/json", &body);
}

/* ---- Waiting ---- */

void http_wait(struct http_exchange *exchange, const struct http_waiter *waiter, void *work)
{
    struct http *http = exchange->http;
    watch_phase(exchange->client, HTTP_WORKING);
    exchange->waiter = waiter;
    exchange->work = work;
    exchange->suspended = true;
    MHD_suspend_connection(exchange->connection);
    pthread_mutex_lock(&http->lock);
    exchange->waiting = true;
    watch_begin_wait(exchange);
    pthread_mutex_unlock(&http->lock);
}

/* ---- Sending ---- */

/* No cache keeps it, no page frames it, no browser guesses what it is; and no other origin is let in, as nothing says so. */
static const struct {
    const char *name, *value;
} usual_headers[] = {
    {"Cache-Control", "no-store"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
};

static void add_headers(const struct http_exchange *exchange, struct MHD_Response *response)
{
    const struct http_reply *reply = &exchange->reply;
    (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, reply->type);
    for (size_t i = 0; i < sizeof usual_headers / sizeof usual_headers[0]; i++)
        (void)MHD_add_response_header(response, usual_headers[i].name, usual_headers[i].value);
    for (size_t i = 0; i < reply->header_count; i++)
        (void)MHD_add_response_header(response, reply->headers[i].name, reply->headers[i].value);
    if (exchange->http->options.certificate != NULL)
        (void)MHD_add_response_header(response, "Strict-Transport-Security", "max-age=31536000");
    if (exchange->http->stopping)
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
}

/* The body stays in the exchange, which outlives the response's use of it. */
static enum MHD_Result queue_reply(struct http_exchange *exchange)
{
    struct http_reply *reply = &exchange->reply;
    struct MHD_Response *response =
        MHD_create_response_from_buffer(reply->body.length, reply->body.data, MHD_RESPMEM_PERSISTENT);
    if (response == NULL)
        return MHD_NO;
    add_headers(exchange, response);
    watch_phase(exchange->client, HTTP_ANSWERING);
    enum MHD_Result queued = MHD_queue_response(exchange->connection, (unsigned int)reply->code, response);
    MHD_destroy_response(response); /* which is counted: the connection has it */
    exchange->queued = queued == MHD_YES;
    return queued;
}

/* ---- From the first header to the last byte ---- */

static void refuse_long(struct http_exchange *exchange)
{
    http_refuse(exchange, &(struct http_error){.code = MHD_HTTP_CONTENT_TOO_LARGE,
                                               .name = "too_long",
                                               .message = "the body is longer than is taken"});
}

/* What its sender says; a body without a length is measured as it comes. */
static bool is_announced_long(const struct http_exchange *exchange)
{
    const char *length = http_header(exchange, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return length != NULL && strtoull(length, NULL, 10) > exchange->http->options.body_bytes;
}

static enum MHD_Result begin(struct http_daemon *daemon, struct MHD_Connection *connection, const char *path,
                             const char *method, void **place)
{
    struct http *http = daemon->http;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct http_exchange *exchange = memory_allocate(sizeof *exchange);
    if (exchange == NULL || info == NULL || info->socket_context == NULL) {
        memory_release(exchange, sizeof *exchange);
        return MHD_NO;
    }
    exchange->http = http;
    exchange->connection = connection;
    exchange->client = info->socket_context;
    exchange->begun = monotonic_milliseconds();
    buffer_init(&exchange->body, exchange->http->options.body_bytes);
    *place = exchange;
    pthread_mutex_lock(&http->lock);
    http->exchange_count++;
    http->request_count++;
    pthread_mutex_unlock(&http->lock);
    route_find(exchange, method, path);
    if (!exchange->reply.ready && is_announced_long(exchange))
        refuse_long(exchange);
    /* Said before the body, where that spares it: libmicrohttpd closes the connection then. */
    bool at_once = is_announced_long(exchange) || http_header(exchange, MHD_HTTP_HEADER_EXPECT) != NULL;
    return exchange->reply.ready && at_once ? queue_reply(exchange) : MHD_YES;
}

/* A body that is refused is dropped as it comes, so that its sender reads the reply; an endless one is not waited for. */
static enum MHD_Result take(struct http_exchange *exchange, const char *bytes, size_t *count)
{
    if (!exchange->reply.ready)
        buffer_append(&exchange->body, bytes, *count);
    if (!exchange->reply.ready && exchange->body.failed)
        refuse_long(exchange);
    exchange->dropped += exchange->reply.ready ? *count : 0;
    *count = 0;
    return exchange->dropped <= 2 * exchange->http->options.body_bytes ? MHD_YES : MHD_NO;
}

static enum MHD_Result finish(struct http_exchange *exchange)
{
    bool handled = exchange->handled;
    exchange->handled = true;
    exchange->suspended = false;
    if (!handled && !exchange->reply.ready) {
        if (exchange->route->body || exchange->body.length == 0)
            exchange->route->handle(exchange);
        else
            http_refuse(exchange, &(struct http_error){.code = MHD_HTTP_BAD_REQUEST,
                                                       .name = "unexpected_body",
                                                       .message = "no body goes with this request"});
    }
    if (exchange->suspended) /* resumed or not: this is called again */
        return MHD_YES;
    return exchange->reply.ready ? queue_reply(exchange) : MHD_NO;
}

enum MHD_Result exchange_step(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *bytes, size_t *count,
                              void **place)
{
    (void)version;
    if (*place == NULL)
        return begin(context, connection, path, method, place);
    if (*count > 0)
        return take(*place, bytes, count);
    return finish(*place);
}

void exchange_end(void *context, struct MHD_Connection *connection, void **place,
                  enum MHD_RequestTerminationCode how)
{
    struct http_daemon *daemon = context;
    struct http *http = daemon->http;
    struct http_exchange *exchange = *place;
    (void)connection;
    if (exchange == NULL)
        return;
    *place = NULL;
    if (http->options.finished != NULL)
        http->options.finished(
            http->options.context,
            &(struct http_record){.route = exchange->route,
                                  .asker = &exchange->asker,
                                  .code = exchange->queued ? exchange->reply.code : 0,
                                  .complete = how == MHD_REQUEST_TERMINATED_COMPLETED_OK,
                                  .milliseconds = monotonic_milliseconds() - exchange->begun});
    if (exchange->waiter != NULL)
        exchange->waiter->release(exchange->work);
    watch_phase(exchange->client, HTTP_READING);
    buffer_free(&exchange->body);
    buffer_free(&exchange->reply.body);
    memory_release(exchange, sizeof *exchange);
    pthread_mutex_lock(&http->lock);
    http->exchange_count--;
    pthread_mutex_unlock(&http->lock);
}
