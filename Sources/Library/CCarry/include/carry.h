/* SPDX-License-Identifier: MIT */
/* Copyright 2026 The Carry authors */

/**
 * @file carry.h
 * Multi-touch drag and drop between X clients: the C interface of libcarry.
 *
 * A program connects to the engine (carryd) with carry_client_create and registers rectangles of its X windows with
 * carry_region_create. For each region it sets whether items can be dragged from it, dropped on it, or whether it
 * springs open under a drag. It watches one file descriptor and calls carry_client_dispatch when that is readable;
 * all callbacks come from there. No data moves before a drop, and data never passes through the engine.
 *
 * Contents, in the order of this file:
 *
 *     Constants and types     status codes, operations, the opaque types
 *     The library             version, last error
 *     The client              connection, event loop
 *     Regions                 rectangles of windows
 *     Drag source             callbacks and sessions of drags that start here
 *     Items                   what a drag promises: text, bytes, files, callbacks, streams
 *     File providers          items that outlive their program
 *     Previews                what items look like, and animations
 *     Drop destination        callbacks and sessions of drags that come here
 *     Copy and paste          the X clipboard
 *     Loads                   receiving data: bytes, parts, files, progress
 *     Several programs, one file
 *     Spring loading          regions that open under a drag
 *     Monitor                 watching all sessions
 *
 * The common case. Every program calls carry_client_create, carry_region_create and carry_client_run. Five more
 * functions make a drag source: carry_region_set_drag, carry_item_create, carry_item_add_text,
 * carry_drag_session_add_item and carry_item_destroy. Five more make a drop target: carry_region_set_drop,
 * carry_drop_session_conforms, carry_drop_session_item_count, carry_drop_session_best_type and
 * carry_drop_session_load.
 *
 *     static void lift(void *data, carry_drag_session *session, double x, double y) {
 *       carry_item *item = carry_item_create();
 *       carry_item_add_text(item, "Hello World");
 *       carry_drag_session_add_item(session, item), carry_item_destroy(item);
 *     }
 *     static int32_t update(void *data, carry_drop_session *session) {
 *       return carry_drop_session_conforms(session, "text/plain") == 1 ? CARRY_OPERATION_COPY : CARRY_OPERATION_CANCEL;
 *     }
 *     static void drop(void *data, carry_drop_session *session) {
 *       for (int32_t i = 0; i < carry_drop_session_item_count(session); i++) {
 *         const char *type = carry_drop_session_best_type(session, i, "text/plain");
 *         if (type) carry_drop_session_load(session, i, type, 1 << 20, got_text, data);
 *       }
 *     }
 *     ...
 *     drag.items_for_beginning = lift, carry_region_set_drag(region, &drag);
 *     target.did_update = update, target.perform_drop = drop, carry_region_set_drop(region, &target);
 *
 * `drag` and `target` start as CARRY_DRAG_CALLBACKS_INIT and CARRY_DROP_CALLBACKS_INIT; got_text is a
 * carry_load_func. docs/c-guide.md shows whole programs, and docs/examples has them ready to compile.
 *
 * Threads. A client and everything made with it belong to one thread at a time; different clients may be used on
 * different threads. Exceptions are documented with their functions: stream writers run on threads of their own, and
 * a carry_release_func may be called on any thread. A process that is forked cannot use its parent's clients: fork
 * before creating one.
 *
 * Ownership. Functions named create return a handle that the caller destroys, or that is destroyed with its client.
 * Handles passed to callbacks belong to the library. The library copies strings and structs that the program passes
 * in; strings that it returns stay valid and unchanged until the documented moment.
 *
 * Handles. A pointer to an opaque type names an object of the library; never read the memory it points to. A handle
 * that is NULL, destroyed, or of another type is refused with CARRY_ERROR_INVALID_HANDLE, even if other objects were
 * made since. Destroy functions ignore such handles.
 *
 * Errors. Functions that can fail return a negative carry_status, or NULL; carry_last_error then has a sentence for a
 * person. Functions that answer a question return 1 for yes and 0 for no.
 *
 * Text. All strings are UTF-8 and end with a zero byte; others are refused.
 *
 * Coordinates. Positions are pixels of the region they are passed for, from its top left corner, y downwards.
 *
 * Types. Types of data are media types: "image/png", "text/plain;charset=utf-8", "application/vnd.example.drawing".
 *
 * Structs. Each struct of callbacks begins with its size. Start from the initialiser macro, then set what you need:
 * the program then works with libraries that are older or newer than its header. A member that is NULL, or that lies
 * beyond the size, has the default that is documented with the member.
 *
 * Limits. A call that exceeds a limit fails with CARRY_ERROR_LIMIT, or is refused with a sentence
 * (carry_region_refusal).
 *
 *     clients      256 of an engine, 128 of a process
 *     regions      4096 of a client, 8192 of a process, 16384 in total
 *     monitors     8 of a client, 16 of a process
 *     items        1024 of a client; 64 of a session, with 131072 bytes of names and types in total
 *     types        32 of an item, 127 bytes each
 *     names        255 bytes
 *     sessions     10 at once, and 64 more that only wait for data
 */

#ifndef CARRY_H
#define CARRY_H

#include <stddef.h>
#include <stdint.h>

/** Marks what the library exports. */
#if defined(__GNUC__) || defined(__clang__)
#define CARRY_API __attribute__((visibility("default")))
#else
#define CARRY_API
#endif

/* CARRY_NULLABLE: may be NULL. For a parameter, NULL is either documented or refused with an error; it never
   crashes. CARRY_NONNULL: is never NULL. */
#if defined(__clang__)
#define CARRY_NULLABLE _Nullable
#define CARRY_NONNULL _Nonnull
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#else
#define CARRY_NULLABLE
#define CARRY_NONNULL
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The version of this header. */
#define CARRY_VERSION_MAJOR 0
#define CARRY_VERSION_MINOR 1
#define CARRY_VERSION_PATCH 0

/* --------------------------------------------------------------------------------------- Constants and types --- */

/** What functions return. A value that is not negative is success. */
enum carry_status {
  CARRY_OK = 0,
  /** A number, string, size or pointer is invalid; carry_last_error says which. */
  CARRY_ERROR_INVALID_ARGUMENT = -1,
  /** The handle is NULL, destroyed, or of another type. */
  CARRY_ERROR_INVALID_HANDLE = -2,
  /** There is no engine, or the connection to it is lost. The client is then useless unless it reconnects. */
  CARRY_ERROR_CONNECTION = -3,
  /** A limit of the protocol is reached; see Limits at the top. */
  CARRY_ERROR_LIMIT = -4,
  /** Not now: the function may not be called here, or was called before. */
  CARRY_ERROR_STATE = -5,
  /** Other programs are using the file. */
  CARRY_ERROR_BUSY = -6,

  /* Why a load failed. */
  /** The load was not started while a drop is performed, that is, within perform_drop or a carry_paste_func. */
  CARRY_ERROR_OUTSIDE_PERFORM = -101,
  /** The item has no such representation. */
  CARRY_ERROR_NO_SUCH_TYPE = -102,
  /** The source reported an error, or its data ended too early, for example because the program was killed. */
  CARRY_ERROR_SOURCE_FAILED = -103,
  /** The source disappeared before it began to send the data. */
  CARRY_ERROR_SOURCE_GONE = -104,
  /** The source did not answer, or stopped sending. */
  CARRY_ERROR_TIMED_OUT = -105,
  /** What the source sent is not safe to read. */
  CARRY_ERROR_UNUSABLE_DESCRIPTOR = -106,
  /** carry_load_cancel or carry_client_destroy was called, or the destination disappeared. */
  CARRY_ERROR_CANCELLED = -107,
  /** More than 64 loads of one item at once, or more than 64 drops waiting for data. */
  CARRY_ERROR_TOO_MANY_LOADS = -108,
  /** The data could not be read or stored on this side, for example no space or more bytes than the limit. */
  CARRY_ERROR_LOCAL = -200
};

/** What a drop does to the items: the values of `int32_t operation` everywhere. */
enum carry_operation {
  /** Nothing: the drag is cancelled. The answer for a type that the region does not accept. */
  CARRY_OPERATION_CANCEL = 0,
  /**
   * Normally possible, but not now: a badge shows this. Use it sparingly, and with carry_drop_session_propose_reason.
   */
  CARRY_OPERATION_FORBIDDEN = 1,
  /** The destination copies the data. */
  CARRY_OPERATION_COPY = 2,
  /**
   * The destination receives the data and the source removes it. Only where the source allows it: allows_move for
   * regions of the same program, allows_move_to_others for other programs.
   */
  CARRY_OPERATION_MOVE = 3,
  /** In carry_monitor_step only: there is no operation. */
  CARRY_OPERATION_NONE = -1
};

/** The interactions of a region, as bits. */
enum carry_interaction {
  CARRY_INTERACTION_DRAG = 1,
  CARRY_INTERACTION_DROP = 2,
  CARRY_INTERACTION_SPRING = 4
};

/** The states of a spring-loaded region. */
enum carry_spring_state {
  /** No drag hovers: draw the region as usual. */
  CARRY_SPRING_INACTIVE = 0,
  /** A drag hovers: highlight. */
  CARRY_SPRING_POSSIBLE = 1,
  /** About to activate: flash. */
  CARRY_SPRING_ACTIVATING = 2,
  /** Activated: draw the region as usual again. */
  CARRY_SPRING_ACTIVATED = 3
};

/** A program's connection to the engine. */
typedef struct carry_client carry_client;
/** A rectangle of an X window that takes part in drags: what toolkits call a view. */
typedef struct carry_region carry_region;
/** One thing being dragged: a promise of data in one or more types. */
typedef struct carry_item carry_item;
/** A drag that started in this program. Valid until the session is over for the engine. */
typedef struct carry_drag_session carry_drag_session;
/** A drag as one region of this program sees it. Valid until did_end has returned. */
typedef struct carry_drop_session carry_drop_session;
/** A destination's request for one representation of an item. Valid until it is answered. */
typedef struct carry_request carry_request;
/** The output of a stream writer. Valid until the writer has returned. */
typedef struct carry_stream carry_stream;
/** Data on its way to this program. Valid until its callback is called. */
typedef struct carry_load carry_load;
/** The progress of all loads of a drop together. Owned by the program. */
typedef struct carry_progress carry_progress;
/**
 * What an item looks like, and where. Owned by the program until a callback returns it or carry_preview_destroy is
 * called.
 */
typedef struct carry_preview carry_preview;
/** An animation of the engine that the program can accompany. Valid within the callback that receives it. */
typedef struct carry_animator carry_animator;
/** Watches all sessions of the engine. */
typedef struct carry_monitor carry_monitor;
/** A file that is read or written in coordination with other programs, until carry_file_access_end. */
typedef struct carry_file_access carry_file_access;
/** Reports changes that other programs make to a file. */
typedef struct carry_file_watch carry_file_watch;

/**
 * Frees a callback's user data, which the library no longer needs. Called once, on any thread; do nothing in it but
 * free memory.
 */
typedef void (*carry_release_func)(void *CARRY_NULLABLE user_data);

/* ----------------------------------------------------------------------------------------------- The library --- */

/** The library's version, such as "0.1.0". It may differ from the header's. Valid forever. Any thread. */
CARRY_API const char *CARRY_NONNULL carry_version(void);

/**
 * The error of the last call that failed on this thread, as one sentence for a person. Empty when none has failed.
 *
 * The next failure overwrites the same memory, which lasts as long as the thread: copy a sentence to keep it. Any
 * thread.
 */
CARRY_API const char *CARRY_NONNULL carry_last_error(void);

/* ------------------------------------------------------------------------------------------------ The client --- */

/**
 * Connects to this user's engine and waits at most five seconds for its answer.
 *
 * @param name the program's name as `carry monitor` shows it; NULL for that of its file. The engine makes no decisions
 *   by it.
 * @param socket path of the engine's socket; NULL for $CARRY_SOCKET, or carry-0 in $XDG_RUNTIME_DIR.
 * @return the client, to be destroyed with carry_client_destroy; NULL when there is no engine.
 */
