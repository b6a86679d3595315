#include "serve/http.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "serve/http_room.h"
#include "serve/tls.h"

/* ---- One daemon ---- */

static status read_pem(const char *path, struct buffer *out, error *why)
{
    char piece[4096];
    size_t count = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return fail(why, DITHER_IO, "%.200s: %s", path, strerror(errno));
    while ((count = fread(piece, 1, sizeof piece, file)) > 0)
        buffer_append(out, piece, count);
    bool broken = ferror(file) != 0;
    fclose(file);
    explicit_bzero(piece, sizeof piece);
    if (broken)
        return fail(why, DITHER_IO, "%.200s cannot be read", path);
    return buffer_check(out, why);
}

/* OpenSSL looks at both first: it says what is wrong with them, and they are the wire protocol's too. */
static status read_certificate(struct http_daemon *daemon, error *why)
{
    const struct http_options *options = &daemon->http->options;
    SSL_CTX *checked = NULL;
    TRY(tls_open(options->certificate, options->key, &checked, why));
    SSL_CTX_free(checked);
    TRY(read_pem(options->certificate, &daemon->certificate, why));
    return read_pem(options->key, &daemon->key, why);
}

/* Its own copy of the socket: it closes what it is given. */
static status start_mhd(struct http_daemon *daemon, error *why)
{
    struct http *http = daemon->http;
    bool encrypted = http->options.certificate != NULL;
    static char priorities[] = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:%SERVER_PRECEDENCE";
    struct MHD_OptionItem tls[] = {{MHD_OPTION_HTTPS_MEM_CERT, 0, daemon->certificate.data},
                                   {MHD_OPTION_HTTPS_MEM_KEY, 0, daemon->key.data},
                                   {MHD_OPTION_HTTPS_PRIORITIES, 0, priorities},
                                   {MHD_OPTION_END, 0, NULL}};
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    int listener = dup(http->listener);
    if (listener < 0)
        return fail(why, DITHER_IO, "there are no file descriptors left");
    daemon->mhd = MHD_start_daemon(
        (unsigned int)MHD_USE_EPOLL_INTERNAL_THREAD | (unsigned int)MHD_ALLOW_SUSPEND_RESUME |
            (encrypted ? (unsigned int)MHD_USE_TLS : 0U),
        0, NULL, NULL, exchange_step, daemon, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned int)http->options.connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)HTTP_HEADER_BYTES, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)http->options.request_seconds,
        MHD_OPTION_NOTIFY_COMPLETED, exchange_end, daemon, MHD_OPTION_NOTIFY_CONNECTION, watch_connection,
        daemon, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_ARRAY, encrypted ? tls : none, MHD_OPTION_END);
    if (daemon->mhd == NULL) {
        close(listener);
        return fail(why, DITHER_IO, "HTTP could not be started%s",
                    encrypted ? ": GnuTLS does not take this certificate and key" : "");
    }
    return DITHER_OK;
}

static void daemon_free(struct http_daemon *daemon)
{
    if (daemon->mhd != NULL)
        MHD_stop_daemon(daemon->mhd);
    buffer_free(&daemon->certificate);
    buffer_free(&daemon->key);
    memory_release(daemon, sizeof *daemon);
}

static status daemon_new(struct http *http, struct http_daemon **out, error *why)
{
    struct http_daemon *daemon = memory_allocate(sizeof *daemon);
    if (daemon == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    daemon->http = http;
    buffer_init(&daemon->certificate, HTTP_PEM_BYTES);
    buffer_init(&daemon->key, HTTP_PEM_BYTES);
    status result = http->options.certificate != NULL ? read_certificate(daemon, why) : DITHER_OK;
    if (result == DITHER_OK)
        result = start_mhd(daemon, why);
    if (result == DITHER_OK)
        *out = daemon;
    else
        daemon_free(daemon);
    return result;
}

/* The socket that it gives back is its copy. */
static void daemon_quiesce(struct http_daemon *daemon)
{
    if (daemon->stopped)
        return;
    int listener = MHD_quiesce_daemon(daemon->mhd);
    if (listener >= 0)
        close(listener);
    daemon->stopped = true;
}

/* ---- All of them ---- */

static status open_parts(struct http *http, error *why)
{
    struct socket_place place = http->options.place;
    place.encrypted = http->options.certificate != NULL;
    TRY(socket_listen(&place, &http->listener, why));
    TRY(watch_start(http, why));
    return daemon_new(http, &http->daemons, why);
}

static void set_defaults(struct http_options *options)
{
    if (options->connections == 0)
        options->connections = HTTP_CONNECTIONS;
    if (options->body_bytes == 0)
        options->body_bytes = HTTP_BODY_BYTES;
    if (options->request_seconds == 0)
        options->request_seconds = HTTP_REQUEST_SECONDS;
    if (options->answer_seconds == 0)
        options->answer_seconds = HTTP_ANSWER_SECONDS;
}

status http_open(const struct http_options *options, struct http **out, error *why)
{
    struct http *http = memory_allocate(sizeof *http);
    if (http == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    http->options = *options;
    set_defaults(&http->options);
    http->listener = http->epoll = http->wake = -1;
    pthread_mutex_init(&http->lock, NULL);
    status result = open_parts(http, why);
    if (result == DITHER_OK)
        *out = http;
    else
        http_close(http);
    return result;
}

void http_close(struct http *http)
{
    if (http == NULL)
        return;
    watch_stop(http);
    while (http->daemons != NULL) {
        struct http_daemon *daemon = http->daemons;
        http->daemons = daemon->next;
        daemon_free(daemon);
    }
    if (http->listener >= 0)
        close(http->listener);
    pthread_mutex_destroy(&http->lock);
    memory_release(http, sizeof *http);
}

uint16_t http_port(const struct http *http)
{
    return socket_port(http->listener);
}

/* The new one listens before the old one stops: no client finds the door shut. */
status http_reload_certificate(struct http *http, error *why)
{
    struct http_daemon *fresh = NULL, *old = NULL;
    if (http->options.certificate == NULL || http->stopping)
        return DITHER_OK;
    TRY(daemon_new(http, &fresh, why));
    pthread_mutex_lock(&http->lock);
    old = http->daemons;
    fresh->next = old;
    http->daemons = fresh;
    pthread_mutex_unlock(&http->lock);
    daemon_quiesce(old);
    return DITHER_OK;
}

void http_sweep(struct http *http)
{
    struct http_daemon *gone = NULL;
    pthread_mutex_lock(&http->lock);
    for (struct http_daemon **at = &http->daemons; *at != NULL && gone == NULL;)
        if ((*at)->stopped && !http->stopping && (*at)->clients == 0) {
            gone = *at;
            *at = gone->next;
        } else {
            at = &(*at)->next;
        }
    pthread_mutex_unlock(&http->lock);
    if (gone != NULL)
        daemon_free(gone);
}

void http_begin_stop(struct http *http)
{
    if (!atomic_exchange(&http->stopping, true) && http->daemons != NULL)
        daemon_quiesce(http->daemons); /* those before it are */
}

struct http_load http_load(struct http *http)
{
    pthread_mutex_lock(&http->lock);
    struct http_load load = {http->client_count, http->exchange_count, http->request_count};
    pthread_mutex_unlock(&http->lock);
    return load;
}

bool http_is_idle(struct http *http)
{
    return http_load(http).exchanges == 0;
}
