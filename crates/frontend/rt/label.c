/* Where threads are in calls of it is what propositions of temporal logic look at. */
#include "rt.h"

void tp_label(const char *name) { (void)name; }