CARRY_API carry_client *CARRY_NULLABLE carry_client_create(const char *CARRY_NULLABLE name,
                                                           const char *CARRY_NULLABLE socket);

/**
 * Creates a client that does not need an engine yet, connects as soon as one is there, and outlives it.
 *
 * Never waits. Create regions at once. carry_client_set_reconnects is on, and carry_client_set_connection_changed
 * reports whether there is an engine.
 *
 * @param name, socket as in carry_client_create.
 * @return the client, to be destroyed with carry_client_destroy; NULL when the path is too long or no descriptors are
 *   left.
 *
 * Details: the client does not wake an engine that was stopped on purpose. Only its first attempt, within this
 * function, may make a service manager start an engine.
 */
CARRY_API carry_client *CARRY_NULLABLE carry_client_create_awaiting(const char *CARRY_NULLABLE name,
                                                                    const char *CARRY_NULLABLE socket);

/**
 * Sets whether the client outlives its engine and connects to the next one.
 *
 * When the engine exits, sessions end with their callbacks (did_end with CARRY_OPERATION_CANCEL) and loads without an
 * answer fail with CARRY_ERROR_SOURCE_GONE; data that is being loaded continues to arrive. Regions and monitors stay,
 * and are registered with the next engine. carry_client_fd stays the same, and dispatching fails only for a protocol
 * error.
 *
 * @param reconnects 0 or 1; 0 at first for carry_client_create.
 */
CARRY_API int32_t carry_client_set_reconnects(carry_client *CARRY_NULLABLE client, int32_t reconnects);

/** Returns 1 while there is an engine, 0 while there is none, or a negative carry_status. */
CARRY_API int32_t carry_client_is_connected(carry_client *CARRY_NULLABLE client);

/**
 * Whether the client dispatches: 1 within a callback. A toolkit that runs a nested main loop there must not watch the
 * client's descriptor meanwhile.
 */
CARRY_API int32_t carry_client_is_dispatching(carry_client *CARRY_NULLABLE client);

/**
 * For a client that reconnects: calls `changed` when an engine appears and when it is gone. NULL for no callback.
 *
 * `problem` is NULL, or says why there is no engine; it is valid until `changed` returns.
 */
CARRY_API int32_t carry_client_set_connection_changed(
    carry_client *CARRY_NULLABLE client,
    void (*CARRY_NULLABLE changed)(void *CARRY_NULLABLE user_data, int32_t is_connected,
                                   const char *CARRY_NULLABLE problem),
    void *CARRY_NULLABLE user_data);

/**
 * Disconnects, and destroys everything that was made with the client. NULL is ignored.
 *
 * The callbacks of running loads are called with CARRY_ERROR_CANCELLED; no callback is called afterwards. Stream
 * writers run until their next write fails.
 *
 * Details: within a callback, the call takes effect when the dispatching function returns, which then fails with
 * CARRY_ERROR_STATE.
 */
CARRY_API void carry_client_destroy(carry_client *CARRY_NULLABLE client);

/**
 * The file descriptor to watch for reading: call carry_client_dispatch when it is readable.
 *
 * The client owns the descriptor: do not read or close it. Any event loop that watches descriptors works. Call
 * carry_client_flush after calls that you make outside of callbacks. For GLib's loop, as in GTK programs,
 * carry-glib.h has a source that does both.
 *
 * Details: an event loop that also waits for an X connection must check XPending before each wait. A callback that
 * draws may have read events, and the connection does not become readable for those again.
 */
CARRY_API int32_t carry_client_fd(carry_client *CARRY_NULLABLE client);

/**
 * The engine's version, such as "0.1.0"; empty while there is no engine, NULL for no client.
 *
 * Valid until the client is destroyed.
 */
CARRY_API const char *CARRY_NULLABLE carry_client_engine_version(carry_client *CARRY_NULLABLE client);

/**
 * Whether a drag source is enabled before carry_region_set_enabled is called for it.
 *
 * The engine's settings decide this, so that small screens can do without drags. The value is from the moment of
 * connecting.
 *
 * @return 1, 0, or a negative carry_status.
 */
CARRY_API int32_t carry_client_drag_enabled_by_default(carry_client *CARRY_NULLABLE client);

/**
 * Handles everything that has arrived and calls the callbacks. Never waits.
 *
 * Sends all requests made so far. Call it once before the first wait as well. Not from within a callback.
 */
CARRY_API int32_t carry_client_dispatch(carry_client *CARRY_NULLABLE client);

/**
 * Sends all requests made so far, without waiting. carry_client_dispatch does so too.
 *
 * If the engine is busy, the client keeps the rest and sends it when the engine reads again; carry_client_fd becomes
 * readable then. Of a region's rectangles it keeps only the newest.
 */
CARRY_API int32_t carry_client_flush(carry_client *CARRY_NULLABLE client);

/**
 * Waits until the engine has handled all requests made so far. For start-up and tests; not in a callback.
 *
 * Regions whose window is not on the X server by then are refused: call XSync before.
 */
CARRY_API int32_t carry_client_synchronize(carry_client *CARRY_NULLABLE client);

/**
 * An event loop for programs that have none: dispatches until carry_client_stop is called or the connection is lost.
 *
 * @param other another descriptor to watch for reading, such as the X connection's; -1 for none. A number that is not
 *   an open descriptor is refused with CARRY_ERROR_INVALID_ARGUMENT.
 * @param readable called before the first wait, whenever `other` is readable, and after callbacks of the client. It
 *   counts as a callback, must not block, and at times finds nothing to read. For an X connection, handle all pending
 *   events (while XPending): Xlib reads ahead, also where a callback draws, and XPending sends what was drawn.
 * @return CARRY_OK after carry_client_stop, otherwise as carry_client_dispatch.
 *
 * Details: `readable` is called once more when the other end has closed. With NULL, `other` is not watched; without
 * `other`, `readable` is called before the first wait only.
 */
CARRY_API int32_t carry_client_run(carry_client *CARRY_NULLABLE client, int32_t other,
                                   void (*CARRY_NULLABLE readable)(void *CARRY_NULLABLE user_data),
                                   void *CARRY_NULLABLE user_data);

/** Makes carry_client_run return after the current turn. From within a callback; elsewhere it has no effect. */
CARRY_API int32_t carry_client_stop(carry_client *CARRY_NULLABLE client);

/* --------------------------------------------------------------------------------------------------- Regions --- */

/**
 * Creates a region of one of this program's own X windows. It takes part once it has an interaction.
 *
 * Regions of one window are stacked in the order in which they got their first interaction, the newest on top, until
 * one is raised.
 *
 * @param window an X window of this process. Call XSync first, so that the X server knows the window.
 * @param x, y, width, height pixels of the window; the size is not negative.
 * @return the region, to be destroyed with carry_region_destroy, or with its client.
 *
 * Details: if the X server does not know the window yet, because Xlib has not sent the request that creates it, the
 * engine waits for it for five seconds, or until carry_client_synchronize.
 */
CARRY_API carry_region *CARRY_NULLABLE carry_region_create(carry_client *CARRY_NULLABLE client, uint32_t window,
                                                           int32_t x, int32_t y, int32_t width, int32_t height);

/**
 * Destroys the region. None of its callbacks is called any more, except those of drags that began in it. NULL is
 * ignored.
 *
 * Such drags continue, and their drag callbacks are called until did_transfer, so that the program can undo what it
 * dimmed. Keep the user data of these callbacks until then, or call carry_region_set_drag with NULL before.
 */
CARRY_API void carry_region_destroy(carry_region *CARRY_NULLABLE region);

/** Moves or resizes the region, in pixels of its window. Drags over the region see the change at once. */
CARRY_API int32_t carry_region_set_rectangle(carry_region *CARRY_NULLABLE region, int32_t x, int32_t y, int32_t width,
                                             int32_t height);

/**
 * Raises the region above all others of its window: where regions overlap, it receives presses and drops.
 *
 * Drags over the window see the change at once; drags that have begun continue. Without an interaction this has no
 * effect.
 */
CARRY_API int32_t carry_region_raise(carry_region *CARRY_NULLABLE region);

/**
 * Sets whether presses and drags do not reach the regions beneath, whatever interactions this region has.
 *
 * For something that lies above draggable content, such as a button or an open menu of the same window.
 *
 * @param obstacle 0, as at first, or 1.
 */
CARRY_API int32_t carry_region_set_obstacle(carry_region *CARRY_NULLABLE region, int32_t obstacle);

/**
 * Calls did_update again for the drags that rest over the region, although they have not moved.
 *
 * For a region whose content has changed beneath a drag, such as by scrolling.
 */
CARRY_API int32_t carry_region_ask_again(carry_region *CARRY_NULLABLE region);

/**
 * Switches interactions off and on. A disabled interaction behaves as if it were absent.
 *
 * @param interactions bits of carry_interaction.
 * @param enabled 0 or 1. A new interaction is enabled, but a new drag source only if
 *   carry_client_drag_enabled_by_default returns 1.
 */
CARRY_API int32_t carry_region_set_enabled(carry_region *CARRY_NULLABLE region, uint32_t interactions,
                                           int32_t enabled);

/**
 * Why the engine refuses the region, as a sentence; NULL while all is well.
 *
 * The window belongs to another program, is gone, or did not appear in time. Destroy such a region and create another
 * one: this engine keeps refusing it; the next engine is asked again. The engine answers some time after the first
 * interaction: after carry_client_synchronize at the latest. The sentence is valid until the region is destroyed or
 * refused again.
 */
CARRY_API const char *CARRY_NULLABLE carry_region_refusal(carry_region *CARRY_NULLABLE region);

/**
 * Calls `refused` when the engine refuses the region; `message` is valid until `refused` returns.
 *
 * With NULL, or before this function is called, the library writes a line to stderr instead.
 */
CARRY_API int32_t carry_region_set_refused(carry_region *CARRY_NULLABLE region,
                                           void (*CARRY_NULLABLE refused)(void *CARRY_NULLABLE user_data,
                                                                          const char *CARRY_NONNULL message),
                                           void *CARRY_NULLABLE user_data);

/**
 * Makes the region cooperative: the program receives every touch at once, and `cancelled` when it must give one up.
 *
 * A lift, or a tap that adds items, cancels the touch for the program. Undo what the touch began, such as a pressed
 * button, and ignore its further events. With NULL, as at first, the region is not cooperative: touches on draggable
 * regions are held back until it is known whether they belong to the program. All draggable regions of a window should
 * agree. Mouse clicks are held back in any case: see carry_region_set_own_pointer.
 *
 * @param cancelled touch: the `detail` of the XInput 2 touch events.
 */
CARRY_API int32_t carry_region_set_touch_cancelled(carry_region *CARRY_NULLABLE region,
                                                   void (*CARRY_NULLABLE cancelled)(void *CARRY_NULLABLE user_data,
                                                                                    uint32_t touch),
                                                   void *CARRY_NULLABLE user_data);

/* ----------------------------------------------------------------------------------------------- Drag source --- */

