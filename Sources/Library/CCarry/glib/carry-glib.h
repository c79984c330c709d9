#ifndef CARRY_GLIB_H
#define CARRY_GLIB_H

/**
 * @file carry-glib.h
 *
 * Carry in GLib's main loop, for GTK and similar programs. Header only: link GLib.
 *
 *     carry_client *client = carry_client_create("My program", NULL);
 *     guint source = carry_glib_attach(client, NULL, engine_lost, my_data);
 *     ...
 *     g_source_remove(source);
 *     carry_client_destroy(client);
 */
#include <carry.h>
#include <glib.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @cond */
typedef struct {
  GSource source;
  carry_client *client;
  gpointer tag;
  gboolean has_begun;
  void (*lost)(gpointer user_data);
  gpointer user_data;
} carry_glib_source;

static inline gboolean carry_glib_prepare(GSource *base, gint *timeout) {
  carry_glib_source *source = (carry_glib_source *)base;
  *timeout = -1;
  /* Requests that the program made outside of callbacks are sent before the loop waits. */
  return carry_client_flush(source->client) != CARRY_OK || !source->has_begun;
}

static inline gboolean carry_glib_check(GSource *base) {
  return g_source_query_unix_fd(base, ((carry_glib_source *)base)->tag) != 0;
}

static inline gboolean carry_glib_dispatch(GSource *base, GSourceFunc callback, gpointer data) {
  carry_glib_source *source = (carry_glib_source *)base;
  (void)callback, (void)data;
  source->has_begun = TRUE;
  if (carry_client_dispatch(source->client) == CARRY_OK) return G_SOURCE_CONTINUE;
  if (source->lost) source->lost(source->user_data);
  return G_SOURCE_REMOVE;
}

/** @endcond */

/**
 * Attaches the client to a main loop, which then calls its callbacks and sends its requests.
 *
 * @param client not NULL; remove the source before the client is destroyed.
 * @param context the loop of the thread that the client belongs to; NULL for the default one.
 * @param lost called once when the connection to the engine is lost. The source is removed afterwards: destroy the
 *   client, and try again later. May be NULL.
 * @return the source's number, for g_source_remove.
 */
static inline guint carry_glib_attach(carry_client *client, GMainContext *context, void (*lost)(gpointer user_data),
                                      gpointer user_data) {
  static GSourceFuncs functions = {carry_glib_prepare, carry_glib_check, carry_glib_dispatch, NULL, NULL, NULL};
  carry_glib_source *source = (carry_glib_source *)g_source_new(&functions, sizeof *source);
  guint number;
  source->client = client;
  source->has_begun = FALSE;
  source->lost = lost;
  source->user_data = user_data;
  source->tag = g_source_add_unix_fd(&source->source, carry_client_fd(client),
                                     (GIOCondition)(G_IO_IN | G_IO_HUP | G_IO_ERR));
  g_source_set_name(&source->source, "carry");
  number = g_source_attach(&source->source, context);
  g_source_unref(&source->source);
  return number;
}

#ifdef __cplusplus
}
#endif

#endif
