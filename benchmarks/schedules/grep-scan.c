// How often a text occurs in a file: the part of grep.c that no other thread has to do with. It is
// linked to the native program and no part of what is verified (`--havoc scan`).
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

unsigned long scan(int file, const char *text) {
  char buffer[1 << 16];
  size_t length = strlen(text), kept = 0;
  unsigned long count = 0;
  ssize_t got;
  while ((got = read(file, buffer + kept, sizeof buffer - kept)) > 0) {
    const char *at = buffer, *end = buffer + kept + got;
    while ((at = memmem(at, end - at, text, length))) count++, at++;
    // A text may begin in one piece of the file and end in the next one.
    kept = (size_t)(end - buffer) < length ? (size_t)(end - buffer) : length - 1;
    memmove(buffer, end - kept, kept);
  }
  return count;
}