/** A drag source's callbacks. Called on the client's thread while it dispatches. Return at once: a finger waits. */
typedef struct carry_drag_callbacks {
  /** sizeof(carry_drag_callbacks) */
  size_t size;
  /** First argument of each callback. */
  void *CARRY_NULLABLE user_data;
  /**
   * Adds the items that this press lifts, with carry_drag_session_add_item, the last one topmost.
   *
   * If you add none, the touch continues as if there were no region. Default: none.
   *
   * Answer within 100 ms after the time of a lift (600 ms after the press by default) where touches or clicks are
   * held, as on every touchscreen that the X server has: after that the press belongs to the application.
   *
   * @param x, y where the finger is, in pixels of the region.
   *
   * Details: a tap may ask this too, while a finger carries items lifted out of an application that does not know
   * Carry. The items then join that stack, and the session ends with it. session_will_begin follows without a lift,
   * and session_did_move never comes: create nothing in lift_began, lifted or lift_ended that later callbacks need.
   * will_add follows once the engine has the items' previews: dim the originals there. For you the drop is a copy,
   * whatever the destination does. If is_restricted returns 1, or the other drag has ended meanwhile, the items do not
   * join and the session ends at once with CARRY_OPERATION_CANCEL. Further taps call items_for_adding with this
   * session. preview_for_cancelling and will_animate_cancel are not called: restore in did_end what you dimmed.
   * Regions of this program see the stack as another program's. While two such stacks are carried, nothing is asked.
   */
  void (*CARRY_NULLABLE items_for_beginning)(void *CARRY_NULLABLE user_data,
                                             carry_drag_session *CARRY_NONNULL session, double x, double y);
  /**
   * Adds the items that another finger's tap on this region adds to a running session of this program.
   *
   * Use carry_drag_session_add_item. The same region may be tapped again:
   * carry_drag_session_item_local_data tells what is already in the session. Default: none.
   */
  void (*CARRY_NULLABLE items_for_adding)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session,
                                          double x, double y);
  /** Returns whether a region of this process may propose a move. Asked after session_will_begin. Default: 1. */
  int32_t (*CARRY_NULLABLE allows_move)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session);
  /**
   * Returns whether this session is hidden from other programs. Asked after allows_move_to_others; no program sees the
   * session before that. Default: 0.
   */
  int32_t (*CARRY_NULLABLE is_restricted)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session);
  /**
   * The lift is over. completed: 1 as the drag begins; 0 when the finger went up first and the items are back in
   * place. With 0 this is the session's last callback.
   */
  void (*CARRY_NULLABLE lift_ended)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session,
                                    int32_t completed);
  /** The finger moved: the drag itself begins. In a rare case there is no lift before it: see items_for_beginning. */
  void (*CARRY_NULLABLE session_will_begin)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session);
  /** The drag moved; called often. The next position comes only after this has returned. */
  void (*CARRY_NULLABLE session_did_move)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session);
  /** The finger went up. operation: the carry_operation that follows. */
  void (*CARRY_NULLABLE will_end)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session,
                                  int32_t operation);
  /**
   * The session is over: after the cancel animation, or at once for copy and move. The last callback of a cancelled
   * drag; after a copy or move, did_transfer follows.
   */
  void (*CARRY_NULLABLE did_end)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session,
                                 int32_t operation);
  /**
   * After a copy or move: everything that the destination requested was delivered, or has failed.
   *
   * Details: if the engine exits before that, a client that reconnects (carry_client_set_reconnects) gets this
   * callback when the streams being written have ended, read or not; without streams, at once. Whether files and
   * memory already handed over were read is unknown then. A client that does not reconnect gets no further callback.
   */
  void (*CARRY_NULLABLE did_transfer)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session);
  /** The items begin to rise. Their previews are live until the drag begins. */
  void (*CARRY_NULLABLE lift_began)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session);
  /** The items have risen: moving now starts the drag. */
  void (*CARRY_NULLABLE lifted)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session);
  /**
   * Returns the session of this program to which a tap on this region adds items, when several are running.
   *
   * items_for_adding is then called for that session. Default: none of them.
   *
   * @param sessions the oldest first; valid until the function returns.
   * @return the index of a session, or -1 for an ordinary tap.
   */
  int32_t (*CARRY_NULLABLE session_for_adding)(void *CARRY_NULLABLE user_data,
                                               carry_drag_session *CARRY_NONNULL const *CARRY_NONNULL sessions,
                                               size_t count, double x, double y);
  /**
   * Items join the session: all from index `first` on. Dim the originals here.
   *
   * Called for every region that has contributed to the session, once the engine has the items' previews. Not called
   * if the session ended meanwhile.
   *
   * @param adding the region that the items come from; NULL when it has been destroyed.
   */
  void (*CARRY_NULLABLE will_add)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session,
                                  int32_t first, carry_region *CARRY_NULLABLE adding);
  /**
   * Returns whether previews keep their size over the window where the drag began. Asked after is_restricted. Default:
   * 0.
   *
   * This is only a wish: several items are always carried small.
   */
  int32_t (*CARRY_NULLABLE prefers_full_size)(void *CARRY_NULLABLE user_data,
                                              carry_drag_session *CARRY_NONNULL session);
  /**
   * Sets what an item looks like as it rises, and the place it rises from. Default: CARRY_PREVIEW_USUAL, the region as
   * its window shows it.
   *
   * Asked for each item after items_for_beginning and items_for_adding; not asked if there are more than ten. (Here
   * and below, ten is the default of the setting few-items, and for an addition only the added items count.)
   *
   * @param preview set it, and return CARRY_PREVIEW_OWN. The library then owns the preview: create a new one each
   *   time. The handle is then invalid, and destroying it does nothing.
   * @return a carry_preview_choice.
   */
  int32_t (*CARRY_NULLABLE preview_for_lifting)(void *CARRY_NULLABLE user_data,
                                                carry_drag_session *CARRY_NONNULL session, int32_t item,
                                                carry_preview *CARRY_NULLABLE *CARRY_NONNULL preview);
  /** The items are about to rise: add animations. They run backwards by themselves if the lift is reversed. */
  void (*CARRY_NULLABLE will_animate_lift)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session,
                                           carry_animator *CARRY_NONNULL animator);
  /**
   * Sets where an item goes when its drag is cancelled. Default: CARRY_PREVIEW_USUAL, back to where it was lifted.
   *
   * Asked for each item; not asked if there are more than ten. With CARRY_PREVIEW_NONE the item fades where it is.
   */
  int32_t (*CARRY_NULLABLE preview_for_cancelling)(void *CARRY_NULLABLE user_data,
                                                   carry_drag_session *CARRY_NONNULL session, int32_t item,
                                                   carry_preview *CARRY_NULLABLE *CARRY_NONNULL preview);
  /** An item is about to fly home: add animations. With more than ten items this is called once, for the first. */
  void (*CARRY_NULLABLE will_animate_cancel)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session,
                                             int32_t item, carry_animator *CARRY_NONNULL animator);
  /**
   * Returns whether a region of another program may propose a move. Asked after allows_move. Default: 0, other programs
   * receive copies.
   *
   * In did_transfer, carry_drag_session_item_moved says which items the other program has received: remove those.
   */
  int32_t (*CARRY_NULLABLE allows_move_to_others)(void *CARRY_NULLABLE user_data,
                                                  carry_drag_session *CARRY_NONNULL session);
  /**
   * Returns whether a press here may lift items. Asked as the press begins: the program's own touch or click waits.
   *
   * After 0 the touch or click goes to the program at once, as beside the region. Set it where only parts of a region
   * are draggable, such as the rows of a list but not its buttons. Default: 1, and items_for_beginning decides when the
   * press has lasted.
   *
   * @param x, y where the press is, in pixels of the region.
   */
  int32_t (*CARRY_NULLABLE may_begin)(void *CARRY_NULLABLE user_data, double x, double y);
} carry_drag_callbacks;

/** A carry_drag_callbacks without callbacks. */
#define CARRY_DRAG_CALLBACKS_INIT \
  { sizeof(carry_drag_callbacks), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, \
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL }

/**
 * Makes the region a drag source, or changes its callbacks.
 *
 * @param callbacks copied; running sessions use them at once. With NULL the region is no longer a drag source:
 *   running sessions continue, but none of the callbacks is called any more.
 */
CARRY_API int32_t carry_region_set_drag(carry_region *CARRY_NULLABLE region,
                                        const carry_drag_callbacks *CARRY_NULLABLE callbacks);

/**
 * Sets whether the program itself handles drags by mouse and pen.
 *
 * With 1 the engine leaves every click on the region to the program, and lifts by touch, trackpad and keys only. With
 * 0, as at first, a mouse that moves with its button down on something draggable drags it; every other click goes to
 * the program.
 *
 * @param own 0 or 1. The region must be a drag source; carry_region_set_drag with NULL resets this.
 */
CARRY_API int32_t carry_region_set_own_pointer(carry_region *CARRY_NULLABLE region, int32_t own);

/**
 * Adds an item to the session. Only within items_for_beginning and items_for_adding.
 *
 * An item that is already in the session is not added again. An item that has neither a representation nor local data
 * is refused. An item with only local data is for this client's own regions; other programs do not see it.
 *
 * @param item still belongs to the caller, who may destroy it at once: the session has its own reference.
 */
CARRY_API int32_t carry_drag_session_add_item(carry_drag_session *CARRY_NULLABLE session,
                                              carry_item *CARRY_NULLABLE item);

/**
 * Like carry_drag_session_add_item, for an item that another region of this client shows: the item rises from that
 * region, and looks like it. Use it where one press lifts a selection of things that each have a region.
 */
CARRY_API int32_t carry_drag_session_add_item_from(carry_drag_session *CARRY_NULLABLE session,
                                                   carry_item *CARRY_NULLABLE item,
                                                   carry_region *CARRY_NULLABLE region);

/** The number of items in the session, or a negative carry_status. */
CARRY_API int32_t carry_drag_session_item_count(carry_drag_session *CARRY_NULLABLE session);

/** The local data of the item at an index; NULL when there is none. */
CARRY_API void *CARRY_NULLABLE carry_drag_session_item_local_data(carry_drag_session *CARRY_NULLABLE session,
                                                                  int32_t index);

/** Whether the item at an index has a representation of this type or a subtype; see carry_drop_session_conforms. */
CARRY_API int32_t carry_drag_session_item_conforms(carry_drag_session *CARRY_NULLABLE session, int32_t index,
                                                   const char *CARRY_NULLABLE type);

/**
 * The size of an item's preview when its drag is cancelled, in pixels. For preview_for_cancelling.
 *
 * carry_preview_create_carried sets the preview down at this size with a scale of 1.
 *
 * @return 1; or 0 for an item that is not visible, and before the end.
 */
CARRY_API int32_t carry_drag_session_carried_size(carry_drag_session *CARRY_NULLABLE session, int32_t index,
                                                  double *CARRY_NULLABLE width, double *CARRY_NULLABLE height);

/**
 * Where the drag is.
 *
 * @param region the region whose pixels are used: any region of the window in which the drag began; NULL for the
 *   region in which it began.
 * @param x, y are set unless the function fails; may be NULL.
 */
CARRY_API int32_t carry_drag_session_location(carry_drag_session *CARRY_NULLABLE session,
                                              carry_region *CARRY_NULLABLE region, double *CARRY_NULLABLE x,
                                              double *CARRY_NULLABLE y);

/** The session's number as `carry monitor` shows it; 0 for no session. */
CARRY_API uint32_t carry_drag_session_identifier(carry_drag_session *CARRY_NULLABLE session);

/** Whether a region of this process may propose a move. */
CARRY_API int32_t carry_drag_session_allows_move(carry_drag_session *CARRY_NULLABLE session);

/**
 * Whether an item was moved to another program: its data has arrived there completely. From did_transfer on.
 *
 * Remove such an item there, and no other: the others were at most copied. 0 for a move within this program, which
 * handles such moves itself.
 */
CARRY_API int32_t carry_drag_session_item_moved(carry_drag_session *CARRY_NULLABLE session, int32_t item);

/**
 * Offers the user to undo a move, for six seconds. Once, in did_transfer or within three seconds after it.
 *
 * The engine shows a button at the place of the drop; Ctrl+Z works while one of the move's two windows has the focus.
 * The session's handle stays valid as long as the offer. Without an engine the user is not asked.
 *
 * @param title what was done, as a few words for the user: "Moved 2 items". At most 255 bytes.
 * @param undo undoes it; called at most once, on the client's thread, and not after the client is destroyed.
 * @return CARRY_ERROR_STATE when the session is not a move, or its items have not been transferred yet.
 */
CARRY_API int32_t carry_drag_session_offer_undo(carry_drag_session *CARRY_NULLABLE session,
                                                const char *CARRY_NULLABLE title,
                                                void (*CARRY_NULLABLE undo)(void *CARRY_NULLABLE user_data),
                                                void *CARRY_NULLABLE user_data);

