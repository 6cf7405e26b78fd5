/* What functions of the environment do to the memory they are given. */
#include <errno.h>

#include "rt.h"

/* A character of the input. It is a part of a word that lies in memory, so that
 * nobody tries all characters one by one: texts have many. */
char __tp_any_char(void) {
    long long word = __tp_nondet_longlong();
    return *(char *)&word;
}

/* Reads a text up to its end, or so many bytes of it. */
void __tp_read_text(const char *text, size_t most) {
    for (size_t n = 0; n < most && text[n]; n++) {}
}

void __tp_maybe_read_text(const char *text, size_t most) {
    if (text) __tp_read_text(text, most);
}

/* Reads bytes. The last comes first, so that a length that is too large is
 * noticed before a long way is gone. */
void __tp_read_bytes(const void *from, size_t length) {
    const char *bytes = from;
    char part[64];
    if (!length) return;
    part[0] = bytes[length - 1];
    for (; length > sizeof part; bytes += sizeof part, length -= sizeof part) memcpy(part, bytes, sizeof part);
    for (size_t n = 0; n < length; n++) part[n] = bytes[n];
}

/* The characters of a std::string: a pointer to them, then their number. */
struct string {
    const char *text;
    size_t length;
};

void __tp_read_string(const struct string *string) { __tp_read_bytes(string->text, string->length); }

/* Writes bytes that can be anything. */
void __tp_fill(void *to, size_t length) {
    char *bytes = to;
    if (!length) return;
    bytes[length - 1] = __tp_any_char();
    for (length--; length >= 8; bytes += 8, length -= 8) {
        long long word = __tp_nondet_longlong();
        memcpy(bytes, &word, 8);
    }
    for (size_t n = 0; n < length; n++) bytes[n] = __tp_any_char();
}

/* A text of at most so many characters, in a place for one more. It stands at
 * the place's end, so that reading beyond the text is reading beyond the
 * place. */
char *__tp_any_text(char *place, int most) {
    char *text = place + most;
    *text = 0;
    while (text > place && __tp_nondet_bool()) {
        char c = __tp_any_char();
        tp_assume(c != 0);
        *--text = c;
    }
    return text;
}

/* A result below zero is a failure, with a reason. */
void __tp_maybe_failed(int result) {
    if (result >= 0) return;
    int reason = __tp_nondet_int();
    tp_assume(reason > 0 && reason < 134);
    *__errno_location() = reason;
}

/* An allocation that yields nothing has failed. */
void __tp_note_failure(const void *allocated) {
    if (!allocated) *__errno_location() = ENOMEM;
}
