"""carry.h for ctypes. Made by generate.py; do not edit."""
import ctypes as c

CARRY_OK = 0
CARRY_ERROR_INVALID_ARGUMENT = -1
CARRY_ERROR_INVALID_HANDLE = -2
CARRY_ERROR_CONNECTION = -3
CARRY_ERROR_LIMIT = -4
CARRY_ERROR_STATE = -5
CARRY_ERROR_BUSY = -6
CARRY_ERROR_OUTSIDE_PERFORM = -101
CARRY_ERROR_NO_SUCH_TYPE = -102
CARRY_ERROR_SOURCE_FAILED = -103
CARRY_ERROR_SOURCE_GONE = -104
CARRY_ERROR_TIMED_OUT = -105
CARRY_ERROR_UNUSABLE_DESCRIPTOR = -106
CARRY_ERROR_CANCELLED = -107
CARRY_ERROR_TOO_MANY_LOADS = -108
CARRY_ERROR_LOCAL = -200
CARRY_OPERATION_CANCEL = 0
CARRY_OPERATION_FORBIDDEN = 1
CARRY_OPERATION_COPY = 2
CARRY_OPERATION_MOVE = 3
CARRY_OPERATION_NONE = -1
CARRY_INTERACTION_DRAG = 1
CARRY_INTERACTION_DROP = 2
CARRY_INTERACTION_SPRING = 4
CARRY_SPRING_INACTIVE = 0
CARRY_SPRING_POSSIBLE = 1
CARRY_SPRING_ACTIVATING = 2
CARRY_SPRING_ACTIVATED = 3
CARRY_VISIBILITY_ALL = 0
CARRY_VISIBILITY_TEAM = 1
CARRY_VISIBILITY_OWN_PROCESS = 2
CARRY_FORM_DATA = 0
CARRY_FORM_COPY = 1
CARRY_FORM_ORIGINAL = 2
CARRY_PREVIEW_USUAL = 0
CARRY_PREVIEW_NONE = 1
CARRY_PREVIEW_OWN = 2
CARRY_PROGRESS_INDICATOR_DEFAULT = 0
CARRY_PROGRESS_INDICATOR_NONE = 1
CARRY_SAVE_KEEPS_ATTRIBUTES = 1
CARRY_FILE_WRITTEN = 0
CARRY_FILE_REPLACED = 1
CARRY_FILE_REMOVED = 2


carry_client = c.c_void_p
carry_region = c.c_void_p
carry_item = c.c_void_p
carry_drag_session = c.c_void_p
carry_drop_session = c.c_void_p
carry_request = c.c_void_p
carry_stream = c.c_void_p
carry_load = c.c_void_p
carry_progress = c.c_void_p
carry_preview = c.c_void_p
carry_animator = c.c_void_p
carry_monitor = c.c_void_p
carry_file_access = c.c_void_p
carry_file_watch = c.c_void_p


class carry_drag_callbacks(c.Structure):
    pass


class carry_drop_callbacks(c.Structure):
    pass


class carry_file(c.Structure):
    pass


class carry_spring_callbacks(c.Structure):
    pass


class carry_monitor_step(c.Structure):
    pass


carry_release_func = c.CFUNCTYPE(None, c.c_void_p)
carry_request_func = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_char_p)
carry_stream_func = c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_void_p)
carry_provider_func = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_char_p, c.c_char_p)
carry_preview_func = c.CFUNCTYPE(c.c_void_p, c.c_void_p)
carry_paste_func = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.POINTER(c.c_int32), c.c_size_t)
carry_pasted_func = c.CFUNCTYPE(None, c.c_void_p, c.c_int32)
carry_load_func = c.CFUNCTYPE(None, c.c_void_p, c.c_int32, c.c_void_p, c.c_size_t, c.c_char_p)
carry_part_func = c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_void_p, c.c_size_t)
carry_file_func = c.CFUNCTYPE(None, c.c_void_p, c.c_int32, c.POINTER(carry_file), c.c_char_p)
carry_progress_func = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_int64, c.c_int64, c.c_double)
carry_drop_progress_func = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_int64, c.c_int64, c.c_double)
carry_file_work_func = c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_int32)
carry_file_done_func = c.CFUNCTYPE(None, c.c_void_p, c.c_int32)
carry_file_change_func = c.CFUNCTYPE(None, c.c_void_p, c.c_int32)
carry_monitor_func = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(carry_monitor_step))
carry_announcement_func = c.CFUNCTYPE(None, c.c_void_p, c.c_double, c.c_char_p)