/** Whether the session is hidden from other programs. */
CARRY_API int32_t carry_drag_session_is_restricted(carry_drag_session *CARRY_NULLABLE session);

/** Stores a pointer of the caller's with the session. */
CARRY_API int32_t carry_drag_session_set_local_data(carry_drag_session *CARRY_NULLABLE session,
                                                    void *CARRY_NULLABLE data);

/** The pointer last passed to carry_drag_session_set_local_data; NULL when there is none. */
CARRY_API void *CARRY_NULLABLE carry_drag_session_local_data(carry_drag_session *CARRY_NULLABLE session);

/* ----------------------------------------------------------------------------------------------------- Items --- */

/**
 * Creates an item without representations. Add them best first.
 *
 * Representations that are added after the item was added to a session do not reach that session. Items belong to no
 * client until they are dragged.
 *
 * @return the item, to be destroyed with carry_item_destroy.
 */
CARRY_API carry_item *CARRY_NULLABLE carry_item_create(void);

/** Releases the caller's reference. Sessions that have the item keep it and its promises. NULL is ignored. */
CARRY_API void carry_item_destroy(carry_item *CARRY_NULLABLE item);

/**
 * Suggests a file name: one path component of at most 255 bytes.
 *
 * A representation whose type does not match the extension is saved with the usual extension of its type: the PNG
 * picture of "photo.jpg" is "photo.png".
 */
CARRY_API int32_t carry_item_set_name(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE name);

/**
 * The size at which the item would be shown, in pixels from 1 to 65535. Destinations can make room before the data
 * comes.
 */
CARRY_API int32_t carry_item_set_presentation_size(carry_item *CARRY_NULLABLE item, int32_t width, int32_t height);

/**
 * Stores a pointer of the caller's with the item. Only destinations in the same client see the pointer.
 *
 * An item that has nothing else is visible in the same client only.
 */
CARRY_API int32_t carry_item_set_local_data(carry_item *CARRY_NULLABLE item, void *CARRY_NULLABLE data);

/** Which programs see a representation of an item. */
enum carry_visibility {
  /** Every application. */
  CARRY_VISIBILITY_ALL = 0,
  /** Applications of the same team, as carry-policy(5) defines it. */
  CARRY_VISIBILITY_TEAM = 1,
  /** This process. */
  CARRY_VISIBILITY_OWN_PROCESS = 2
};

/**
 * Sets which programs see a representation that the item has: a carry_visibility.
 *
 * Applications that do not see it find neither its type nor its data. A type that the item does not have is refused
 * with CARRY_ERROR_STATE.
 */
CARRY_API int32_t carry_item_set_visibility(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE type,
                                            int32_t visibility);

/**
 * Sets a few bytes that applications of the same team can read while the drag is over them, before the drop.
 *
 * The bytes are copied; more than 8192 are refused with CARRY_ERROR_LIMIT.
 */
CARRY_API int32_t carry_item_set_team_data(carry_item *CARRY_NULLABLE item, const void *CARRY_NULLABLE data,
                                           size_t size);

/**
 * Sets the name by which the application's file provider knows the item, so that the drag survives the application.
 *
 * If the system's manifest of the application names a file provider, the provider is asked for all representations
 * and the application is not. Without such a manifest this has no effect. See carry_provider_run.
 *
 * @param reference at most 1024 bytes, which are copied; more are refused with CARRY_ERROR_LIMIT.
 */
CARRY_API int32_t carry_item_set_reference(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE reference);

/** Promises text, as text/plain;charset=utf-8 and text/plain. The text is copied. */
CARRY_API int32_t carry_item_add_text(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE text);

/**
 * Promises bytes, which are copied. A type that the item already has is refused with CARRY_ERROR_STATE.
 *
 * Details: here and below, a wildcard type, such as "image/" and an asterisk, is refused with
 * CARRY_ERROR_INVALID_ARGUMENT. For an ambiguous type, such as text/plain without a charset, a line on stderr says
 * what to promise instead; files may have such types.
 */
CARRY_API int32_t carry_item_add_data(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE type,
                                      const void *CARRY_NULLABLE data, size_t size);

/**
 * Promises an existing regular file or folder. It is opened when a destination requests it.
 *
 * The destination receives a descriptor, and can read a file even if it is removed meanwhile. A destination that
 * requests bytes receives a folder as a zip archive. The file's name is suggested, unless carry_item_set_name was
 * called before.
 *
 * @param type NULL for the type that the name suggests; "inode/directory" for a folder.
 */
CARRY_API int32_t carry_item_add_file(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE type,
                                      const char *CARRY_NULLABLE path);

/**
 * Promises an existing regular file that a destination may also open in place, and change: carry_drop_session_open.
 *
 * Otherwise as carry_item_add_file. If the file exists only once a destination requests it, use
 * carry_item_add_callback and carry_request_answer_original.
 */
CARRY_API int32_t carry_item_add_original(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE type,
                                          const char *CARRY_NULLABLE path);

/**
 * Sets the size of a representation, so that a destination can show a progress bar before the first byte arrives.
 *
 * Not needed for text and bytes. Call it before the item is lifted. A stream that ends with fewer bytes has failed. A
 * stream writer that learns the size later calls carry_stream_set_total.
 *
 * @param type one that the item has.
 */
CARRY_API int32_t carry_item_set_byte_count(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE type,
                                            uint64_t byte_count);

/**
 * Answers a destination's request with exactly one carry_request_answer function or carry_request_fail.
 *
 * Answer now or later, on the client's thread. After 30 seconds without an answer or a call of carry_request_progress
 * the load fails.
 *
 * @param request belongs to the library; valid until it is answered.
 * @param type the requested type, as it was registered. Valid until the function returns.
 */
typedef void (*carry_request_func)(void *CARRY_NULLABLE user_data, carry_request *CARRY_NONNULL request,
                                   const char *CARRY_NONNULL type);

/**
 * Promises a representation that is made when a destination requests it.
 *
 * @param requested called on the client's thread for each load.
 * @param release called when neither the item nor a session needs `user_data` any more; not when the function fails.
 *   May be NULL.
 */
CARRY_API int32_t carry_item_add_callback(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE type,
                                          CARRY_NULLABLE carry_request_func requested,
                                          void *CARRY_NULLABLE user_data, CARRY_NULLABLE carry_release_func release);

/**
 * Calls `cancelled` when the answer is no longer needed: the destination has cancelled or disappeared.
 *
 * The request's handle is no longer valid by then. NULL for no callback: an answer that comes too late is ignored.
 */
CARRY_API int32_t carry_request_set_cancelled(carry_request *CARRY_NULLABLE request,
                                              void (*CARRY_NULLABLE cancelled)(void *CARRY_NULLABLE user_data),
                                              void *CARRY_NULLABLE user_data);

/** What a destination does with the data. Any answer is valid for any form: the library converts it. */
typedef enum carry_form {
  /** It wants bytes. */
  CARRY_FORM_DATA = 0,
  /** It wants a file or folder of its own. */
  CARRY_FORM_COPY = 1,
  /** It wants to open the source's own file; a copy is acceptable. */
  CARRY_FORM_ORIGINAL = 2,
} carry_form;

/** What the destination does with the data, as a carry_form; or a negative carry_status. */
CARRY_API int32_t carry_request_form(carry_request *CARRY_NULLABLE request);

/**
 * Reports that the program is working on the answer, and how far it is.
 *
 * If you call it every few seconds, the destination waits for as long as the answer takes.
 *
 * @param completed what is done so far, in units of your own: bytes, files, per cent.
 * @param total the total amount in the same units; 0 while unknown. Once it is known, the destination shows a
 *   progress bar.
 */
CARRY_API int32_t carry_request_progress(carry_request *CARRY_NULLABLE request, uint64_t completed, uint64_t total);

/**
 * Calls `progress` a few times a second while the destination reads the answer. Set it before the answer.
 *
 * It is also called after the answer, when the request's handle is no longer valid. NULL for no callback.
 *
 * @param progress called with the bytes so far and in total: -1 while unknown.
 */
CARRY_API int32_t carry_request_set_destination_progress(
    carry_request *CARRY_NULLABLE request,
    void (*CARRY_NULLABLE progress)(void *CARRY_NULLABLE user_data, int64_t completed, int64_t total),
    void *CARRY_NULLABLE user_data);

/** Answers with bytes, which are copied. */
CARRY_API int32_t carry_request_answer_data(carry_request *CARRY_NULLABLE request, const void *CARRY_NULLABLE data,
                                            size_t size);

/** Answers with an existing regular file or folder. */
CARRY_API int32_t carry_request_answer_file(carry_request *CARRY_NULLABLE request, const char *CARRY_NULLABLE path);

/**
 * Answers with an existing regular file that a destination may also open in place, and change:
 * carry_drop_session_open.
 *
 * Otherwise as carry_request_answer_file.
 */
CARRY_API int32_t carry_request_answer_original(carry_request *CARRY_NULLABLE request,
                                                const char *CARRY_NULLABLE path);

/**
 * Answers with a descriptor that is open for reading: of a regular file, or the reading end of a pipe.
 *
 * The descriptor still belongs to the caller, who may close it afterwards.
 */
CARRY_API int32_t carry_request_answer_descriptor(carry_request *CARRY_NULLABLE request, int32_t descriptor);

/**
 * Answers with what the program writes into a pipe until it calls carry_request_finish or carry_request_fail.
 *
 * For programs that write without blocking, from their event loop: the pipe may be full. Writes fail with EPIPE when
 * the destination needs no more; ignore SIGPIPE. The request's handle stays valid until finish or fail.
 *
 * @param descriptor set to the writing end, which the caller closes when everything is written.
 */
CARRY_API int32_t carry_request_answer_pipe(carry_request *CARRY_NULLABLE request,
                                            int32_t *CARRY_NULLABLE descriptor);

/** Ends an answer by pipe: everything was written. */
CARRY_API int32_t carry_request_finish(carry_request *CARRY_NULLABLE request);

/**
 * Refuses the request, or ends an answer by pipe as failed.
 *
 * @param message a sentence for a person, which the destination receives.
 */
CARRY_API int32_t carry_request_fail(carry_request *CARRY_NULLABLE request, const char *CARRY_NULLABLE message);

/**
 * Writes a representation with carry_stream_write. Runs on a thread of its own, with all signals blocked.
 *
 * @return 0 when all is written; any other number makes the destination's load fail. carry_stream_fail says why.
 */
typedef int32_t (*carry_stream_func)(void *CARRY_NULLABLE user_data, carry_stream *CARRY_NONNULL stream);

/**
 * Promises bytes that are generated while they are sent, in any amount: use it for large data.
 *
 * @param writer called for each load, on a new thread, possibly several times at once.
 * @param release called when `user_data` is no longer needed; not when the function fails. May be NULL.
 */
CARRY_API int32_t carry_item_add_stream(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE type,
                                        CARRY_NULLABLE carry_stream_func writer, void *CARRY_NULLABLE user_data,
                                        CARRY_NULLABLE carry_release_func release);

/**
 * Sends bytes, waiting while the destination is behind. On the writer's thread.
 *
 * @return CARRY_OK; CARRY_ERROR_CANCELLED when the destination disappeared or CARRY_ERROR_TIMED_OUT when it stopped
 *   reading: return from the writer then.
 */
CARRY_API int32_t carry_stream_write(carry_stream *CARRY_NULLABLE stream, const void *CARRY_NULLABLE data,
                                     size_t size);

/**
 * Sets how many bytes the writer will write, before the first one: the destination can show progress. On the writer's
 * thread.
 *
 * A stream that ends with fewer bytes has failed, whatever the writer returns, and a line on stderr says so; with
 * more bytes the number grows. If the size is known when the drag begins, call carry_item_set_byte_count instead: the
 * destination then knows it before it requests the data.
 */
