/* tls.h - the server's certificate: TLS 1.2 and 1.3 by OpenSSL, and the hash that binds SCRAM to it. */
#ifndef SERVE_TLS_H
#define SERVE_TLS_H

#include <openssl/ssl.h>

#include "serve/scram.h"

/* The chain and the key, in PEM. A key that others than its owner may read is refused. */
status tls_open(const char *certificate, const char *key, SSL_CTX **out, error *why) MUST_CHECK;

/* RFC 5929, tls-server-end-point: the certificate's hash, by the hash of its own signature; SHA-256 instead of MD5 and
 * SHA-1. */
status tls_binding(SSL_CTX *context, unsigned char out[SCRAM_MOST_BINDING], size_t *size,
                   error *why) MUST_CHECK;

#endif
