// The plugin of OwnSwing.java. All of it runs on the thread of Swing's events.
#include <X11/Xlib.h>
#include <carry.h>
#include <jni.h>

static carry_client *client;

static carry_item *words(void) {
  carry_item *item = carry_item_create();
  carry_item_add_text(item, "own words");
  return item;
}

static void lift_words(void *data, carry_drag_session *session, double x, double y) {
  (void)data, (void)x, (void)y;
  carry_item *item = words();
  carry_drag_session_add_item(session, item);
  carry_item_destroy(item);
}

JNIEXPORT void JNICALL Java_OwnSwing_open(JNIEnv *env, jclass type) {
  (void)env, (void)type;
  client = carry_client_create_awaiting("own", NULL);
}

JNIEXPORT void JNICALL Java_OwnSwing_dispatch(JNIEnv *env, jclass type) {
  (void)env, (void)type;
  carry_client_dispatch(client);
}

JNIEXPORT void JNICALL Java_OwnSwing_copy(JNIEnv *env, jclass type) {
  (void)env, (void)type;
  carry_item *item = words();
  carry_client_copy(client, &item, 1);
  carry_item_destroy(item);
}

JNIEXPORT void JNICALL Java_OwnSwing_lift(JNIEnv *env, jclass type) {
  (void)env, (void)type;
  Display *display = XOpenDisplay(NULL);
  Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 50, 250, 300, 300, 0, 0, 0x336699);
  XMapWindow(display, window);
  XSync(display, False);
  carry_region *region = carry_region_create(client, (uint32_t)window, 0, 0, 300, 300);
  carry_drag_callbacks drag = CARRY_DRAG_CALLBACKS_INIT;
  drag.items_for_beginning = lift_words;
  carry_region_set_drag(region, &drag);
  carry_client_flush(client);
}
