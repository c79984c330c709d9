// Descriptions of the wire protocol's interfaces, for both ends. They are variables whose addresses matter, which
// Swift imports as values: hence a function for each.
#ifndef CWAYLAND_H
#define CWAYLAND_H

struct wl_interface;

const struct wl_interface *cwayland_manager(void);
const struct wl_interface *cwayland_region(void);
const struct wl_interface *cwayland_item(void);
const struct wl_interface *cwayland_preview(void);
const struct wl_interface *cwayland_provision(void);
const struct wl_interface *cwayland_drag_session(void);
const struct wl_interface *cwayland_drop_session(void);
const struct wl_interface *cwayland_load(void);
const struct wl_interface *cwayland_provider(void);
const struct wl_interface *cwayland_bridge(void);
const struct wl_interface *cwayland_foreign_drag(void);
const struct wl_interface *cwayland_shelf(void);
const struct wl_interface *cwayland_kept_item(void);
const struct wl_interface *cwayland_monitor(void);
const struct wl_interface *cwayland_region_list(void);
const struct wl_interface *cwayland_player(void);

#endif