CARRY_API int32_t carry_stream_set_total(carry_stream *CARRY_NULLABLE stream, uint64_t bytes);

/**
 * Reports that the writer is working although it writes nothing yet. On the writer's thread.
 *
 * If you call it every few seconds, the destination waits for as long as the writer takes. After 30 seconds without
 * this call and without bytes the load fails.
 */
CARRY_API int32_t carry_stream_keep_alive(carry_stream *CARRY_NULLABLE stream);

/**
 * Makes the load fail with a message; return from the writer afterwards. On the writer's thread.
 *
 * The load fails whatever the writer returns. If called several times, the last call counts.
 *
 * @param message a sentence for a person, which the destination receives without control characters and cut to 255
 *   bytes. If it is empty, the destination uses a sentence of its own.
 */
CARRY_API int32_t carry_stream_fail(carry_stream *CARRY_NULLABLE stream, const char *CARRY_NULLABLE message);

/** Whether the destination has cancelled. On the writer's thread. */
CARRY_API int32_t carry_stream_is_cancelled(carry_stream *CARRY_NULLABLE stream);

/* -------------------------------------------------------------------------------------------- File providers --- */

/**
 * A destination requests a representation of an item that the application's file provider serves.
 *
 * The provider answers as a carry_request_func does. The engine ends a provider that leaves a request without an
 * answer and without carry_request_progress for 30 seconds.
 *
 * @param reference what the application passed to carry_item_set_reference. Validate it as you validate a file name.
 *   Valid until the function returns.
 * @param type the requested type. Valid until the function returns.
 */
typedef void (*carry_provider_func)(void *CARRY_NULLABLE user_data, carry_request *CARRY_NONNULL request,
                                    const char *CARRY_NONNULL reference, const char *CARRY_NONNULL type);

/**
 * Serves as an application's file provider. Call this within five seconds of the program's start.
 *
 * A file provider is the program that the application's manifest in the system's directory names with file-provider=.
 * The engine starts it when a load needs it, and ends it with SIGTERM after 30 idle seconds.
 *
 * @param name the name in the engine's log.
 * @param provide called on this thread for each load. It may return before it answers: carry_request_func says what
 *   may be done later, on this thread.
 * @param other another descriptor to watch for reading, such as a pipe that another thread of the program writes to
 *   when it has an answer; -1 for none.
 * @param readable called as with carry_client_run; NULL for none.
 * @return CARRY_OK once the engine has ended the connection; CARRY_ERROR_CONNECTION when the engine did not start the
 *   program, or ended the connection for a protocol error.
 */
CARRY_API int32_t carry_provider_run(const char *CARRY_NULLABLE name, CARRY_NULLABLE carry_provider_func provide,
                                     int32_t other, void (*CARRY_NULLABLE readable)(void *CARRY_NULLABLE user_data),
                                     void *CARRY_NULLABLE user_data);

/* -------------------------------------------------------------------------------------------------- Previews --- */

/** What the callbacks that ask for previews return. */
enum carry_preview_choice {
  /** The default behaviour of the engine. */
  CARRY_PREVIEW_USUAL = 0,
  /** At a lift the item is invisible. At a drop or cancel it shrinks and fades where it is. */
  CARRY_PREVIEW_NONE = 1,
  /** The preview that was set. */
  CARRY_PREVIEW_OWN = 2
};

/**
 * A part of a region as its window shows it: live while items rise and land, a snapshot while they are carried.
 *
 * Without a target, the preview's place is the part's own.
 *
 * @param x, y, width, height pixels of the region, at most 2048 each way.
 */
CARRY_API carry_preview *CARRY_NULLABLE carry_preview_create_region(carry_region *CARRY_NULLABLE region, int32_t x,
                                                                    int32_t y, int32_t width, int32_t height);

/**
 * An image that the program has drawn. Its pixels are copied.
 *
 * @param pixels alpha, red, green, blue from the highest byte on, premultiplied, row by row without gaps: cairo's
 *   ARGB32.
 * @param width, height 1 to 2048.
 * @param density image pixels per screen pixel: 1, or 2 for an image drawn at twice the size; 0.25 to 8.
 */
CARRY_API carry_preview *CARRY_NULLABLE carry_preview_create_image(const uint32_t *CARRY_NULLABLE pixels,
                                                                   int32_t width, int32_t height, double density);

/** An X pixmap of at most 2048 pixels each way. It is copied whenever the preview is used. */
CARRY_API carry_preview *CARRY_NULLABLE carry_preview_create_pixmap(uint32_t pixmap, int32_t width, int32_t height);

/**
 * A preview of a link, drawn by the engine: its title in the first line, its address in the second.
 *
 * @param url at most 1000 bytes; the rest is cut.
 * @param title at most 240 bytes; empty for none.
 */
CARRY_API carry_preview *CARRY_NULLABLE carry_preview_create_link(const char *CARRY_NULLABLE url,
                                                                  const char *CARRY_NULLABLE title);

/** The preview that is already being carried, for landing it somewhere else. It needs a target. */
CARRY_API carry_preview *CARRY_NULLABLE carry_preview_create_carried(void);

/** Destroys a preview that no callback has returned. The library destroys the previews that callbacks return. */
CARRY_API void carry_preview_destroy(carry_preview *CARRY_NULLABLE preview);

/** The colour behind the preview: alpha, red, green, blue from the highest byte on. 0xFFFFFFFF, white, at first. */
CARRY_API int32_t carry_preview_set_background(carry_preview *CARRY_NULLABLE preview, uint32_t argb);

/**
 * Sets the visible part of the preview, in pixels of the preview. Filled by the non-zero winding rule.
 *
 * The path may be larger than the preview's content: the background is visible there.
 *
 * @param steps for each step a number for its kind, then its coordinates. 0 and x y: move to the point. 1 and x y:
 *   draw a line to the point. 2 and x y of two control points and of the end: draw a cubic curve. 3: close. At most
 *   960 numbers.
 * @param count the number of numbers; 0 for all of the preview.
 */
CARRY_API int32_t carry_preview_set_path(carry_preview *CARRY_NULLABLE preview, const double *CARRY_NULLABLE steps,
                                         size_t count);

/** The shape that casts the shadow, as in carry_preview_set_path. Until it is set, it is the visible path. */
CARRY_API int32_t carry_preview_set_shadow_path(carry_preview *CARRY_NULLABLE preview,
                                                const double *CARRY_NULLABLE steps, size_t count);

/**
 * Marks the preview as text, which lifts in a soft shape around its lines.
 *
 * @param rectangles x, y, width and height of each line, in pixels of the preview.
 * @param lines the number of rectangles. If there are more than 20, neighbours share one. 0 for all of the preview.
 */
CARRY_API int32_t carry_preview_set_text_lines(carry_preview *CARRY_NULLABLE preview,
                                               const int32_t *CARRY_NULLABLE rectangles, size_t lines);

/**
 * Sets the place of the preview: the centre of the visible part's bounding box lies on this point of a region.
 *
 * @param x, y pixels of the region.
 * @param scale, degrees for an item that lands: 0.02 to 20, and -3600 to 3600 clockwise. 1 and 0 leave it as it is.
 */
CARRY_API int32_t carry_preview_set_target(carry_preview *CARRY_NULLABLE preview,
                                           carry_region *CARRY_NULLABLE container, double x, double y, double scale,
                                           double degrees);

/**
 * Creates the preview that shows an item while it is carried. The library owns the returned preview.
 *
 * After NULL the item is invisible until another provider is set.
 */
typedef carry_preview *CARRY_NULLABLE (*carry_preview_func)(void *CARRY_NULLABLE user_data);

/**
 * Changes the preview of an item while it is carried. `make` is called when the item can be seen, and only then.
 *
 * Call this from session_will_begin on, or before; call it again for another preview. NULL leaves the preview as it
 * is, and a hidden item hidden. Keep the item's handle for as long as its preview may change: no function returns it
 * again. `user_data` is used until the item's last session has ended, or another provider is set.
 */
CARRY_API int32_t carry_item_set_preview_provider(carry_item *CARRY_NULLABLE item,
                                                  carry_preview_func CARRY_NULLABLE make,
                                                  void *CARRY_NULLABLE user_data);

/**
 * Calls `refused` with a sentence when a preview cannot be shown as described; a plain card is shown instead.
 *
 * With NULL, or before this function is called, the sentence is written to stderr.
 */
CARRY_API int32_t carry_client_set_preview_refused(carry_client *CARRY_NULLABLE client,
                                                   void (*CARRY_NULLABLE refused)(void *CARRY_NULLABLE user_data,
                                                                                  const char *CARRY_NONNULL message),
                                                   void *CARRY_NULLABLE user_data);

/**
 * Adds a callback for every step of the animation. Called on the client's thread.
 *
 * @param step its second argument is the progress of the animation: 0 at its beginning, 1 at its end.
 */
CARRY_API int32_t carry_animator_add_animation(carry_animator *CARRY_NULLABLE animator,
                                               void (*CARRY_NULLABLE step)(void *CARRY_NULLABLE user_data,
                                                                           double fraction),
                                               void *CARRY_NULLABLE user_data);

/**
 * Adds a callback for the end of the animation.
 *
 * @param done its second argument is 1, or 0 if a lift was reversed.
 */
CARRY_API int32_t carry_animator_add_completion(carry_animator *CARRY_NULLABLE animator,
                                                void (*CARRY_NULLABLE done)(void *CARRY_NULLABLE user_data,
                                                                            int32_t completed),
                                                void *CARRY_NULLABLE user_data);

/* ------------------------------------------------------------------------------------------ Drop destination --- */

/**
 * A drop destination's callbacks. Called on the client's thread while it dispatches.
 *
 * Before the drop, a session shows types and names only, no data.
 */
typedef struct carry_drop_callbacks {
  /** sizeof(carry_drop_callbacks) */
  size_t size;
  /** First argument of each callback. */
  void *CARRY_NULLABLE user_data;
  /**
   * Returns whether the region takes part in this session. Called first. With 0 the region behaves as if it were
   * absent. Default: 1.
   */
  int32_t (*CARRY_NULLABLE can_handle)(void *CARRY_NULLABLE user_data, carry_drop_session *CARRY_NONNULL session);
  /** The drag came over the region. */
  void (*CARRY_NULLABLE did_enter)(void *CARRY_NULLABLE user_data, carry_drop_session *CARRY_NONNULL session);
  /**
   * Returns what a drop would do here, now: a carry_operation. Default: cancel.
   *
   * Called on entering, for every move, and when items are added: keep it cheap. Return CARRY_OPERATION_CANCEL for
   * items that the region does not accept. Return CARRY_OPERATION_FORBIDDEN only for a drop that is normally possible
   * but not now, and say why with carry_drop_session_propose_reason. A number that is no operation counts as cancel.
   */
  int32_t (*CARRY_NULLABLE did_update)(void *CARRY_NULLABLE user_data, carry_drop_session *CARRY_NONNULL session);
  /** The drag left the region; it may come back. */
  void (*CARRY_NULLABLE did_exit)(void *CARRY_NULLABLE user_data, carry_drop_session *CARRY_NONNULL session);
  /** The items were dropped here. Start loads before returning: no other time is allowed. Loads continue afterwards. */
  void (*CARRY_NULLABLE perform_drop)(void *CARRY_NULLABLE user_data, carry_drop_session *CARRY_NONNULL session);
  /** The drop's animations are over; loads may still be running. */
  void (*CARRY_NULLABLE conclude_drop)(void *CARRY_NULLABLE user_data, carry_drop_session *CARRY_NONNULL session);
  /**
   * The last call, for every region that saw the session, wherever it ended. The session's handle becomes invalid
   * when it returns.
   */
  void (*CARRY_NULLABLE did_end)(void *CARRY_NULLABLE user_data, carry_drop_session *CARRY_NONNULL session,
                                 int32_t operation);
  /**
   * Sets how an item lands. Default: CARRY_PREVIEW_USUAL, down into the region.
   *
   * Asked for each item when perform_drop has returned; not asked if there are more than ten. Answers that come more
   * than 250 ms after the call of perform_drop are ignored. With CARRY_PREVIEW_NONE the item shrinks and fades where
   * it is.
   *
   * @param preview set it, and return CARRY_PREVIEW_OWN: the item turns into the preview on its way. The library then
   *   owns the preview.
   * @return a carry_preview_choice.
   */
  int32_t (*CARRY_NULLABLE preview_for_dropping)(void *CARRY_NULLABLE user_data,
                                                 carry_drop_session *CARRY_NONNULL session, int32_t item,
                                                 carry_preview *CARRY_NULLABLE *CARRY_NONNULL preview);
  /** An item is about to land: add animations. With more than ten items this is called once, for the first. */
  void (*CARRY_NULLABLE will_animate_drop)(void *CARRY_NULLABLE user_data, carry_drop_session *CARRY_NONNULL session,
                                           int32_t item, carry_animator *CARRY_NONNULL animator);
} carry_drop_callbacks;

