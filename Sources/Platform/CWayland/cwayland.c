#include "CWayland.h"

#include <wayland-util.h>

extern const struct wl_interface carry_manager_interface;
extern const struct wl_interface carry_region_interface;
extern const struct wl_interface carry_item_interface;
extern const struct wl_interface carry_preview_interface;
extern const struct wl_interface carry_provision_interface;
extern const struct wl_interface carry_drag_session_interface;
extern const struct wl_interface carry_drop_session_interface;
extern const struct wl_interface carry_load_interface;
extern const struct wl_interface carry_provider_interface;
extern const struct wl_interface carry_bridge_interface;
extern const struct wl_interface carry_foreign_drag_interface;
extern const struct wl_interface carry_shelf_interface;
extern const struct wl_interface carry_kept_item_interface;
extern const struct wl_interface carry_monitor_interface;
extern const struct wl_interface carry_region_list_interface;
extern const struct wl_interface carry_player_interface;

const struct wl_interface *cwayland_manager(void) { return &carry_manager_interface; }
const struct wl_interface *cwayland_region(void) { return &carry_region_interface; }
const struct wl_interface *cwayland_item(void) { return &carry_item_interface; }
const struct wl_interface *cwayland_preview(void) { return &carry_preview_interface; }
const struct wl_interface *cwayland_provision(void) { return &carry_provision_interface; }
const struct wl_interface *cwayland_drag_session(void) { return &carry_drag_session_interface; }
const struct wl_interface *cwayland_drop_session(void) { return &carry_drop_session_interface; }
const struct wl_interface *cwayland_load(void) { return &carry_load_interface; }
const struct wl_interface *cwayland_provider(void) { return &carry_provider_interface; }
const struct wl_interface *cwayland_bridge(void) { return &carry_bridge_interface; }
const struct wl_interface *cwayland_foreign_drag(void) { return &carry_foreign_drag_interface; }
const struct wl_interface *cwayland_shelf(void) { return &carry_shelf_interface; }
const struct wl_interface *cwayland_kept_item(void) { return &carry_kept_item_interface; }
const struct wl_interface *cwayland_monitor(void) { return &carry_monitor_interface; }
const struct wl_interface *cwayland_region_list(void) { return &carry_region_list_interface; }
const struct wl_interface *cwayland_player(void) { return &carry_player_interface; }
