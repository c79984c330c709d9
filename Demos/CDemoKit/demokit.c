#include "CDemoKit.h"

static void prepared(GdkPixbufLoader *loader, int width, int height, gpointer data) {
  int most = GPOINTER_TO_INT(data);
  int longer = width > height ? width : height;
  if (longer <= most || width < 1 || height < 1) return;
  gdk_pixbuf_loader_set_size(loader, (int)((long long)width * most / longer) > 0 ? (int)((long long)width * most / longer) : 1,
                             (int)((long long)height * most / longer) > 0 ? (int)((long long)height * most / longer) : 1);
}

void demo_limit_size(GdkPixbufLoader *loader, int most) {
  g_signal_connect(loader, "size-prepared", G_CALLBACK(prepared), GINT_TO_POINTER(most));
}
