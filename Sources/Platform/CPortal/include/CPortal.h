// Transfers files to and from sandboxed programs through the FileTransfer portal on the session bus. GIO, on which
// the portal itself is based, is loaded on first use: most programs never need it. Any thread; each call may block.
//
// https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.FileTransfer.html
#ifndef CPORTAL_H
#define CPORTAL_H

#include <stdbool.h>
#include <stddef.h>

// A clause describing the error; empty if there is none.
typedef struct {
  char text[240];
} cportal_problem;

// Begins a read-only transfer of files, which ends when their paths have been fetched. The caller frees the key; NULL
// on failure. The bus connection lasts as long as the process, since the portal discards the transfers of clients
// that disconnect.
//
// `address`: of the bus. `timeout`: of each call to the portal, in milliseconds.
char *cportal_offer(const char *address, const int *files, size_t count, int timeout, cportal_problem *problem);

// Fetches the paths of a transfer, each NUL-terminated; the caller frees them. NULL on failure.
char *cportal_fetch(const char *address, const char *key, int timeout, size_t *bytes, cportal_problem *problem);

#endif
