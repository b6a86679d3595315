#include "serve/tls.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/x509.h>
#include <string.h>
#include <sys/stat.h>

static status complain(const char *what, const char *file, error *why)
{
    char reason[200] = "it cannot be used";
    unsigned long code = ERR_get_error();
    if (code != 0)
        ERR_error_string_n(code, reason, sizeof reason);
    ERR_clear_error();
    return fail(why, DITHER_IO, "%s %.200s: %s", what, file, reason);
}

static status check_key(const char *key, error *why)
{
    struct stat facts;
    if (stat(key, &facts) != 0)
        return fail(why, DITHER_IO, "%.200s: %s", key, strerror(errno));
    if ((facts.st_mode & 077) != 0)
        return fail(why, DITHER_REFUSED, "%.200s may be read by others than its owner: chmod 600 %.200s", key,
                    key);
    return DITHER_OK;
}

static status fill(SSL_CTX *context, const char *certificate, const char *key, error *why)
{
    if (SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1)
        return complain("TLS", "1.2", why);
    SSL_CTX_set_options(context,
                        SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    (void)SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                        SSL_MODE_RELEASE_BUFFERS);
    (void)SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    if (SSL_CTX_use_certificate_chain_file(context, certificate) != 1)
        return complain("certificate", certificate, why);
    if (SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1)
        return complain("key", key, why);
    return DITHER_OK;
}

status tls_open(const char *certificate, const char *key, SSL_CTX **out, error *why)
{
    TRY(check_key(key, why));
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (context == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    status result = fill(context, certificate, key, why);
    if (result == DITHER_OK)
        *out = context;
    else
        SSL_CTX_free(context);
    return result;
}

status tls_binding(SSL_CTX *context, unsigned char out[SCRAM_MOST_BINDING], size_t *size, error *why)
{
    X509 *certificate = SSL_CTX_get0_certificate(context);
    int hash = NID_undef;
    unsigned int count = 0;
    if (certificate == NULL || X509_get_signature_info(certificate, &hash, NULL, NULL, NULL) != 1)
        return complain("certificate", "of the server", why);
    if (hash == NID_md5 || hash == NID_sha1 || hash == NID_undef)
        hash = NID_sha256;
    const EVP_MD *kind = EVP_get_digestbynid(hash);
    if (kind == NULL || EVP_MD_get_size(kind) > SCRAM_MOST_BINDING ||
        X509_digest(certificate, kind, out, &count) != 1)
        return complain("certificate", "of the server", why);
    *size = count;
    return DITHER_OK;
}
