// What the demos' text and pictures are made with.
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <pango/pangocairo.h>
