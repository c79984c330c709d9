// An accessible application without a window: what it says, screen readers speak.
#ifndef CSPEAK_H
#define CSPEAK_H

#include <stdbool.h>

// Puts the application on the accessibility bus; false where there is none. Once, on the thread that runs.
bool cspeak_start(const char *name, const char *version);

// Has screen readers say a sentence.
void cspeak_say(const char *text);

// Runs until `readable`, called whenever the descriptor can be read, gives false.
void cspeak_run(int descriptor, bool (*readable)(void *data), void *data);

#endif
