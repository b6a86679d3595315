/* socket.h - where a server listens: one rule for every protocol.
 *
 * An address that can be reached from elsewhere needs a certificate: passwords, tokens and answers never cross a network in
 * the clear. */
#ifndef SERVE_SOCKET_H
#define SERVE_SOCKET_H

#include <stdint.h>
#include <sys/socket.h>

#include "base/status.h"

struct socket_place {
    const char *host; /* an address, not a name */
    uint16_t port;    /* 0: any that is free */
    bool encrypted;   /* there is a certificate */
};

/* A listening socket that does not block. DITHER_REFUSED: it would need TLS; DITHER_IO: the port is taken ... */
status socket_listen(const struct socket_place *place, int *out, error *why) MUST_CHECK;

/* The port it has; 0: none. */
uint16_t socket_port(int socket);

/* "192.0.2.7", "2001:db8::1": the other side without its port. */
enum { SOCKET_ADDRESS_TEXT = 48 };
void socket_print_address(const struct sockaddr *address, char text[SOCKET_ADDRESS_TEXT]);

#endif