carry_drag_callbacks._fields_ = [
    ("size", c.c_size_t),
    ("user_data", c.c_void_p),
    ("items_for_beginning", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_double, c.c_double)),
    ("items_for_adding", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_double, c.c_double)),
    ("allows_move", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_void_p)),
    ("is_restricted", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_void_p)),
    ("lift_ended", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_int32)),
    ("session_will_begin", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p)),
    ("session_did_move", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p)),
    ("will_end", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_int32)),
    ("did_end", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_int32)),
    ("did_transfer", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p)),
    ("lift_began", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p)),
    ("lifted", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p)),
    ("session_for_adding", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.POINTER(c.c_void_p), c.c_size_t, c.c_double, c.c_double)),
    ("will_add", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_int32, c.c_void_p)),
    ("prefers_full_size", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_void_p)),
    ("preview_for_lifting", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_void_p, c.c_int32, c.POINTER(c.c_void_p))),
    ("will_animate_lift", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_void_p)),
    ("preview_for_cancelling", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_void_p, c.c_int32, c.POINTER(c.c_void_p))),
    ("will_animate_cancel", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_int32, c.c_void_p)),
    ("allows_move_to_others", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_void_p)),
    ("may_begin", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_double, c.c_double)),
]

carry_drop_callbacks._fields_ = [
    ("size", c.c_size_t),
    ("user_data", c.c_void_p),
    ("can_handle", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_void_p)),
    ("did_enter", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p)),
    ("did_update", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_void_p)),
    ("did_exit", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p)),
    ("perform_drop", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p)),
    ("conclude_drop", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p)),
    ("did_end", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_int32)),
    ("preview_for_dropping", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_void_p, c.c_int32, c.POINTER(c.c_void_p))),
    ("will_animate_drop", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_int32, c.c_void_p)),
]

carry_file._fields_ = [
    ("path", c.c_char_p),
    ("byte_count", c.c_int64),
    ("is_folder", c.c_int32),
    ("descriptor", c.c_int32),
    ("is_original", c.c_int32),
    ("is_writable", c.c_int32),
    ("left_out_count", c.c_int32),
    ("left_out", c.POINTER(c.c_char_p)),
]

carry_spring_callbacks._fields_ = [
    ("size", c.c_size_t),
    ("user_data", c.c_void_p),
    ("state_changed", c.CFUNCTYPE(None, c.c_void_p, c.c_int32, c.c_double, c.c_double)),
    ("activated", c.CFUNCTYPE(None, c.c_void_p, c.c_double, c.c_double)),
    ("should_allow", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_int32, c.c_double, c.c_double)),
    ("did_finish", c.CFUNCTYPE(None, c.c_void_p)),
]

carry_monitor_step._fields_ = [
    ("size", c.c_size_t),
    ("time", c.c_double),
    ("kind", c.c_char_p),
    ("x", c.c_double),
    ("y", c.c_double),
    ("session", c.c_uint32),
    ("items", c.c_int32),
    ("types", c.POINTER(c.c_char_p)),
    ("type_count", c.c_size_t),
    ("source", c.c_char_p),
    ("target", c.c_char_p),
    ("device", c.c_char_p),
    ("operation", c.c_int32),
    ("nearest", c.c_char_p),
    ("nearest_label", c.c_char_p),
    ("nearest_x", c.c_double),
    ("nearest_y", c.c_double),
]


