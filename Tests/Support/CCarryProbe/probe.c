#include "CCarryProbe.h"

typedef void (*any_function)(void);

static const struct {
  const char *name;
  any_function function;
} functions[] = {
    {"carry_animator_add_animation", (any_function)carry_animator_add_animation},
    {"carry_animator_add_completion", (any_function)carry_animator_add_completion},
    {"carry_drop_session_byte_count", (any_function)carry_drop_session_byte_count},
    {"carry_drop_session_load_file", (any_function)carry_drop_session_load_file},
    {"carry_drop_session_load_parts", (any_function)carry_drop_session_load_parts},
    {"carry_drop_session_open", (any_function)carry_drop_session_open},
    {"carry_drop_session_save", (any_function)carry_drop_session_save},
    {"carry_item_add_original", (any_function)carry_item_add_original},
    {"carry_item_set_byte_count", (any_function)carry_item_set_byte_count},
    {"carry_load_set_progress", (any_function)carry_load_set_progress},
    {"carry_request_form", (any_function)carry_request_form},
    {"carry_request_set_destination_progress", (any_function)carry_request_set_destination_progress},
    {"carry_stream_set_total", (any_function)carry_stream_set_total},
    {"carry_region_set_own_pointer", (any_function)carry_region_set_own_pointer},
    {"carry_client_copy", (any_function)carry_client_copy},
    {"carry_region_paste", (any_function)carry_region_paste},
    {"carry_drop_session_is_paste", (any_function)carry_drop_session_is_paste},
    {"carry_region_set_paste", (any_function)carry_region_set_paste},
    {"carry_client_create", (any_function)carry_client_create},
    {"carry_client_create_awaiting", (any_function)carry_client_create_awaiting},
    {"carry_client_set_reconnects", (any_function)carry_client_set_reconnects},
    {"carry_client_is_connected", (any_function)carry_client_is_connected},
    {"carry_client_set_connection_changed", (any_function)carry_client_set_connection_changed},
    {"carry_client_destroy", (any_function)carry_client_destroy},
    {"carry_client_dispatch", (any_function)carry_client_dispatch},
    {"carry_client_drag_enabled_by_default", (any_function)carry_client_drag_enabled_by_default},
    {"carry_client_engine_version", (any_function)carry_client_engine_version},
    {"carry_client_fd", (any_function)carry_client_fd},
    {"carry_client_flush", (any_function)carry_client_flush},
    {"carry_client_run", (any_function)carry_client_run},
    {"carry_client_set_preview_refused", (any_function)carry_client_set_preview_refused},
    {"carry_client_stop", (any_function)carry_client_stop},
    {"carry_client_synchronize", (any_function)carry_client_synchronize},
    {"carry_drag_session_add_item", (any_function)carry_drag_session_add_item},
    {"carry_drag_session_add_item_from", (any_function)carry_drag_session_add_item_from},
    {"carry_drag_session_offer_undo", (any_function)carry_drag_session_offer_undo},
    {"carry_drop_session_set_progress_indicator", (any_function)carry_drop_session_set_progress_indicator},
    {"carry_drag_session_item_moved", (any_function)carry_drag_session_item_moved},
    {"carry_drag_session_allows_move", (any_function)carry_drag_session_allows_move},
    {"carry_drag_session_identifier", (any_function)carry_drag_session_identifier},
    {"carry_drag_session_is_restricted", (any_function)carry_drag_session_is_restricted},
    {"carry_drag_session_item_conforms", (any_function)carry_drag_session_item_conforms},
    {"carry_drag_session_item_count", (any_function)carry_drag_session_item_count},
    {"carry_drag_session_item_local_data", (any_function)carry_drag_session_item_local_data},
    {"carry_drag_session_local_data", (any_function)carry_drag_session_local_data},
    {"carry_drag_session_location", (any_function)carry_drag_session_location},
    {"carry_drag_session_set_local_data", (any_function)carry_drag_session_set_local_data},
    {"carry_drop_session_allows_move", (any_function)carry_drop_session_allows_move},
    {"carry_drop_session_best_type", (any_function)carry_drop_session_best_type},
    {"carry_drop_session_conforms", (any_function)carry_drop_session_conforms},
    {"carry_drop_session_edge_speed", (any_function)carry_drop_session_edge_speed},
    {"carry_drop_session_identifier", (any_function)carry_drop_session_identifier},
    {"carry_drop_session_finish", (any_function)carry_drop_session_finish},
    {"carry_drop_session_is_local", (any_function)carry_drop_session_is_local},
    {"carry_drop_session_keep_open", (any_function)carry_drop_session_keep_open},
    {"carry_drop_session_is_restricted", (any_function)carry_drop_session_is_restricted},
    {"carry_drop_session_item_count", (any_function)carry_drop_session_item_count},
    {"carry_drop_session_item_local_data", (any_function)carry_drop_session_item_local_data},
    {"carry_drop_session_load", (any_function)carry_drop_session_load},
    {"carry_drop_session_load_into", (any_function)carry_drop_session_load_into},
    {"carry_drop_session_local_data", (any_function)carry_drop_session_local_data},
    {"carry_drop_session_local_drag_session", (any_function)carry_drop_session_local_drag_session},
    {"carry_drop_session_location", (any_function)carry_drop_session_location},
    {"carry_drop_session_name", (any_function)carry_drop_session_name},
    {"carry_drop_session_operation", (any_function)carry_drop_session_operation},
    {"carry_drop_session_carried_size", (any_function)carry_drop_session_carried_size},
    {"carry_drag_session_carried_size", (any_function)carry_drag_session_carried_size},
    {"carry_drop_session_presentation_size", (any_function)carry_drop_session_presentation_size},
    {"carry_drop_session_team_data", (any_function)carry_drop_session_team_data},
    {"carry_drop_session_propose_full_size", (any_function)carry_drop_session_propose_full_size},
    {"carry_drop_session_propose_precise", (any_function)carry_drop_session_propose_precise},
    {"carry_drop_session_propose_reason", (any_function)carry_drop_session_propose_reason},
    {"carry_drop_session_set_local_data", (any_function)carry_drop_session_set_local_data},
    {"carry_drop_session_type", (any_function)carry_drop_session_type},
    {"carry_drop_session_type_count", (any_function)carry_drop_session_type_count},
    {"carry_file_access_end", (any_function)carry_file_access_end},
    {"carry_file_begin_reading", (any_function)carry_file_begin_reading},
    {"carry_file_begin_writing", (any_function)carry_file_begin_writing},
    {"carry_file_read", (any_function)carry_file_read},
    {"carry_file_watch_create", (any_function)carry_file_watch_create},
    {"carry_file_watch_destroy", (any_function)carry_file_watch_destroy},
    {"carry_file_write", (any_function)carry_file_write},
    {"carry_item_add_callback", (any_function)carry_item_add_callback},
    {"carry_item_add_data", (any_function)carry_item_add_data},
    {"carry_item_add_file", (any_function)carry_item_add_file},
    {"carry_item_add_stream", (any_function)carry_item_add_stream},
    {"carry_item_add_text", (any_function)carry_item_add_text},
    {"carry_item_create", (any_function)carry_item_create},
    {"carry_item_destroy", (any_function)carry_item_destroy},
    {"carry_item_set_local_data", (any_function)carry_item_set_local_data},
    {"carry_item_set_name", (any_function)carry_item_set_name},
    {"carry_item_set_presentation_size", (any_function)carry_item_set_presentation_size},
    {"carry_item_set_reference", (any_function)carry_item_set_reference},
    {"carry_item_set_team_data", (any_function)carry_item_set_team_data},
    {"carry_item_set_visibility", (any_function)carry_item_set_visibility},
    {"carry_item_set_preview_provider", (any_function)carry_item_set_preview_provider},
    {"carry_last_error", (any_function)carry_last_error},
    {"carry_load_cancel", (any_function)carry_load_cancel},
    {"carry_load_completed_bytes", (any_function)carry_load_completed_bytes},
    {"carry_monitor_create", (any_function)carry_monitor_create},
    {"carry_monitor_destroy", (any_function)carry_monitor_destroy},
    {"carry_monitor_set_announced", (any_function)carry_monitor_set_announced},
    {"carry_preview_create_carried", (any_function)carry_preview_create_carried},
    {"carry_preview_create_image", (any_function)carry_preview_create_image},
    {"carry_preview_create_link", (any_function)carry_preview_create_link},
    {"carry_preview_create_pixmap", (any_function)carry_preview_create_pixmap},
    {"carry_preview_create_region", (any_function)carry_preview_create_region},
    {"carry_preview_destroy", (any_function)carry_preview_destroy},
    {"carry_preview_set_background", (any_function)carry_preview_set_background},
    {"carry_preview_set_path", (any_function)carry_preview_set_path},
    {"carry_preview_set_shadow_path", (any_function)carry_preview_set_shadow_path},
    {"carry_preview_set_target", (any_function)carry_preview_set_target},
    {"carry_preview_set_text_lines", (any_function)carry_preview_set_text_lines},
    {"carry_progress_cancel", (any_function)carry_progress_cancel},
    {"carry_progress_create", (any_function)carry_progress_create},
    {"carry_progress_destroy", (any_function)carry_progress_destroy},
    {"carry_provider_run", (any_function)carry_provider_run},
    {"carry_region_create", (any_function)carry_region_create},
    {"carry_region_destroy", (any_function)carry_region_destroy},
    {"carry_region_refusal", (any_function)carry_region_refusal},
    {"carry_region_set_accepted_types", (any_function)carry_region_set_accepted_types},
    {"carry_region_ask_again", (any_function)carry_region_ask_again},
    {"carry_region_raise", (any_function)carry_region_raise},
    {"carry_region_set_obstacle", (any_function)carry_region_set_obstacle},
    {"carry_client_is_dispatching", (any_function)carry_client_is_dispatching},
    {"carry_region_set_drag", (any_function)carry_region_set_drag},
    {"carry_region_set_drop", (any_function)carry_region_set_drop},
    {"carry_region_set_edge_zone", (any_function)carry_region_set_edge_zone},
    {"carry_region_set_enabled", (any_function)carry_region_set_enabled},
    {"carry_region_set_label", (any_function)carry_region_set_label},
    {"carry_region_set_rectangle", (any_function)carry_region_set_rectangle},
    {"carry_region_set_refused", (any_function)carry_region_set_refused},
    {"carry_region_set_simultaneous", (any_function)carry_region_set_simultaneous},
    {"carry_region_set_spring", (any_function)carry_region_set_spring},
    {"carry_region_set_touch_cancelled", (any_function)carry_region_set_touch_cancelled},
    {"carry_request_answer_data", (any_function)carry_request_answer_data},
    {"carry_request_answer_descriptor", (any_function)carry_request_answer_descriptor},
    {"carry_request_answer_file", (any_function)carry_request_answer_file},
    {"carry_request_answer_original", (any_function)carry_request_answer_original},
    {"carry_request_answer_pipe", (any_function)carry_request_answer_pipe},
    {"carry_request_finish", (any_function)carry_request_finish},
    {"carry_request_fail", (any_function)carry_request_fail},
    {"carry_request_progress", (any_function)carry_request_progress},
    {"carry_request_set_cancelled", (any_function)carry_request_set_cancelled},
    {"carry_stream_fail", (any_function)carry_stream_fail},
    {"carry_stream_is_cancelled", (any_function)carry_stream_is_cancelled},
    {"carry_stream_keep_alive", (any_function)carry_stream_keep_alive},
    {"carry_stream_write", (any_function)carry_stream_write},
    {"carry_version", (any_function)carry_version},
};