/** A carry_drop_callbacks without callbacks. */
#define CARRY_DROP_CALLBACKS_INIT \
  { sizeof(carry_drop_callbacks), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL }

/**
 * Makes the region accept drops, or changes its callbacks.
 *
 * Drags by mouse out of applications that do not know Carry (XDND) come over the region too, as copies.
 *
 * @param callbacks copied; with NULL the region no longer accepts drops.
 *
 * Details: in a window whose toolkit accepts XDND drops itself, the toolkit keeps the drags of the window's own
 * program. 32 such windows take part at a time, 8 per process; while another program drags, touches of other fingers
 * on the regions do not reach the window.
 */
CARRY_API int32_t carry_region_set_drop(carry_region *CARRY_NULLABLE region,
                                        const carry_drop_callbacks *CARRY_NULLABLE callbacks);

/**
 * Sets whether the region accepts drops of several sessions at the same time.
 *
 * By default it sees only one session: other sessions that come while one is over the region are ignored. They are
 * seen when the first has left or ended and they come again.
 *
 * @param simultaneous 0 or 1. The region must be a drop destination; carry_region_set_drop with NULL resets this.
 */
CARRY_API int32_t carry_region_set_simultaneous(carry_region *CARRY_NULLABLE region, int32_t simultaneous);

/**
 * The region's name in a few words. It is announced to people who drag with keys or do not see the screen.
 *
 * @param label at most 240 bytes; empty for none.
 */
CARRY_API int32_t carry_region_set_label(carry_region *CARRY_NULLABLE region, const char *CARRY_NULLABLE label);

/**
 * The types that the region usually accepts.
 *
 * If the user's settings say so, regions that accept one of a drag's types are framed as the drag begins. The engine
 * decides nothing else by these types. The region must be a drop destination.
 *
 * @param types media types such as "image/png" or "text/" and an asterisk, separated by newlines; at most 2000 bytes.
 */
CARRY_API int32_t carry_region_set_accepted_types(carry_region *CARRY_NULLABLE region,
                                                  const char *CARRY_NULLABLE types);

/**
 * The width of the zone along each edge of the region in which a drag scrolls the region.
 *
 * A list whose rows are drop destinations has the zone itself; the row under the drag is told the speed.
 * See carry_drop_session_edge_speed. The region must be a drop destination; carry_region_set_drop with NULL resets
 * this.
 *
 * @param pixels at most 10000; 0 for none.
 */
CARRY_API int32_t carry_region_set_edge_zone(carry_region *CARRY_NULLABLE region, int32_t pixels);

/**
 * The scrolling speed while the drag stays in the edge zone: -1 is full speed to the left or up, 1 to the right or
 * down.
 *
 * 0 is no scrolling. did_update is called when the speed changes; the speed holds until the next callback.
 *
 * @param x, y are set unless the function fails; may be NULL.
 */
CARRY_API int32_t carry_drop_session_edge_speed(carry_drop_session *CARRY_NULLABLE session, double *CARRY_NULLABLE x,
                                                double *CARRY_NULLABLE y);

/**
 * Within did_update: makes the drop position lie slightly above the finger, where the user sees it.
 *
 * Show there what would happen. From then on carry_drop_session_location returns that position, which is never
 * outside of the region.
 */
CARRY_API int32_t carry_drop_session_propose_precise(carry_drop_session *CARRY_NULLABLE session);

/** Within did_update: previews keep their size here. Only a wish, and only for drags that began in this client. */
CARRY_API int32_t carry_drop_session_propose_full_size(carry_drop_session *CARRY_NULLABLE session);

/**
 * Within a did_update that returns CARRY_OPERATION_FORBIDDEN: the reason, in a few words shown beside the badge.
 *
 * @param reason at most 240 bytes; the part that does not fit into a line is cut.
 */
CARRY_API int32_t carry_drop_session_propose_reason(carry_drop_session *CARRY_NULLABLE session,
                                                    const char *CARRY_NULLABLE reason);

/** The number of dragged items, or a negative carry_status. It may grow while the session lasts. */
CARRY_API int32_t carry_drop_session_item_count(carry_drop_session *CARRY_NULLABLE session);

/** The number of types of the item at an index, or a negative carry_status. */
CARRY_API int32_t carry_drop_session_type_count(carry_drop_session *CARRY_NULLABLE session, int32_t item);

/** A type of an item, the best one at index 0; NULL beyond the last. Valid until did_end has returned. */
CARRY_API const char *CARRY_NULLABLE carry_drop_session_type(carry_drop_session *CARRY_NULLABLE session, int32_t item,
                                                             int32_t index);

/**
 * Whether any item is of this type or a subtype: "text/plain" matches text/csv too, and an asterisk in place of the
 * subtype matches every subtype.
 */
CARRY_API int32_t carry_drop_session_conforms(carry_drop_session *CARRY_NULLABLE session,
                                              const char *CARRY_NULLABLE type);

/**
 * The best type of an item that conforms to a wanted type; NULL when there is none. Pass it to a load function.
 *
 * The wanted type itself comes before its subtypes; "image/" and an asterisk stands for every type of picture, as in
 * carry_drop_session_conforms. Valid until did_end has returned.
 *
 * Details: a file from a file manager offers its address as text/uri-list, which is a subtype of text/plain, besides
 * its content. If you accept both text and files, check the item's first type, or skip text/uri-list as
 * docs/examples/target.c does.
 */
CARRY_API const char *CARRY_NULLABLE carry_drop_session_best_type(carry_drop_session *CARRY_NULLABLE session,
                                                                  int32_t item, const char *CARRY_NULLABLE type);

/**
 * The file name that the source suggests for an item; NULL when there is no usable name.
 *
 * Always one harmless path component without leading dots. Valid until did_end has returned.
 */
CARRY_API const char *CARRY_NULLABLE carry_drop_session_name(carry_drop_session *CARRY_NULLABLE session, int32_t item);

/**
 * The size at which an item would be shown, in pixels.
 *
 * @return 1, or 0 if the item's source does not say.
 */
CARRY_API int32_t carry_drop_session_presentation_size(carry_drop_session *CARRY_NULLABLE session, int32_t item,
                                                       int32_t *CARRY_NULLABLE width,
                                                       int32_t *CARRY_NULLABLE height);

/**
 * Copies at most `size` bytes of an item's team data to `buffer`. `buffer` may be NULL to ask for the length.
 *
 * @return the length of the item's team data, at most 8192 bytes; 0 if there is none for this application.
 */
CARRY_API int32_t carry_drop_session_team_data(carry_drop_session *CARRY_NULLABLE session, int32_t item,
                                               void *CARRY_NULLABLE buffer, size_t size);

/**
 * The size of a dropped item's preview, in pixels. For preview_for_dropping, to scale the preview to its place.
 *
 * carry_preview_create_carried sets the preview down at this size with a scale of 1.
 *
 * @return 1; or 0 for an item that is not visible, and before the drop.
 */
CARRY_API int32_t carry_drop_session_carried_size(carry_drop_session *CARRY_NULLABLE session, int32_t item,
                                                  double *CARRY_NULLABLE width, double *CARRY_NULLABLE height);

/** The local data of an item if the drag began in this client, otherwise NULL. */
CARRY_API void *CARRY_NULLABLE carry_drop_session_item_local_data(carry_drop_session *CARRY_NULLABLE session,
                                                                  int32_t item);

/**
 * Where the drag is.
 *
 * @param region the region whose pixels are used: any region of the same window; NULL for the session's own.
 * @param x, y are set unless the function fails; may be NULL.
 */
CARRY_API int32_t carry_drop_session_location(carry_drop_session *CARRY_NULLABLE session,
                                              carry_region *CARRY_NULLABLE region, double *CARRY_NULLABLE x,
                                              double *CARRY_NULLABLE y);

/** Whether a move may be proposed. */
CARRY_API int32_t carry_drop_session_allows_move(carry_drop_session *CARRY_NULLABLE session);

/** Who shows the progress of a drop's loads. */
typedef enum carry_progress_indicator {
  /** The engine: if the loads take long, a window with a Cancel button appears near the drop. */
  CARRY_PROGRESS_INDICATOR_DEFAULT = 0,
  /** This program, which lets the user cancel or continue with something else. */
  CARRY_PROGRESS_INDICATOR_NONE = 1
} carry_progress_indicator;

/**
 * Sets who shows the progress of the loads. In perform_drop or before it; later it has no effect.
 *
 * @param style a carry_progress_indicator.
 */
CARRY_API int32_t carry_drop_session_set_progress_indicator(carry_drop_session *CARRY_NULLABLE session, int32_t style);

/**
 * Within perform_drop: keeps the drop open, so that loads may start until carry_drop_session_finish.
 *
 * For a program that asks the user first, or loads in a later turn. The items land meanwhile; conclude_drop and did_end
 * follow carry_drop_session_finish.
 */
CARRY_API int32_t carry_drop_session_keep_open(carry_drop_session *CARRY_NULLABLE session);

/**
 * Ends a drop that was kept open. Loads that have started continue.
 *
 * @param operation CARRY_OPERATION_COPY if a move is to be a copy after all: the source keeps its items then. Otherwise
 *   the operation of the drop.
 */
CARRY_API int32_t carry_drop_session_finish(carry_drop_session *CARRY_NULLABLE session, int32_t operation);

/** Whether the drag began in this client. */
CARRY_API int32_t carry_drop_session_is_local(carry_drop_session *CARRY_NULLABLE session);

/** The same drag on its source's side if it began in this client, otherwise NULL. */
CARRY_API carry_drag_session *CARRY_NULLABLE
carry_drop_session_local_drag_session(carry_drop_session *CARRY_NULLABLE session);

/** Whether the drag is hidden from other programs. */
CARRY_API int32_t carry_drop_session_is_restricted(carry_drop_session *CARRY_NULLABLE session);

/** The session's number as `carry monitor` shows it; 0 for no session. */
CARRY_API uint32_t carry_drop_session_identifier(carry_drop_session *CARRY_NULLABLE session);

/** The operation of the drop: a carry_operation, cancel until perform_drop; or a negative carry_status. */
CARRY_API int32_t carry_drop_session_operation(carry_drop_session *CARRY_NULLABLE session);

/** Stores a pointer of the caller's with the session. */
CARRY_API int32_t carry_drop_session_set_local_data(carry_drop_session *CARRY_NULLABLE session,
                                                    void *CARRY_NULLABLE data);

/** The pointer last passed to carry_drop_session_set_local_data; NULL when there is none. */
CARRY_API void *CARRY_NULLABLE carry_drop_session_local_data(carry_drop_session *CARRY_NULLABLE session);

/* -------------------------------------------------------------------------------------------- Copy and paste --- */

/**
 * Receives items dropped on a region with carry_region_set_paste, or pasted by carry_region_paste.
 *
 * Start loads before returning: no other time is allowed.
 *
 * @param items the indexes of the items that have one of the types; valid until the function returns.
 */
typedef void (*carry_paste_func)(void *CARRY_NULLABLE user_data, carry_drop_session *CARRY_NONNULL session,
                                 const int32_t *CARRY_NONNULL items, size_t count);

