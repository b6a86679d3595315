#include "cli/password.h"

#include <errno.h>
#include <string.h>
#include <termios.h>

/* A line without its end. What is longer than any password stays too long, and is refused as such. */
static status read_line(FILE *file, const char *name, struct password *out, error *why)
{
    if (fgets(out->text, sizeof out->text, file) == NULL) {
        if (ferror(file))
            return fail(why, DITHER_IO, "%.200s: %s", name, strerror(errno));
        out->text[0] = '\0';
    }
    size_t length = strcspn(out->text, "\n");
    if (length > 0 && out->text[length - 1] == '\r')
        length--;
    out->text[length] = '\0';
    error inner;
    status result = scram_check_password(out->text, &inner);
    return result == DITHER_OK ? result : fail(why, result, "a password %s", inner.message);
}

/* The terminal is put back as it was, also when reading fails. */
static status ask(FILE *terminal, const char *prompt, struct password *out, error *why)
{
    struct termios before, silent;
    if (tcgetattr(fileno(terminal), &before) != 0)
        return fail(why, DITHER_IO, "the terminal cannot be asked: %s", strerror(errno));
    silent = before;
    silent.c_lflag &= ~(tcflag_t)ECHO;
    if (tcsetattr(fileno(terminal), TCSAFLUSH, &silent) != 0)
        return fail(why, DITHER_IO, "the terminal cannot be silenced: %s", strerror(errno));
    fputs(prompt, terminal);
    fflush(terminal);
    status result = read_line(terminal, "the terminal", out, why);
    (void)tcsetattr(fileno(terminal), TCSAFLUSH, &before);
    fputs("\n", terminal);
    fflush(terminal);
    return result;
}

static status ask_twice(struct password *out, error *why)
{
    struct password again = {0};
    FILE *terminal = fopen("/dev/tty", "r+");
    if (terminal == NULL)
        return fail(why, DITHER_INVALID, "there is no terminal to ask for a password: use --password-file");
    setvbuf(terminal, NULL, _IONBF, 0);
    status result = ask(terminal, "password: ", out, why);
    if (result == DITHER_OK)
        result = ask(terminal, "once more: ", &again, why);
    if (result == DITHER_OK && strcmp(out->text, again.text) != 0)
        result = fail(why, DITHER_INVALID, "the two passwords differ");
    fclose(terminal);
    password_wipe(&again);
    return result;
}

status password_read(const char *file, struct password *out, error *why)
{
    if (file == NULL)
        return ask_twice(out, why);
    bool standard = strcmp(file, "-") == 0;
    FILE *stream = standard ? stdin : fopen(file, "r");
    if (stream == NULL)
        return fail(why, DITHER_IO, "%.200s: %s", file, strerror(errno));
    status result = read_line(stream, standard ? "standard input" : file, out, why);
    if (!standard)
        fclose(stream);
    return result;
}

void password_wipe(struct password *password)
{
    explicit_bzero(password, sizeof *password);
}
