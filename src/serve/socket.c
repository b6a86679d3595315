#include "serve/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BACKLOG = 512 };

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr) >> 24 == 127;
    return address->sa_family == AF_INET6 &&
           IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
}

static status open_socket(const struct addrinfo *found, const struct socket_place *place, int *out,
                          error *why)
{
    const int on = 1;
    int opened = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (opened < 0 || setsockopt(opened, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(opened, found->ai_addr, found->ai_addrlen) != 0 || listen(opened, BACKLOG) != 0) {
        int cause = errno;
        if (opened >= 0)
            close(opened);
        return fail(why, DITHER_IO, "port %u of %.60s cannot be opened: %s", place->port, place->host,
                    strerror(cause));
    }
    *out = opened;
    return DITHER_OK;
}

status socket_listen(const struct socket_place *place, int *out, error *why)
{
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_PASSIVE};
    struct addrinfo *found = NULL;
    char port[8];
    snprintf(port, sizeof port, "%u", place->port);
    if (getaddrinfo(place->host, port, &wanted, &found) != 0)
        return fail(why, DITHER_INVALID, "%.60s is not an address", place->host);
    status result = DITHER_OK;
    if (!place->encrypted && !is_loopback(found->ai_addr))
        result =
            fail(why, DITHER_REFUSED,
                 "%.60s can be reached from elsewhere: that needs TLS (--tls-cert, --tls-key)", place->host);
    if (result == DITHER_OK)
        result = open_socket(found, place, out, why);
    freeaddrinfo(found);
    return result;
}

uint16_t socket_port(int socket)
{
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof address;
    if (getsockname(socket, (struct sockaddr *)&address, &size) != 0)
        return 0;
    return ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)(void *)&address)->sin6_port
                                               : ((struct sockaddr_in *)(void *)&address)->sin_port);
}

void socket_print_address(const struct sockaddr *address, char text[SOCKET_ADDRESS_TEXT])
{
    snprintf(text, SOCKET_ADDRESS_TEXT, "unknown");
    if (address == NULL)
        return;
    if (address->sa_family == AF_INET)
        (void)inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)address)->sin_addr, text,
                        SOCKET_ADDRESS_TEXT);
    else if (address->sa_family == AF_INET6)
        (void)inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr, text,
                        SOCKET_ADDRESS_TEXT);
}