/**
 * Sets the types that the region accepts by paste, and by drop if it has no callbacks of carry_region_set_drop.
 *
 * @param types media types such as "image/png" or "text/" and an asterisk, in the order of preference; copied.
 * @param count the number of types; with 0 the region accepts nothing this way.
 * @param paste called for a drop or a paste.
 */
CARRY_API int32_t carry_region_set_paste(carry_region *CARRY_NULLABLE region,
                                         const char *CARRY_NONNULL const *CARRY_NULLABLE types, size_t count,
                                         CARRY_NULLABLE carry_paste_func paste, void *CARRY_NULLABLE user_data);

/**
 * Puts items on the clipboard of the X display, replacing its contents. Needs no engine.
 *
 * Other programs see the types that are visible to all programs; files and folders appear as their addresses. The
 * items' callbacks are called for each paste, any number of times. The library opens a connection of its own to the
 * display that DISPLAY names.
 *
 * @param items still belong to the caller, who may destroy them at once: the clipboard has its own references.
 * @param count at most 128; with 0 a clipboard of this client's becomes empty, and another program's stays as it is.
 *
 * Details: several items of which some are not text appear as file addresses only, to programs that use Carry too:
 * copy a text by itself. A paste that began before the next copy still calls the callbacks. Their results are kept
 * for further pastes, up to 64 MiB, until the next copy. When the client is destroyed while it owns the clipboard, it
 * hands the items to the clipboard manager, if one runs, and waits for it at most two seconds.
 */
CARRY_API int32_t carry_client_copy(carry_client *CARRY_NULLABLE client,
                                    carry_item *CARRY_NULLABLE const *CARRY_NULLABLE items, size_t count);

/**
 * A paste by carry_region_paste has ended. Not called when the client is destroyed before.
 *
 * @param count the number of items that the region accepted; 0 when the clipboard holds nothing that it accepts.
 */
typedef void (*carry_pasted_func)(void *CARRY_NULLABLE user_data, int32_t count);

/**
 * Pastes the clipboard into a region: calls the callback of carry_region_set_paste after this has returned.
 *
 * The callback receives the items that the region accepts. Its session lasts until the next paste into the region.
 * The items can be loaded for as long as the clipboard stays the same; once something else is copied, loads fail.
 *
 * @param pasted called after that; NULL for none.
 */
CARRY_API int32_t carry_region_paste(carry_region *CARRY_NULLABLE region, carry_pasted_func CARRY_NULLABLE pasted,
                                     void *CARRY_NULLABLE user_data);

/** Whether the items were pasted rather than dropped. */
CARRY_API int32_t carry_drop_session_is_paste(carry_drop_session *CARRY_NULLABLE session);

/* ----------------------------------------------------------------------------------------------------- Loads --- */

/**
 * A load is over. Called exactly once, on the client's thread, for each load that was started.
 *
 * @param status CARRY_OK, or why it failed.
 * @param data the bytes, valid until the function returns; NULL when the load failed, or when the bytes went to a
 *   descriptor or to a carry_part_func.
 * @param size the number of bytes; 0 when the load failed.
 * @param message why the load failed, as a sentence, valid until the function returns; NULL when the load succeeded.
 */
typedef void (*carry_load_func)(void *CARRY_NULLABLE user_data, int32_t status, const void *CARRY_NULLABLE data,
                                size_t size, const char *CARRY_NULLABLE message);

/**
 * Loads a representation into memory. As all loads, only within perform_drop or a carry_paste_func.
 *
 * @param item index of the item.
 * @param type one of the item's types, exactly.
 * @param limit maximum number of bytes; more is an error. 0 for 1 GiB. Set it: a source may promise anything.
 * @param done called when the load is over, after this function has returned. May be NULL.
 * @return the load, which belongs to the library and is valid until `done` is called. NULL when the load was not
 *   started: then `done` is not called.
 */
CARRY_API carry_load *CARRY_NULLABLE carry_drop_session_load(carry_drop_session *CARRY_NULLABLE session, int32_t item,
                                                             const char *CARRY_NULLABLE type, size_t limit,
                                                             CARRY_NULLABLE carry_load_func done,
                                                             void *CARRY_NULLABLE user_data);

/**
 * Loads a representation into an open file, pipe or socket, from its current offset. Only while a drop is performed.
 *
 * @param descriptor open for writing. The library duplicates it; the caller keeps its own descriptor.
 */
CARRY_API carry_load *CARRY_NULLABLE carry_drop_session_load_into(carry_drop_session *CARRY_NULLABLE session,
                                                                  int32_t item, const char *CARRY_NULLABLE type,
                                                                  int32_t descriptor,
                                                                  CARRY_NULLABLE carry_load_func done,
                                                                  void *CARRY_NULLABLE user_data);

/**
 * Receives a part of a representation. Runs on a thread of the load, with all signals blocked.
 *
 * The source waits meanwhile; after 30 seconds its writer and the load fail.
 *
 * @param bytes valid until the function returns.
 * @return 0 to continue; any other number ends the load.
 */
typedef int32_t (*carry_part_func)(void *CARRY_NULLABLE user_data, const void *CARRY_NONNULL bytes, size_t size);

/**
 * Loads a representation in parts of any size as they arrive. Only while a drop is performed.
 *
 * @param part called with each part, in order. After carry_load_cancel and carry_client_destroy, a call that is
 *   running may continue, even after `done` has been called.
 * @param release called when neither `part` nor `done` needs `user_data` any more; not when the function fails. May
 *   be NULL.
 */
CARRY_API carry_load *CARRY_NULLABLE carry_drop_session_load_parts(carry_drop_session *CARRY_NULLABLE session,
                                                                   int32_t item, const char *CARRY_NULLABLE type,
                                                                   CARRY_NULLABLE carry_part_func part,
                                                                   CARRY_NULLABLE carry_load_func done,
                                                                   void *CARRY_NULLABLE user_data,
                                                                   CARRY_NULLABLE carry_release_func release);

/** A file or folder that a load has made or opened. Later versions may add members at the end. */
typedef struct carry_file {
  /** Where it is. */
  const char *CARRY_NONNULL path;
  /** Bytes of the file, or of all files in the folder. */
  int64_t byte_count;
  /** Whether it is a folder: 0 or 1. */
  int32_t is_folder;
  /** Open for reading, for carry_drop_session_open; otherwise -1. Duplicate it to keep it. */
  int32_t descriptor;
  /** Whether it is the source's own file, so that changes are visible to the source: 0 or 1. */
  int32_t is_original;
  /** Whether the descriptor is also open for writing: 0 or 1. */
  int32_t is_writable;
  /** Number of entries of a folder left out: devices, pipes, sockets, and links that lead out of it; at most 100. */
  int32_t left_out_count;
  /** Their paths in the folder; NULL when there are none. */
  const char *CARRY_NONNULL const *CARRY_NULLABLE left_out;
} carry_file;

/**
 * A load into a file is over. Called exactly once, on the client's thread, for each such load that was started.
 *
 * @param status CARRY_OK, or why it failed.
 * @param file valid until the function returns; NULL when the load failed.
 * @param message why the load failed, as a sentence, valid until the function returns; NULL when the load succeeded.
 */
typedef void (*carry_file_func)(void *CARRY_NULLABLE user_data, int32_t status, const carry_file *CARRY_NULLABLE file,
                                const char *CARRY_NULLABLE message);

/**
 * Loads a representation as a temporary file or folder of the program's own. Only while a drop is performed.
 *
 * It exists until `done` returns: move it to where it is to stay.
 */
CARRY_API carry_load *CARRY_NULLABLE carry_drop_session_load_file(carry_drop_session *CARRY_NULLABLE session,
                                                                  int32_t item, const char *CARRY_NULLABLE type,
                                                                  CARRY_NULLABLE carry_file_func done,
                                                                  void *CARRY_NULLABLE user_data);

/** How carry_drop_session_save saves, as bits. */
enum carry_save_option {
  /** The source's file or folder keeps its modification time and permissions. */
  CARRY_SAVE_KEEPS_ATTRIBUTES = 1
};

/**
 * Saves a representation in a directory, as a file or folder. Only while a drop is performed.
 *
 * It appears there when it is complete, under its name or the next free one such as "photo (2).png": nothing is
 * replaced. It has the permissions of the source's file as far as the umask allows, or those of a new file, and is not
 * executable, unless attributes are kept.
 *
 * @param directory an existing directory.
 * @param name one path component; NULL for the suggested name, or a name by the type. In a sandbox a folder comes as
 *        a zip archive; if the name is NULL, ".zip" is appended.
 * @param options bits of carry_save_option, or 0; others are refused.
 */
CARRY_API carry_load *CARRY_NULLABLE carry_drop_session_save(carry_drop_session *CARRY_NULLABLE session, int32_t item,
                                                             const char *CARRY_NULLABLE type,
                                                             const char *CARRY_NULLABLE directory,
                                                             const char *CARRY_NULLABLE name, uint32_t options,
                                                             CARRY_NULLABLE carry_file_func done,
                                                             void *CARRY_NULLABLE user_data);

/**
 * Opens the source's own file where the source allows that, otherwise a copy. Only while a drop is performed.
 *
 * carry_file.is_original says which it is. When `done` returns, the file is closed and a copy is removed. Keep the
 * path of an original, and use carry_file_read and carry_file_write on it. Rename a copy inside `done` to where it is
 * to stay, or duplicate the descriptor; its path becomes invalid afterwards. A folder is an error.
 *
 * Details: files of `carry drag` come as the files themselves, in a sandbox as copies. If a copy is to appear under the
 * next free name, start carry_drop_session_save of the same item as well, and cancel one of the two loads.
 */
CARRY_API carry_load *CARRY_NULLABLE carry_drop_session_open(carry_drop_session *CARRY_NULLABLE session, int32_t item,
                                                             const char *CARRY_NULLABLE type,
                                                             CARRY_NULLABLE carry_file_func done,
                                                             void *CARRY_NULLABLE user_data);

/**
 * The size of a representation in bytes, as the source states it. It may be wrong.
 *
 * @return 1; 0 if the source does not say; or a negative carry_status.
 */
CARRY_API int32_t carry_drop_session_byte_count(carry_drop_session *CARRY_NULLABLE session, int32_t item,
                                                const char *CARRY_NULLABLE type,
                                                uint64_t *CARRY_NULLABLE byte_count);

/** Cancels a load: its callback is called with CARRY_ERROR_CANCELLED before this returns. NULL is ignored. */
CARRY_API void carry_load_cancel(carry_load *CARRY_NULLABLE load);

/** The number of bytes so far, updated a few times a second; or a negative carry_status when the load is over. */
CARRY_API int64_t carry_load_completed_bytes(carry_load *CARRY_NULLABLE load);

/**
 * Reports the progress of a load. On the client's thread.
 *
 * @param completed bytes so far.
 * @param total bytes in total; -1 while unknown, as for most folders. If more bytes arrive than the source has
 *   stated, it grows with `completed`.
 * @param fraction from 0 to 1, by bytes if `total` is known, otherwise in the source's own units; negative while
 *   unknown. 1 does not mean the end: only the load's callback says that everything has arrived.
 */
typedef void (*carry_progress_func)(void *CARRY_NULLABLE user_data, carry_load *CARRY_NONNULL load, int64_t completed,
                                    int64_t total, double fraction);

/**
 * Calls `progress` a few times a second while the load progresses, until it is over. NULL for no callback.
 *
 * The last call may come before the last bytes: complete a progress bar in the load's own callback.
 */
CARRY_API int32_t carry_load_set_progress(carry_load *CARRY_NULLABLE load, CARRY_NULLABLE carry_progress_func progress,
                                          void *CARRY_NULLABLE user_data);

/**
 * Reports the progress of a drop's loads. On the client's thread.
 *
 * @param completed, total bytes of all loads; `total` is -1 while that of any load is unknown.
 * @param fraction from 0 to 1; each load counts the same. 1 when all loads are over, successfully or not.
 */