def declare(library: c.CDLL) -> None:
    """Tells ctypes the types of all functions."""
    library.carry_version.argtypes = []
    library.carry_version.restype = c.c_char_p
    library.carry_last_error.argtypes = []
    library.carry_last_error.restype = c.c_char_p
    library.carry_client_create.argtypes = [c.c_char_p, c.c_char_p]
    library.carry_client_create.restype = c.c_void_p
    library.carry_client_create_awaiting.argtypes = [c.c_char_p, c.c_char_p]
    library.carry_client_create_awaiting.restype = c.c_void_p
    library.carry_client_set_reconnects.argtypes = [c.c_void_p, c.c_int32]
    library.carry_client_set_reconnects.restype = c.c_int32
    library.carry_client_is_connected.argtypes = [c.c_void_p]
    library.carry_client_is_connected.restype = c.c_int32
    library.carry_client_is_dispatching.argtypes = [c.c_void_p]
    library.carry_client_is_dispatching.restype = c.c_int32
    library.carry_client_set_connection_changed.argtypes = [c.c_void_p, c.CFUNCTYPE(None, c.c_void_p, c.c_int32, c.c_char_p), c.c_void_p]
    library.carry_client_set_connection_changed.restype = c.c_int32
    library.carry_client_destroy.argtypes = [c.c_void_p]
    library.carry_client_destroy.restype = None
    library.carry_client_fd.argtypes = [c.c_void_p]
    library.carry_client_fd.restype = c.c_int32
    library.carry_client_engine_version.argtypes = [c.c_void_p]
    library.carry_client_engine_version.restype = c.c_char_p
    library.carry_client_drag_enabled_by_default.argtypes = [c.c_void_p]
    library.carry_client_drag_enabled_by_default.restype = c.c_int32
    library.carry_client_dispatch.argtypes = [c.c_void_p]
    library.carry_client_dispatch.restype = c.c_int32
    library.carry_client_flush.argtypes = [c.c_void_p]
    library.carry_client_flush.restype = c.c_int32
    library.carry_client_synchronize.argtypes = [c.c_void_p]
    library.carry_client_synchronize.restype = c.c_int32
    library.carry_client_run.argtypes = [c.c_void_p, c.c_int32, c.CFUNCTYPE(None, c.c_void_p), c.c_void_p]
    library.carry_client_run.restype = c.c_int32
    library.carry_client_stop.argtypes = [c.c_void_p]
    library.carry_client_stop.restype = c.c_int32
    library.carry_region_create.argtypes = [c.c_void_p, c.c_uint32, c.c_int32, c.c_int32, c.c_int32, c.c_int32]
    library.carry_region_create.restype = c.c_void_p
    library.carry_region_destroy.argtypes = [c.c_void_p]
    library.carry_region_destroy.restype = None
    library.carry_region_set_rectangle.argtypes = [c.c_void_p, c.c_int32, c.c_int32, c.c_int32, c.c_int32]
    library.carry_region_set_rectangle.restype = c.c_int32
    library.carry_region_raise.argtypes = [c.c_void_p]
    library.carry_region_raise.restype = c.c_int32
    library.carry_region_set_obstacle.argtypes = [c.c_void_p, c.c_int32]
    library.carry_region_set_obstacle.restype = c.c_int32
    library.carry_region_ask_again.argtypes = [c.c_void_p]
    library.carry_region_ask_again.restype = c.c_int32
    library.carry_region_set_enabled.argtypes = [c.c_void_p, c.c_uint32, c.c_int32]
    library.carry_region_set_enabled.restype = c.c_int32
    library.carry_region_refusal.argtypes = [c.c_void_p]
    library.carry_region_refusal.restype = c.c_char_p
    library.carry_region_set_refused.argtypes = [c.c_void_p, c.CFUNCTYPE(None, c.c_void_p, c.c_char_p), c.c_void_p]
    library.carry_region_set_refused.restype = c.c_int32
    library.carry_region_set_touch_cancelled.argtypes = [c.c_void_p, c.CFUNCTYPE(None, c.c_void_p, c.c_uint32), c.c_void_p]
    library.carry_region_set_touch_cancelled.restype = c.c_int32
    library.carry_region_set_drag.argtypes = [c.c_void_p, c.POINTER(carry_drag_callbacks)]
    library.carry_region_set_drag.restype = c.c_int32
    library.carry_region_set_own_pointer.argtypes = [c.c_void_p, c.c_int32]
    library.carry_region_set_own_pointer.restype = c.c_int32
    library.carry_drag_session_add_item.argtypes = [c.c_void_p, c.c_void_p]
    library.carry_drag_session_add_item.restype = c.c_int32
    library.carry_drag_session_add_item_from.argtypes = [c.c_void_p, c.c_void_p, c.c_void_p]
    library.carry_drag_session_add_item_from.restype = c.c_int32
    library.carry_drag_session_item_count.argtypes = [c.c_void_p]
    library.carry_drag_session_item_count.restype = c.c_int32
    library.carry_drag_session_item_local_data.argtypes = [c.c_void_p, c.c_int32]
    library.carry_drag_session_item_local_data.restype = c.c_void_p
    library.carry_drag_session_item_conforms.argtypes = [c.c_void_p, c.c_int32, c.c_char_p]
    library.carry_drag_session_item_conforms.restype = c.c_int32
    library.carry_drag_session_carried_size.argtypes = [c.c_void_p, c.c_int32, c.POINTER(c.c_double), c.POINTER(c.c_double)]
    library.carry_drag_session_carried_size.restype = c.c_int32
    library.carry_drag_session_location.argtypes = [c.c_void_p, c.c_void_p, c.POINTER(c.c_double), c.POINTER(c.c_double)]
    library.carry_drag_session_location.restype = c.c_int32
    library.carry_drag_session_identifier.argtypes = [c.c_void_p]
    library.carry_drag_session_identifier.restype = c.c_uint32
    library.carry_drag_session_allows_move.argtypes = [c.c_void_p]
    library.carry_drag_session_allows_move.restype = c.c_int32
    library.carry_drag_session_item_moved.argtypes = [c.c_void_p, c.c_int32]
    library.carry_drag_session_item_moved.restype = c.c_int32
    library.carry_drag_session_offer_undo.argtypes = [c.c_void_p, c.c_char_p, c.CFUNCTYPE(None, c.c_void_p), c.c_void_p]
    library.carry_drag_session_offer_undo.restype = c.c_int32
    library.carry_drag_session_is_restricted.argtypes = [c.c_void_p]
    library.carry_drag_session_is_restricted.restype = c.c_int32
    library.carry_drag_session_set_local_data.argtypes = [c.c_void_p, c.c_void_p]
    library.carry_drag_session_set_local_data.restype = c.c_int32
    library.carry_drag_session_local_data.argtypes = [c.c_void_p]
    library.carry_drag_session_local_data.restype = c.c_void_p
    library.carry_item_create.argtypes = []
    library.carry_item_create.restype = c.c_void_p
    library.carry_item_destroy.argtypes = [c.c_void_p]
    library.carry_item_destroy.restype = None
    library.carry_item_set_name.argtypes = [c.c_void_p, c.c_char_p]
    library.carry_item_set_name.restype = c.c_int32
    library.carry_item_set_presentation_size.argtypes = [c.c_void_p, c.c_int32, c.c_int32]
    library.carry_item_set_presentation_size.restype = c.c_int32
    library.carry_item_set_local_data.argtypes = [c.c_void_p, c.c_void_p]
    library.carry_item_set_local_data.restype = c.c_int32
    library.carry_item_set_visibility.argtypes = [c.c_void_p, c.c_char_p, c.c_int32]
    library.carry_item_set_visibility.restype = c.c_int32
    library.carry_item_set_team_data.argtypes = [c.c_void_p, c.c_void_p, c.c_size_t]
    library.carry_item_set_team_data.restype = c.c_int32
    library.carry_item_set_reference.argtypes = [c.c_void_p, c.c_char_p]
    library.carry_item_set_reference.restype = c.c_int32
    library.carry_item_add_text.argtypes = [c.c_void_p, c.c_char_p]
    library.carry_item_add_text.restype = c.c_int32
    library.carry_item_add_data.argtypes = [c.c_void_p, c.c_char_p, c.c_void_p, c.c_size_t]
    library.carry_item_add_data.restype = c.c_int32
    library.carry_item_add_file.argtypes = [c.c_void_p, c.c_char_p, c.c_char_p]
    library.carry_item_add_file.restype = c.c_int32
    library.carry_item_add_original.argtypes = [c.c_void_p, c.c_char_p, c.c_char_p]
    library.carry_item_add_original.restype = c.c_int32
    library.carry_item_set_byte_count.argtypes = [c.c_void_p, c.c_char_p, c.c_uint64]
    library.carry_item_set_byte_count.restype = c.c_int32
    library.carry_item_add_callback.argtypes = [c.c_void_p, c.c_char_p, carry_request_func, c.c_void_p, carry_release_func]
    library.carry_item_add_callback.restype = c.c_int32
    library.carry_request_set_cancelled.argtypes = [c.c_void_p, c.CFUNCTYPE(None, c.c_void_p), c.c_void_p]
    library.carry_request_set_cancelled.restype = c.c_int32
    library.carry_request_form.argtypes = [c.c_void_p]
    library.carry_request_form.restype = c.c_int32
    library.carry_request_progress.argtypes = [c.c_void_p, c.c_uint64, c.c_uint64]
    library.carry_request_progress.restype = c.c_int32
    library.carry_request_set_destination_progress.argtypes = [c.c_void_p, c.CFUNCTYPE(None, c.c_void_p, c.c_int64, c.c_int64), c.c_void_p]
    library.carry_request_set_destination_progress.restype = c.c_int32
    library.carry_request_answer_data.argtypes = [c.c_void_p, c.c_void_p, c.c_size_t]
    library.carry_request_answer_data.restype = c.c_int32
    library.carry_request_answer_file.argtypes = [c.c_void_p, c.c_char_p]
    library.carry_request_answer_file.restype = c.c_int32
    library.carry_request_answer_original.argtypes = [c.c_void_p, c.c_char_p]
    library.carry_request_answer_original.restype = c.c_int32
    library.carry_request_answer_descriptor.argtypes = [c.c_void_p, c.c_int32]
    library.carry_request_answer_descriptor.restype = c.c_int32
    library.carry_request_answer_pipe.argtypes = [c.c_void_p, c.POINTER(c.c_int32)]
    library.carry_request_answer_pipe.restype = c.c_int32
    library.carry_request_finish.argtypes = [c.c_void_p]
    library.carry_request_finish.restype = c.c_int32
    library.carry_request_fail.argtypes = [c.c_void_p, c.c_char_p]
    library.carry_request_fail.restype = c.c_int32
    library.carry_item_add_stream.argtypes = [c.c_void_p, c.c_char_p, carry_stream_func, c.c_void_p, carry_release_func]
    library.carry_item_add_stream.restype = c.c_int32
    library.carry_stream_write.argtypes = [c.c_void_p, c.c_void_p, c.c_size_t]
    library.carry_stream_write.restype = c.c_int32
    library.carry_stream_set_total.argtypes = [c.c_void_p, c.c_uint64]
    library.carry_stream_set_total.restype = c.c_int32
    library.carry_stream_keep_alive.argtypes = [c.c_void_p]
    library.carry_stream_keep_alive.restype = c.c_int32
    library.carry_stream_fail.argtypes = [c.c_void_p, c.c_char_p]
    library.carry_stream_fail.restype = c.c_int32
    library.carry_stream_is_cancelled.argtypes = [c.c_void_p]
    library.carry_stream_is_cancelled.restype = c.c_int32
    library.carry_provider_run.argtypes = [c.c_char_p, carry_provider_func, c.c_int32, c.CFUNCTYPE(None, c.c_void_p), c.c_void_p]
    library.carry_provider_run.restype = c.c_int32
    library.carry_preview_create_region.argtypes = [c.c_void_p, c.c_int32, c.c_int32, c.c_int32, c.c_int32]
    library.carry_preview_create_region.restype = c.c_void_p
    library.carry_preview_create_image.argtypes = [c.POINTER(c.c_uint32), c.c_int32, c.c_int32, c.c_double]
    library.carry_preview_create_image.restype = c.c_void_p
    library.carry_preview_create_pixmap.argtypes = [c.c_uint32, c.c_int32, c.c_int32]
    library.carry_preview_create_pixmap.restype = c.c_void_p
    library.carry_preview_create_link.argtypes = [c.c_char_p, c.c_char_p]
    library.carry_preview_create_link.restype = c.c_void_p
    library.carry_preview_create_carried.argtypes = []
    library.carry_preview_create_carried.restype = c.c_void_p
    library.carry_preview_destroy.argtypes = [c.c_void_p]
    library.carry_preview_destroy.restype = None
    library.carry_preview_set_background.argtypes = [c.c_void_p, c.c_uint32]
    library.carry_preview_set_background.restype = c.c_int32
    library.carry_preview_set_path.argtypes = [c.c_void_p, c.POINTER(c.c_double), c.c_size_t]
    library.carry_preview_set_path.restype = c.c_int32
    library.carry_preview_set_shadow_path.argtypes = [c.c_void_p, c.POINTER(c.c_double), c.c_size_t]
    library.carry_preview_set_shadow_path.restype = c.c_int32
    library.carry_preview_set_text_lines.argtypes = [c.c_void_p, c.POINTER(c.c_int32), c.c_size_t]
    library.carry_preview_set_text_lines.restype = c.c_int32
    library.carry_preview_set_target.argtypes = [c.c_void_p, c.c_void_p, c.c_double, c.c_double, c.c_double, c.c_double]
    library.carry_preview_set_target.restype = c.c_int32
    library.carry_item_set_preview_provider.argtypes = [c.c_void_p, carry_preview_func, c.c_void_p]
    library.carry_item_set_preview_provider.restype = c.c_int32
    library.carry_client_set_preview_refused.argtypes = [c.c_void_p, c.CFUNCTYPE(None, c.c_void_p, c.c_char_p), c.c_void_p]
    library.carry_client_set_preview_refused.restype = c.c_int32
    library.carry_animator_add_animation.argtypes = [c.c_void_p, c.CFUNCTYPE(None, c.c_void_p, c.c_double), c.c_void_p]
    library.carry_animator_add_animation.restype = c.c_int32
    library.carry_animator_add_completion.argtypes = [c.c_void_p, c.CFUNCTYPE(None, c.c_void_p, c.c_int32), c.c_void_p]
    library.carry_animator_add_completion.restype = c.c_int32
    library.carry_region_set_drop.argtypes = [c.c_void_p, c.POINTER(carry_drop_callbacks)]
    library.carry_region_set_drop.restype = c.c_int32
    library.carry_region_set_simultaneous.argtypes = [c.c_void_p, c.c_int32]
    library.carry_region_set_simultaneous.restype = c.c_int32
    library.carry_region_set_label.argtypes = [c.c_void_p, c.c_char_p]
    library.carry_region_set_label.restype = c.c_int32
    library.carry_region_set_accepted_types.argtypes = [c.c_void_p, c.c_char_p]
    library.carry_region_set_accepted_types.restype = c.c_int32
    library.carry_region_set_edge_zone.argtypes = [c.c_void_p, c.c_int32]
    library.carry_region_set_edge_zone.restype = c.c_int32
    library.carry_drop_session_edge_speed.argtypes = [c.c_void_p, c.POINTER(c.c_double), c.POINTER(c.c_double)]
    library.carry_drop_session_edge_speed.restype = c.c_int32
    library.carry_drop_session_propose_precise.argtypes = [c.c_void_p]
    library.carry_drop_session_propose_precise.restype = c.c_int32
    library.carry_drop_session_propose_full_size.argtypes = [c.c_void_p]
    library.carry_drop_session_propose_full_size.restype = c.c_int32
    library.carry_drop_session_propose_reason.argtypes = [c.c_void_p, c.c_char_p]
    library.carry_drop_session_propose_reason.restype = c.c_int32
    library.carry_drop_session_item_count.argtypes = [c.c_void_p]
    library.carry_drop_session_item_count.restype = c.c_int32
    library.carry_drop_session_type_count.argtypes = [c.c_void_p, c.c_int32]
    library.carry_drop_session_type_count.restype = c.c_int32
    library.carry_drop_session_type.argtypes = [c.c_void_p, c.c_int32, c.c_int32]
    library.carry_drop_session_type.restype = c.c_char_p
    library.carry_drop_session_conforms.argtypes = [c.c_void_p, c.c_char_p]
    library.carry_drop_session_conforms.restype = c.c_int32
    library.carry_drop_session_best_type.argtypes = [c.c_void_p, c.c_int32, c.c_char_p]
    library.carry_drop_session_best_type.restype = c.c_char_p
    library.carry_drop_session_name.argtypes = [c.c_void_p, c.c_int32]
    library.carry_drop_session_name.restype = c.c_char_p
    library.carry_drop_session_presentation_size.argtypes = [c.c_void_p, c.c_int32, c.POINTER(c.c_int32), c.POINTER(c.c_int32)]
    library.carry_drop_session_presentation_size.restype = c.c_int32
    library.carry_drop_session_team_data.argtypes = [c.c_void_p, c.c_int32, c.c_void_p, c.c_size_t]
    library.carry_drop_session_team_data.restype = c.c_int32
    library.carry_drop_session_carried_size.argtypes = [c.c_void_p, c.c_int32, c.POINTER(c.c_double), c.POINTER(c.c_double)]
    library.carry_drop_session_carried_size.restype = c.c_int32
    library.carry_drop_session_item_local_data.argtypes = [c.c_void_p, c.c_int32]
    library.carry_drop_session_item_local_data.restype = c.c_void_p
    library.carry_drop_session_location.argtypes = [c.c_void_p, c.c_void_p, c.POINTER(c.c_double), c.POINTER(c.c_double)]
    library.carry_drop_session_location.restype = c.c_int32
    library.carry_drop_session_allows_move.argtypes = [c.c_void_p]
    library.carry_drop_session_allows_move.restype = c.c_int32
    library.carry_drop_session_set_progress_indicator.argtypes = [c.c_void_p, c.c_int32]
    library.carry_drop_session_set_progress_indicator.restype = c.c_int32
    library.carry_drop_session_keep_open.argtypes = [c.c_void_p]
    library.carry_drop_session_keep_open.restype = c.c_int32
    library.carry_drop_session_finish.argtypes = [c.c_void_p, c.c_int32]
    library.carry_drop_session_finish.restype = c.c_int32
    library.carry_drop_session_is_local.argtypes = [c.c_void_p]
    library.carry_drop_session_is_local.restype = c.c_int32
    library.carry_drop_session_local_drag_session.argtypes = [c.c_void_p]
    library.carry_drop_session_local_drag_session.restype = c.c_void_p
    library.carry_drop_session_is_restricted.argtypes = [c.c_void_p]
    library.carry_drop_session_is_restricted.restype = c.c_int32
    library.carry_drop_session_identifier.argtypes = [c.c_void_p]
    library.carry_drop_session_identifier.restype = c.c_uint32
    library.carry_drop_session_operation.argtypes = [c.c_void_p]
    library.carry_drop_session_operation.restype = c.c_int32
    library.carry_drop_session_set_local_data.argtypes = [c.c_void_p, c.c_void_p]
    library.carry_drop_session_set_local_data.restype = c.c_int32
    library.carry_drop_session_local_data.argtypes = [c.c_void_p]
    library.carry_drop_session_local_data.restype = c.c_void_p
    library.carry_region_set_paste.argtypes = [c.c_void_p, c.POINTER(c.c_char_p), c.c_size_t, carry_paste_func, c.c_void_p]
    library.carry_region_set_paste.restype = c.c_int32
    library.carry_client_copy.argtypes = [c.c_void_p, c.POINTER(c.c_void_p), c.c_size_t]
    library.carry_client_copy.restype = c.c_int32
    library.carry_region_paste.argtypes = [c.c_void_p, carry_pasted_func, c.c_void_p]
    library.carry_region_paste.restype = c.c_int32
    library.carry_drop_session_is_paste.argtypes = [c.c_void_p]
    library.carry_drop_session_is_paste.restype = c.c_int32
    library.carry_drop_session_load.argtypes = [c.c_void_p, c.c_int32, c.c_char_p, c.c_size_t, carry_load_func, c.c_void_p]
    library.carry_drop_session_load.restype = c.c_void_p
    library.carry_drop_session_load_into.argtypes = [c.c_void_p, c.c_int32, c.c_char_p, c.c_int32, carry_load_func, c.c_void_p]
    library.carry_drop_session_load_into.restype = c.c_void_p
    library.carry_drop_session_load_parts.argtypes = [c.c_void_p, c.c_int32, c.c_char_p, carry_part_func, carry_load_func, c.c_void_p, carry_release_func]
    library.carry_drop_session_load_parts.restype = c.c_void_p
    library.carry_drop_session_load_file.argtypes = [c.c_void_p, c.c_int32, c.c_char_p, carry_file_func, c.c_void_p]
    library.carry_drop_session_load_file.restype = c.c_void_p
    library.carry_drop_session_save.argtypes = [c.c_void_p, c.c_int32, c.c_char_p, c.c_char_p, c.c_char_p, c.c_uint32, carry_file_func, c.c_void_p]
    library.carry_drop_session_save.restype = c.c_void_p
    library.carry_drop_session_open.argtypes = [c.c_void_p, c.c_int32, c.c_char_p, carry_file_func, c.c_void_p]
    library.carry_drop_session_open.restype = c.c_void_p
    library.carry_drop_session_byte_count.argtypes = [c.c_void_p, c.c_int32, c.c_char_p, c.POINTER(c.c_uint64)]
    library.carry_drop_session_byte_count.restype = c.c_int32
    library.carry_load_cancel.argtypes = [c.c_void_p]
    library.carry_load_cancel.restype = None
    library.carry_load_completed_bytes.argtypes = [c.c_void_p]
    library.carry_load_completed_bytes.restype = c.c_int64
    library.carry_load_set_progress.argtypes = [c.c_void_p, carry_progress_func, c.c_void_p]
    library.carry_load_set_progress.restype = c.c_int32
    library.carry_progress_create.argtypes = [c.c_void_p, carry_drop_progress_func, c.c_void_p]
    library.carry_progress_create.restype = c.c_void_p
    library.carry_progress_cancel.argtypes = [c.c_void_p]
    library.carry_progress_cancel.restype = c.c_int32
    library.carry_progress_destroy.argtypes = [c.c_void_p]
    library.carry_progress_destroy.restype = None
    library.carry_file_begin_reading.argtypes = [c.c_char_p, c.c_double, c.POINTER(c.c_void_p)]
    library.carry_file_begin_reading.restype = c.c_int32
    library.carry_file_begin_writing.argtypes = [c.c_char_p, c.c_double, c.POINTER(c.c_void_p)]
    library.carry_file_begin_writing.restype = c.c_int32
    library.carry_file_access_end.argtypes = [c.c_void_p]
    library.carry_file_access_end.restype = None
    library.carry_file_read.argtypes = [c.c_void_p, c.c_char_p, c.c_double, carry_file_work_func, carry_file_done_func, c.c_void_p]
    library.carry_file_read.restype = c.c_int32
    library.carry_file_write.argtypes = [c.c_void_p, c.c_char_p, c.c_double, carry_file_work_func, carry_file_done_func, c.c_void_p]
    library.carry_file_write.restype = c.c_int32
    library.carry_file_watch_create.argtypes = [c.c_void_p, c.c_char_p, carry_file_change_func, c.c_void_p]
    library.carry_file_watch_create.restype = c.c_void_p
    library.carry_file_watch_destroy.argtypes = [c.c_void_p]
    library.carry_file_watch_destroy.restype = None
    library.carry_region_set_spring.argtypes = [c.c_void_p, c.POINTER(carry_spring_callbacks)]
    library.carry_region_set_spring.restype = c.c_int32
    library.carry_monitor_create.argtypes = [c.c_void_p, carry_monitor_func, c.c_void_p]
    library.carry_monitor_create.restype = c.c_void_p
    library.carry_monitor_set_announced.argtypes = [c.c_void_p, carry_announcement_func, c.c_void_p]
    library.carry_monitor_set_announced.restype = c.c_int32
    library.carry_monitor_destroy.argtypes = [c.c_void_p]
    library.carry_monitor_destroy.restype = None