size_t ccarryprobe_count(void) { return sizeof functions / sizeof *functions; }

const char *ccarryprobe_name(size_t index) { return functions[index].function ? functions[index].name : NULL; }

#define REFUSES(name, ...) \
  if (name(__VA_ARGS__) >= 0) return #name
#define GIVES_NONE(name, ...) \
  if (name(__VA_ARGS__)) return #name

const char *ccarryprobe_refuse(void *h, const char *s, int n) {
  double x, y;
  GIVES_NONE(carry_client_create, s, "/nonexistent/socket");
  GIVES_NONE(carry_client_create, "name", s ? s : "/nonexistent/socket");
  carry_client_destroy(h);
  REFUSES(carry_client_fd, h);
  REFUSES(carry_client_set_reconnects, h, 1);
  REFUSES(carry_client_is_connected, h);
  REFUSES(carry_client_set_connection_changed, h, NULL, NULL);
  GIVES_NONE(carry_client_create_awaiting, s, "/tmp/a-path-of-more-than-107-bytes-a-path-of-more-than-107-bytes-a-path-"
             "of-more-than-107-bytes-a-path-of-more-than-107-bytes");
  GIVES_NONE(carry_client_engine_version, h);
  REFUSES(carry_client_dispatch, h);
  REFUSES(carry_client_flush, h);
  REFUSES(carry_client_synchronize, h);
  REFUSES(carry_client_run, h, n, NULL, NULL);
  REFUSES(carry_client_stop, h);
  GIVES_NONE(carry_region_create, h, (uint32_t)n, n, n, n, n);
  carry_region_destroy(h);
  REFUSES(carry_region_set_rectangle, h, n, n, n, n);
  REFUSES(carry_region_set_enabled, h, (uint32_t)n, n);
  REFUSES(carry_region_raise, h);
  REFUSES(carry_region_ask_again, h);
  REFUSES(carry_region_set_obstacle, h, n);
  REFUSES(carry_client_is_dispatching, h);
  GIVES_NONE(carry_region_refusal, h);
  REFUSES(carry_region_set_refused, h, NULL, NULL);
  REFUSES(carry_region_set_drag, h, NULL);
  REFUSES(carry_region_set_drop, h, NULL);
  REFUSES(carry_region_set_spring, h, NULL);
  REFUSES(carry_region_set_touch_cancelled, h, NULL, NULL);
  REFUSES(carry_drag_session_add_item, h, h);
  REFUSES(carry_drag_session_add_item_from, h, h, h);
  REFUSES(carry_drag_session_item_count, h);
  GIVES_NONE(carry_drag_session_item_local_data, h, n);
  REFUSES(carry_drag_session_item_conforms, h, n, s);
  REFUSES(carry_drag_session_location, h, h, &x, &y);
  REFUSES(carry_drag_session_location, h, NULL, NULL, NULL);
  GIVES_NONE(carry_drag_session_identifier, h);
  REFUSES(carry_drag_session_allows_move, h);
  REFUSES(carry_drag_session_item_moved, h, n);
  REFUSES(carry_drag_session_offer_undo, h, s, NULL, NULL);
  REFUSES(carry_drop_session_set_progress_indicator, h, CARRY_PROGRESS_INDICATOR_NONE);
  REFUSES(carry_drag_session_is_restricted, h);
  REFUSES(carry_drag_session_set_local_data, h, h);
  GIVES_NONE(carry_drag_session_local_data, h);
  carry_item_destroy(h);
  REFUSES(carry_item_set_name, h, s);
  REFUSES(carry_item_set_local_data, h, h);
  REFUSES(carry_item_add_text, h, s);
  REFUSES(carry_item_add_data, h, s, NULL, (size_t)n);
  REFUSES(carry_item_add_file, h, s, s);
  REFUSES(carry_item_add_original, h, s, s);
  REFUSES(carry_item_set_byte_count, h, s, 1);
  REFUSES(carry_item_add_callback, h, s, NULL, NULL, NULL);
  REFUSES(carry_item_add_stream, h, s, NULL, NULL, NULL);
  REFUSES(carry_request_answer_data, h, NULL, (size_t)n);
  REFUSES(carry_request_answer_file, h, s);
  REFUSES(carry_request_answer_original, h, s);
  REFUSES(carry_request_answer_descriptor, h, n);
  REFUSES(carry_request_answer_pipe, h, NULL);
  REFUSES(carry_request_finish, h);
  REFUSES(carry_request_fail, h, s);
  REFUSES(carry_request_progress, h, 0, 0);
  REFUSES(carry_request_form, h);
  REFUSES(carry_request_set_destination_progress, h, NULL, NULL);
  REFUSES(carry_request_set_cancelled, h, NULL, NULL);
  REFUSES(carry_stream_write, h, NULL, (size_t)n);
  REFUSES(carry_stream_fail, h, s);
  REFUSES(carry_stream_is_cancelled, h);
  REFUSES(carry_stream_keep_alive, h);
  REFUSES(carry_stream_set_total, h, 1);
  REFUSES(carry_drop_session_item_count, h);
  REFUSES(carry_drop_session_type_count, h, n);
  GIVES_NONE(carry_drop_session_type, h, n, n);
  REFUSES(carry_drop_session_conforms, h, s);
  GIVES_NONE(carry_drop_session_best_type, h, n, s);
  GIVES_NONE(carry_drop_session_name, h, n);
  GIVES_NONE(carry_drop_session_item_local_data, h, n);
  REFUSES(carry_drop_session_location, h, h, &x, &y);
  REFUSES(carry_drop_session_location, h, NULL, NULL, NULL);
  REFUSES(carry_drop_session_allows_move, h);
  REFUSES(carry_drop_session_is_local, h);
  REFUSES(carry_drop_session_keep_open, h);
  REFUSES(carry_drop_session_finish, h, n);
  REFUSES(carry_drop_session_is_restricted, h);
  GIVES_NONE(carry_drop_session_local_drag_session, h);
  REFUSES(carry_drop_session_propose_precise, h);
  REFUSES(carry_drop_session_propose_full_size, h);
  REFUSES(carry_drop_session_propose_reason, h, s);
  REFUSES(carry_region_set_label, h, s);
  REFUSES(carry_client_copy, h, NULL, (size_t)n);
  REFUSES(carry_region_paste, h, NULL, NULL);
  REFUSES(carry_drop_session_is_paste, h);
  REFUSES(carry_region_set_paste, h, NULL, (size_t)n, NULL, NULL);
  REFUSES(carry_region_set_accepted_types, h, s);
  REFUSES(carry_item_set_presentation_size, h, n, n);
  REFUSES(carry_drop_session_presentation_size, h, n, NULL, NULL);
  REFUSES(carry_drop_session_carried_size, h, n, NULL, NULL);
  REFUSES(carry_drop_session_team_data, h, n, NULL, (size_t)n);
  REFUSES(carry_item_set_team_data, h, NULL, (size_t)n);
  REFUSES(carry_item_set_visibility, h, s, n);
  REFUSES(carry_item_set_reference, h, s);
  REFUSES(carry_drag_session_carried_size, h, n, NULL, NULL);
  REFUSES(carry_region_set_simultaneous, h, n);
  REFUSES(carry_region_set_own_pointer, h, n);
  REFUSES(carry_region_set_edge_zone, h, n);
  REFUSES(carry_drop_session_edge_speed, h, &x, &y);
  REFUSES(carry_client_drag_enabled_by_default, h);
  GIVES_NONE(carry_drop_session_identifier, h);
  REFUSES(carry_drop_session_operation, h);
  REFUSES(carry_drop_session_set_local_data, h, h);
  GIVES_NONE(carry_drop_session_local_data, h);
  GIVES_NONE(carry_drop_session_load, h, n, s, (size_t)n, NULL, NULL);
  GIVES_NONE(carry_drop_session_load_into, h, n, s, n, NULL, NULL);
  GIVES_NONE(carry_drop_session_load_parts, h, n, s, NULL, NULL, NULL, NULL);
  GIVES_NONE(carry_drop_session_load_file, h, n, s, NULL, NULL);
  GIVES_NONE(carry_drop_session_save, h, n, s, s, s, (uint32_t)n, NULL, NULL);
  GIVES_NONE(carry_drop_session_open, h, n, s, NULL, NULL);
  REFUSES(carry_drop_session_byte_count, h, n, s, NULL);
  REFUSES(carry_load_set_progress, h, NULL, NULL);
  REFUSES(carry_file_begin_reading, s, n, NULL);
  REFUSES(carry_file_begin_writing, s, n, NULL);
  REFUSES(carry_file_read, h, s, n, NULL, NULL, NULL);
  REFUSES(carry_file_write, h, s, n, NULL, NULL, NULL);
  carry_file_access_end(h);
  GIVES_NONE(carry_file_watch_create, h, s, NULL, NULL);
  carry_file_watch_destroy(h);
  carry_load_cancel(h);
  GIVES_NONE(carry_progress_create, h, NULL, NULL);
  REFUSES(carry_progress_cancel, h);
  carry_progress_destroy(h);
  REFUSES(carry_load_completed_bytes, h);
  GIVES_NONE(carry_monitor_create, h, NULL, NULL);
  REFUSES(carry_monitor_set_announced, h, NULL, NULL);
  carry_monitor_destroy(h);
  GIVES_NONE(carry_preview_create_region, h, n, n, n, n);
  GIVES_NONE(carry_preview_create_image, NULL, n, n, x);
  GIVES_NONE(carry_preview_create_pixmap, 0, n, n);
  GIVES_NONE(carry_preview_create_link, NULL, s);
  carry_preview_destroy(h);
  REFUSES(carry_preview_set_background, h, 0);
  REFUSES(carry_preview_set_path, h, NULL, (size_t)n);
  REFUSES(carry_preview_set_shadow_path, h, NULL, (size_t)n);
  REFUSES(carry_preview_set_text_lines, h, NULL, (size_t)n);
  REFUSES(carry_preview_set_target, h, h, x, y, x, y);
  REFUSES(carry_item_set_preview_provider, h, NULL, NULL);
  REFUSES(carry_client_set_preview_refused, h, NULL, NULL);
  REFUSES(carry_animator_add_animation, h, NULL, NULL);
  REFUSES(carry_animator_add_completion, h, NULL, NULL);
  return NULL;
}
