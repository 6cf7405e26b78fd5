/* The standard streams: constants, so that using them is nothing that other
 * threads could see. */
static const char streams[3];
const char *const stdin = &streams[0];
const char *const stdout = &streams[1];
const char *const stderr = &streams[2];
/* As macOS calls them. */
const char *const __stdinp = &streams[0];
const char *const __stdoutp = &streams[1];
const char *const __stderrp = &streams[2];
