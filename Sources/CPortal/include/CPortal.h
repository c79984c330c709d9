// Files for and from programs in sandboxes, by the FileTransfer portal on the session bus. GIO, which the portal itself
// is made with, is loaded when the first file goes this way: most programs never send one. Any thread; each call may wait.
//
// https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.FileTransfer.html
#ifndef CPORTAL_H
#define CPORTAL_H

#include <stdbool.h>
#include <stddef.h>

// What went wrong, as a clause; empty if nothing did.
typedef struct {
  char text[240];
} cportal_problem;

// Begins a transfer of some files, to be read only, which ends when somebody has fetched their paths. The caller frees
// the key; NULL on failure. The connection to the bus lasts for the process, since the portal forgets the transfers of
// whoever leaves.
//
// `address`: of the bus. `timeout`: of each question to the portal, in milliseconds.
char *cportal_offer(const char *address, const int *files, size_t count, int timeout, cportal_problem *problem);

// Fetches the paths of a transfer, each with a zero behind it; the caller frees them. NULL on failure.
char *cportal_fetch(const char *address, const char *key, int timeout, size_t *bytes, cportal_problem *problem);

#endif
