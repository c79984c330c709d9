// Makes windows that are never shown: xdnd-crowd PROCESSES CONNECTIONS WINDOWS VERSION, with so many connections of each
// process, and windows of each connection. They take drops by this version of XDND, or none if it is 0. It prints "ready"
// when all are there, and is killed by whoever started it.
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

// The connections stay open until the process ends.
static int make(int connections, int windows, long version) {
  for (int i = 0; i < connections; i++) {
    Display *display = XOpenDisplay(NULL);
    if (!display) return 1;
    Window root = DefaultRootWindow(display);
    Atom aware = XInternAtom(display, "XdndAware", False);
    for (int k = 0; k < windows; k++) {
      Window window = XCreateSimpleWindow(display, root, k % 100, 750, 2, 2, 0, 0, 0);
      if (version)
        XChangeProperty(display, window, aware, XA_ATOM, 32, PropModeReplace, (unsigned char *)&version, 1);
    }
    XSync(display, False);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  int processes = atoi(argv[1]), connections = atoi(argv[2]), windows = atoi(argv[3]);
  long version = atol(argv[4]);
  int ends[2];
  char word = 0;
  if (pipe(ends)) return 1;
  for (int i = 1; i < processes; i++) {
    pid_t child = fork();
    if (child < 0) return 1;
    if (child > 0) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (make(connections, windows, version) || write(ends[1], &word, 1) != 1) return 1;
    for (;;) pause();
  }
  if (make(connections, windows, version)) return 1;
  for (int i = 1; i < processes; i++)
    if (read(ends[0], &word, 1) != 1) return 1;
  puts("ready");
  fflush(stdout);
  for (;;) pause();
}
