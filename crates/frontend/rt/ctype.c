/* Characters of the C locale. */
#include "rt.h"

int isdigit(int c) { return c >= '0' && c <= '9'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return isupper(c) || islower(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int isblank(int c) { return c == ' ' || c == '\t'; }
int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }
int isprint(int c) { return c >= 32 && c < 127; }
int isgraph(int c) { return c > 32 && c < 127; }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int tolower(int c) { return isupper(c) ? c + 32 : c; }
int toupper(int c) { return islower(c) ? c - 32 : c; }

/* glibc's headers look characters up in tables, from -128 to 255. */
enum {
    UPPER = 0x100, LOWER = 0x200, ALPHA = 0x400, DIGIT = 0x800, XDIGIT = 0x1000, SPACE = 0x2000,
    PRINT = 0x4000, GRAPH = 0x8000, BLANK = 0x1, CNTRL = 0x2, PUNCT = 0x4, ALNUM = 0x8,
};

#define SYMBOL (PRINT | GRAPH | PUNCT)
#define LETTER (PRINT | GRAPH | ALPHA | ALNUM)

static const unsigned short classes[384] = {
    [128 + 0 ... 128 + 8] = CNTRL,
    [128 + 9] = CNTRL | SPACE | BLANK,
    [128 + 10 ... 128 + 13] = CNTRL | SPACE,
    [128 + 14 ... 128 + 31] = CNTRL,
    [128 + ' '] = PRINT | SPACE | BLANK,
    [128 + '!' ... 128 + '/'] = SYMBOL,
    [128 + '0' ... 128 + '9'] = PRINT | GRAPH | DIGIT | XDIGIT | ALNUM,
    [128 + ':' ... 128 + '@'] = SYMBOL,
    [128 + 'A' ... 128 + 'F'] = LETTER | UPPER | XDIGIT,
    [128 + 'G' ... 128 + 'Z'] = LETTER | UPPER,
    [128 + '[' ... 128 + '`'] = SYMBOL,
    [128 + 'a' ... 128 + 'f'] = LETTER | LOWER | XDIGIT,
    [128 + 'g' ... 128 + 'z'] = LETTER | LOWER,
    [128 + '{' ... 128 + '~'] = SYMBOL,
    [128 + 127] = CNTRL,
};

static const unsigned short *const class_table = classes + 128;

const unsigned short **__ctype_b_loc(void) { return (const unsigned short **)&class_table; }
