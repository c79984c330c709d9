#include "CDemoKit.h"

static int reduced(int length, int most, int longer) {
  int n = (int)((long long)length * most / longer);
  return n > 0 ? n : 1;
}

static void prepared(GdkPixbufLoader *loader, int width, int height, gpointer data) {
  int most = GPOINTER_TO_INT(data);
  int longer = width > height ? width : height;
  if (longer <= most || width < 1 || height < 1) return;
  gdk_pixbuf_loader_set_size(loader, reduced(width, most, longer), reduced(height, most, longer));
}

void demo_limit_size(GdkPixbufLoader *loader, int most) {
  g_signal_connect(loader, "size-prepared", G_CALLBACK(prepared), GINT_TO_POINTER(most));
}
