// An accessible application without a window, whose announcements screen readers speak.
#ifndef CSPEAK_H
#define CSPEAK_H

#include <stdbool.h>

// Registers the application on the accessibility bus; false if there is none. Call once, on the thread that runs.
bool cspeak_start(const char *name, const char *version);

// Has screen readers speak a sentence.
void cspeak_say(const char *text);

// Runs until `readable`, called whenever the descriptor is readable, returns false.
void cspeak_run(int descriptor, bool (*readable)(void *data), void *data);

#endif