typedef void (*carry_drop_progress_func)(void *CARRY_NULLABLE user_data, carry_progress *CARRY_NONNULL progress,
                                         int64_t completed, int64_t total, double fraction);

/**
 * Observes all loads of a drop together, for a progress bar with a Cancel button. Within perform_drop.
 *
 * A session has one observer; another takes its place.
 *
 * @param changed called a few times a second while data arrives, and as each load ends. May be NULL.
 * @return belongs to the caller, also when the session has ended: carry_progress_destroy.
 */
CARRY_API carry_progress *CARRY_NULLABLE carry_progress_create(carry_drop_session *CARRY_NULLABLE session,
                                                               CARRY_NULLABLE carry_drop_progress_func changed,
                                                               void *CARRY_NULLABLE user_data);

/** Cancels the loads that are still running. Their callbacks are called before this returns. */
CARRY_API int32_t carry_progress_cancel(carry_progress *CARRY_NULLABLE progress);

/** Ends the observation. Loads continue. NULL is ignored. */
CARRY_API void carry_progress_destroy(carry_progress *CARRY_NULLABLE progress);

/* -------------------------------------------------------------------------------- Several programs, one file --- */

/**
 * Begins to read a file while no program writes it; other programs may read. Any thread.
 *
 * The lock is advisory (F_OFD_SETLK of fcntl(2)): it does not stop programs that do not use these functions, and it
 * is released when the process dies. This waits for the file system without a limit: on a client's thread use
 * carry_file_read instead if another program named the file.
 *
 * @param path a regular file. In the path of an original (carry_file.path) no link is followed, because the program
 *   that named it may have replaced a part of it by a link since.
 * @param seconds how long to wait for a writer; 0 for no waiting. Keep it short on a client's thread.
 * @param file receives the handle for carry_file_access_end; NULL when the function fails.
 * @return a descriptor that is open for reading, at the file's beginning, until carry_file_access_end;
 *   CARRY_ERROR_BUSY when other programs used the file the whole time; CARRY_ERROR_LOCAL when it cannot be opened.
 */
CARRY_API int32_t carry_file_begin_reading(const char *CARRY_NULLABLE path, double seconds,
                                           carry_file_access *CARRY_NULLABLE *CARRY_NULLABLE file);

/**
 * Begins to write a file while no other program reads or writes it; otherwise as carry_file_begin_reading.
 *
 * The descriptor is open for reading and writing. A program that replaces the file by a new one does so before
 * carry_file_access_end.
 */
CARRY_API int32_t carry_file_begin_writing(const char *CARRY_NULLABLE path, double seconds,
                                           carry_file_access *CARRY_NULLABLE *CARRY_NULLABLE file);

/** Closes the descriptor and releases the file for other programs. Any thread. NULL is ignored. */
CARRY_API void carry_file_access_end(carry_file_access *CARRY_NULLABLE file);

/**
 * Reads or writes a shared file by its descriptor, on a thread of its own. Do not close the descriptor.
 *
 * @return 0, or another number that is not negative, for carry_file_done_func.
 */
typedef int32_t (*carry_file_work_func)(void *CARRY_NULLABLE user_data, int32_t descriptor);

/**
 * The result of carry_file_read or carry_file_write. On the client's thread.
 *
 * @param status what the work returned; or CARRY_ERROR_BUSY or CARRY_ERROR_LOCAL when the work was not called and
 *   will not be: other programs used the file the whole time, the file cannot be opened, or its file system has not
 *   answered. If the client is destroyed meanwhile it is CARRY_ERROR_LOCAL too, and running work continues.
 *   carry_last_error says why.
 */
typedef void (*carry_file_done_func)(void *CARRY_NULLABLE user_data, int32_t status);

/**
 * Reads a file as carry_file_begin_reading does, without blocking the client's thread.
 *
 * Another thread waits for the file system, for other programs and for `work`, without a limit for `work`. Eight
 * calls run at a time for the files of one file system; the others queue.
 *
 * @param path a regular file; see carry_file_begin_reading.
 * @param seconds how long to wait for a writer; the file system gets 30 seconds more, and so does each step in the
 *   queue.
 * @param work called on another thread. The descriptor is open for reading, at the file's beginning.
 * @param done called once, and never before this function returns.
 */
CARRY_API int32_t carry_file_read(carry_client *CARRY_NULLABLE client, const char *CARRY_NULLABLE path, double seconds,
                                  CARRY_NULLABLE carry_file_work_func work, CARRY_NULLABLE carry_file_done_func done,
                                  void *CARRY_NULLABLE user_data);

/**
 * Writes a file as carry_file_begin_writing does, without blocking the client's thread; otherwise as carry_file_read.
 *
 * A write that is running when the program exits is incomplete: exit after `done` has been called.
 */
CARRY_API int32_t carry_file_write(carry_client *CARRY_NULLABLE client, const char *CARRY_NULLABLE path, double seconds,
                                   CARRY_NULLABLE carry_file_work_func work, CARRY_NULLABLE carry_file_done_func done,
                                   void *CARRY_NULLABLE user_data);

/** What has happened to a file: the values of `int32_t change`. */
enum carry_file_change {
  /** It has been written to; more writes may follow. */
  CARRY_FILE_WRITTEN = 0,
  /**
   * Another file has its name now: an editor saved by renaming, or the file was created. Also reported if this is
   * only possible, because too much happened at once.
   */
  CARRY_FILE_REPLACED = 1,
  /**
   * No file has its name any more. A new one is reported as CARRY_FILE_REPLACED, unless the folder itself was removed
   * or its file system unmounted: then this is the last report.
   */
  CARRY_FILE_REMOVED = 2
};

/** A file has changed. Many changes of one kind at once cause one call. On the client's thread. */
typedef void (*carry_file_change_func)(void *CARRY_NULLABLE user_data, int32_t change);

/**
 * Reports changes that other programs make to a file, which need not exist yet. Needs no engine.
 *
 * The name is watched: if it is a link, writes to the link's target are reported, but no other change of the target.
 *
 * @param path of a file in an existing folder; see carry_file_begin_reading.
 * @param changed called by carry_client_dispatch.
 * @return the watch, to be destroyed with carry_file_watch_destroy, or with its client; NULL when the folder cannot
 *   be watched.
 *
 * Details: the path is looked up on this thread, and again when another file gets its name. If another program named
 * the file, its file system may block this thread.
 */
CARRY_API carry_file_watch *CARRY_NULLABLE carry_file_watch_create(carry_client *CARRY_NULLABLE client,
                                                                   const char *CARRY_NULLABLE path,
                                                                   CARRY_NULLABLE carry_file_change_func changed,
                                                                   void *CARRY_NULLABLE user_data);

/** Ends the watch. NULL is ignored. */
CARRY_API void carry_file_watch_destroy(carry_file_watch *CARRY_NULLABLE watch);

/* -------------------------------------------------------------------------------------------- Spring loading --- */

/** A spring-loaded region's callbacks: hovering with a drag does what a tap would do, and the drag continues. */
typedef struct carry_spring_callbacks {
  /** sizeof(carry_spring_callbacks) */
  size_t size;
  /** First argument of each callback. */
  void *CARRY_NULLABLE user_data;
  /**
   * The state changed: a carry_spring_state. Draw it. x, y: where the drag is, in pixels of the region.
   *
   * Without this callback, the engine frames the region while a drag hovers.
   */
  void (*CARRY_NULLABLE state_changed)(void *CARRY_NULLABLE user_data, int32_t state, double x, double y);
  /** A drag has hovered long enough: do what a tap would do. */
  void (*CARRY_NULLABLE activated)(void *CARRY_NULLABLE user_data, double x, double y);
  /**
   * Returns whether hovering may begin, or continue. Asked before each change to this carry_spring_state, and after a
   * refusal again where the drag moves on. Default: 1.
   */
  int32_t (*CARRY_NULLABLE should_allow)(void *CARRY_NULLABLE user_data, int32_t state, double x, double y);
  /** The hovering is over: it activated, or was abandoned. */
  void (*CARRY_NULLABLE did_finish)(void *CARRY_NULLABLE user_data);
} carry_spring_callbacks;

/** A carry_spring_callbacks without callbacks. */
#define CARRY_SPRING_CALLBACKS_INIT \
  { sizeof(carry_spring_callbacks), NULL, NULL, NULL, NULL, NULL }

/**
 * Makes the region spring-loaded, or changes its callbacks.
 *
 * @param callbacks copied; with NULL the region is no longer spring-loaded.
 */
CARRY_API int32_t carry_region_set_spring(carry_region *CARRY_NULLABLE region,
                                          const carry_spring_callbacks *CARRY_NULLABLE callbacks);

/* --------------------------------------------------------------------------------------------------- Monitor --- */

/** One step of one session of the engine. Owned by the library; valid until the callback returns. */
typedef struct carry_monitor_step {
  /** The number of bytes that the library has filled in: newer libraries may have more members than this header. */
  size_t size;
  /** Seconds on the monotonic clock. */
  double time;
  /**
   * "lifted", "began", "entered", "dropped", "ended" and so on, as `carry monitor --json` names it. Sessions that are
   * running when the engine exits end with "ended" too.
   */
  const char *CARRY_NONNULL kind;
  /** Screen pixels. */
  double x;
  /** Screen pixels. */
  double y;
  /** The session's number. */
  uint32_t session;
  /** The number of its items. */
  int32_t items;
  /** The types of all items, each once. */
  const char *CARRY_NONNULL const *CARRY_NONNULL types;
  /** The number of `types`. */
  size_t type_count;
  /** The source application's name, as it passed it to carry_client_create. */
  const char *CARRY_NONNULL source;
  /** The name of the application whose region is concerned; NULL if there is none. */
  const char *CARRY_NULLABLE target;
  /** The input device's name. */
  const char *CARRY_NONNULL device;
  /** What is proposed or was done: a carry_operation; CARRY_OPERATION_NONE if there is none. */
  int32_t operation;
  /**
   * For "cancelled", if the drag was released beside the drop regions: the application that has the nearest of them.
   * NULL otherwise.
   */
  const char *CARRY_NULLABLE nearest;
  /** The label of that region; NULL if it has none, or this program is in a sandbox. */
  const char *CARRY_NULLABLE nearest_label;
  /** From the point of the release to that region, in pixels; 0, 0 if it lies there and does not accept the items. */
  double nearest_x;
  /** See nearest_x. */
  double nearest_y;
} carry_monitor_step;

/** A step happened. On the client's thread. */
typedef void (*carry_monitor_func)(void *CARRY_NULLABLE user_data, const carry_monitor_step *CARRY_NONNULL step);

/**
 * Watches every step of every session: types and names, never data.
 *
 * @return the monitor, to be destroyed with carry_monitor_destroy, or with its client.
 */
CARRY_API carry_monitor *CARRY_NULLABLE carry_monitor_create(carry_client *CARRY_NULLABLE client,
                                                             CARRY_NULLABLE carry_monitor_func stepped,
                                                             void *CARRY_NULLABLE user_data);

/**
 * Receives a sentence for a person who may not see the screen, such as "Picked up 2 items". On the client's thread.
 *
 * The sentences come from sessions that are driven by keys.
 *
 * @param time seconds on the monotonic clock.
 * @param text valid until the callback returns.
 */
typedef void (*carry_announcement_func)(void *CARRY_NULLABLE user_data, double time, const char *CARRY_NONNULL text);

/** Calls `announced` with each announcement from now on; NULL for no callback. */
CARRY_API int32_t carry_monitor_set_announced(carry_monitor *CARRY_NULLABLE monitor,
                                              CARRY_NULLABLE carry_announcement_func announced,
                                              void *CARRY_NULLABLE user_data);

/** Stops watching. NULL is ignored. */
CARRY_API void carry_monitor_destroy(carry_monitor *CARRY_NULLABLE monitor);

#ifdef __cplusplus
}
#endif

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#endif
