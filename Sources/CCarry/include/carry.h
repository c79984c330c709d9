/* SPDX-License-Identifier: MIT */
/* Copyright 2026 The Carry authors */

/**
 * @file carry.h
 * Multi-touch drag and drop between X clients: the C interface of libcarry.
 *
 * A program connects to the engine (carryd) with carry_client_create and registers rectangles of its X windows with
 * carry_region_create. It says of each whether items can be dragged from it, dropped on it, or whether it springs open
 * under a drag. It watches one descriptor and calls carry_client_dispatch when the descriptor can be read: all callbacks
 * come from there. No data moves before a drop, and data never passes through the engine.
 *
 * Threads. A client and everything made with it belong to one thread at a time. Each exception is said with its
 * function: stream writers run on threads of their own, and carry_release_func may be called on any thread. Different
 * clients may be used on different threads.
 *
 * Handles. A pointer to one of the opaque types names an object of the library; never read what is at its address. A
 * handle that is NULL, destroyed, or of another type is refused with CARRY_ERROR_INVALID_HANDLE, whatever other objects
 * were made since. Destroy functions ignore such handles.
 *
 * Errors. Functions that can fail return a negative carry_status, or NULL; carry_last_error then has a sentence for a
 * person. Functions that answer a question return 1 for yes and 0 for no.
 *
 * Text. All strings are UTF-8 and end with a zero byte; others are refused. The library copies strings that the program
 * passes in. Strings that the library returns belong to it, and stay unchanged until the moment that is documented.
 *
 * Coordinates. Positions are pixels of the region they are given for, from its top left corner, y downwards.
 *
 * Types. Types of data are media types: "image/png", "text/plain;charset=utf-8", "application/vnd.example.drawing".
 *
 * Limits. 256 clients of an engine, 128 of a process; 4096 regions a client, 8192 a process and 16384 in all; 1024 items a
 * client; 32 types an item, a type of at most 127 bytes; 64 items a session, with 131072 bytes of names and types in all;
 * names of at most 255 bytes; 8 monitors a client, 16 a process; 10 sessions at once, and 64 more that only wait for data.
 * Whatever exceeds a limit fails with CARRY_ERROR_LIMIT, or is refused with a sentence (carry_region_refusal).
 *
 * Structs. Each struct of callbacks begins with its size. Start from the initialiser macro, then set what you need:
 * the program then works with libraries that are older or newer than its header. A member that is NULL, or that lies
 * beyond the size, has the default that is documented with the member.
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

/* CARRY_NULLABLE: may be NULL. For parameters, NULL is either documented or refused with an error; it never crashes.
   CARRY_NONNULL: is never NULL. */
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

/** What functions return: a number that is not negative is success. */
enum carry_status {
  CARRY_OK = 0,
  /** A number, string, size or pointer cannot be used; carry_last_error says which. */
  CARRY_ERROR_INVALID_ARGUMENT = -1,
  /** The handle is NULL, destroyed, or of another type. */
  CARRY_ERROR_INVALID_HANDLE = -2,
  /** There is no engine, or the connection to it is lost. Then the client is useless, unless it reconnects. */
  CARRY_ERROR_CONNECTION = -3,
  /** A limit of the protocol is reached. */
  CARRY_ERROR_LIMIT = -4,
  /** Not now: the function may not be called at this place, or was called before. */
  CARRY_ERROR_STATE = -5,
  /** Others use the file. */
  CARRY_ERROR_BUSY = -6,

  /* Why a load failed. */
  /** The load was not started while a drop is performed: within perform_drop or a carry_paste_func. */
  CARRY_ERROR_OUTSIDE_PERFORM = -101,
  /** The item has no such representation. */
  CARRY_ERROR_NO_SUCH_TYPE = -102,
  /** The source gave an error, or its data ended too early, as when it was killed meanwhile. */
  CARRY_ERROR_SOURCE_FAILED = -103,
  /** The source went away before it had begun to hand over the data. */
  CARRY_ERROR_SOURCE_GONE = -104,
  /** The source did not answer, or stopped sending. */
  CARRY_ERROR_TIMED_OUT = -105,
  /** What the source handed over is not safe to read. */
  CARRY_ERROR_UNUSABLE_DESCRIPTOR = -106,
  /** carry_load_cancel or carry_client_destroy was called, or the destination went away. */
  CARRY_ERROR_CANCELLED = -107,
  /** More than 64 loads of one item at once, or more than 64 drops that wait for their data. */
  CARRY_ERROR_TOO_MANY_LOADS = -108,
  /** The data could not be read or stored on this side: no space, more than the limit. */
  CARRY_ERROR_LOCAL = -200
};

/** What happens to the items if they are dropped: the values of `int32_t operation` everywhere. */
enum carry_operation {
  /** Nothing: the drag is cancelled. */
  CARRY_OPERATION_CANCEL = 0,
  /** Normally possible, but not in this case: a badge says so. Use it sparingly. */
  CARRY_OPERATION_FORBIDDEN = 1,
  /** The data is taken. */
  CARRY_OPERATION_COPY = 2,
  /** The data is taken, and the source gives it up. Only where the source allows it: allows_move for regions of the same
   * program, allows_move_to_others for other programs. */
  CARRY_OPERATION_MOVE = 3,
  /** In carry_monitor_step only: no operation applies. */
  CARRY_OPERATION_NONE = -1
};

/** The interactions of a region, as bits. */
enum carry_interaction {
  CARRY_INTERACTION_DRAG = 1,
  CARRY_INTERACTION_DROP = 2,
  CARRY_INTERACTION_SPRING = 4
};

/** How far a spring-loaded region is. */
enum carry_spring_state {
  /** No drag hovers: the usual look. */
  CARRY_SPRING_INACTIVE = 0,
  /** A drag hovers: highlight. */
  CARRY_SPRING_POSSIBLE = 1,
  /** About to activate: flash. */
  CARRY_SPRING_ACTIVATING = 2,
  /** Activated: back to the usual look. */
  CARRY_SPRING_ACTIVATED = 3
};

/** A program's connection to the engine. */
typedef struct carry_client carry_client;
/** A rectangle of an X window that takes part: what toolkits call a view. */
typedef struct carry_region carry_region;
/** One thing being dragged: a promise of data in one or more types. */
typedef struct carry_item carry_item;
/** A drag that started in this program, until the engine has forgotten it. */
typedef struct carry_drag_session carry_drag_session;
/** A drag as one region of this program sees it, until did_end has returned. */
typedef struct carry_drop_session carry_drop_session;
/** A destination's request for one representation of an item, until the request is answered. */
typedef struct carry_request carry_request;
/** Where a stream writer writes, until the writer has returned. */
typedef struct carry_stream carry_stream;
/** Data on its way to this program, until its callback is called. */
typedef struct carry_load carry_load;
/** What an item looks like, and where. The program's until a callback returns it, or until carry_preview_destroy. */
typedef struct carry_preview carry_preview;
/** An animation of the engine, which the program can accompany; valid within the callback that receives it. */
typedef struct carry_animator carry_animator;
/** Watches all sessions of the engine. */
typedef struct carry_monitor carry_monitor;
/** A file that is read or written in coordination with other programs, until carry_file_access_end. */
typedef struct carry_file_access carry_file_access;
/** Tells when others change a file. */
typedef struct carry_file_watch carry_file_watch;

/** The library no longer needs a callback's user data. Called once, on any thread. Do no more in it than free memory. */
typedef void (*carry_release_func)(void *CARRY_NULLABLE user_data);

/* ------------------------------------------------------------------------------------------------ The library --- */

/** The library's version, such as "0.1.0"; may differ from the header's. Valid for ever. Any thread. */
CARRY_API const char *CARRY_NONNULL carry_version(void);

/**
 * What went wrong in the last call that failed on this thread: one sentence for a person. Empty when none has failed.
 * The next failure overwrites the same memory, which lasts as long as the thread: copy a sentence to keep it. Any thread.
 */
CARRY_API const char *CARRY_NONNULL carry_last_error(void);

/* ------------------------------------------------------------------------------------------------- The client --- */

/**
 * Connects to the engine of this user and waits for its answer, at most five seconds.
 *
 * @param name the program's name as people see it in `carry monitor`. The engine decides nothing by it.
 * @param socket path of the engine's socket; NULL for $CARRY_SOCKET, or carry-0 in $XDG_RUNTIME_DIR.
 * @return the client, to be destroyed with carry_client_destroy; NULL when there is no engine.
 */
CARRY_API carry_client *CARRY_NULLABLE carry_client_create(const char *CARRY_NULLABLE name,
                                                           const char *CARRY_NULLABLE socket);

/**
 * A client that exists without an engine, connects to it as soon as it can, and outlives it: see
 * carry_client_set_reconnects, which is on. Never waits. Make regions at once. The client does not wake an engine that
 * was stopped on purpose: only its first attempt, within this function, may make a service manager start an engine. Whether there
 * is an engine, carry_client_set_connection_changed tells.
 *
 * @param name, socket as in carry_client_create.
 * @return the client, to be destroyed with carry_client_destroy; NULL when the path is too long, or there are no
 *   descriptors left.
 */
CARRY_API carry_client *CARRY_NULLABLE carry_client_create_awaiting(const char *CARRY_NULLABLE name,
                                                                    const char *CARRY_NULLABLE socket);

/**
 * Whether the client outlives its engine. When the engine goes, sessions end with their callbacks (did_end with
 * CARRY_OPERATION_CANCEL), data that is being loaded continues to arrive, loads without an answer fail with
 * CARRY_ERROR_SOURCE_GONE, and dispatching fails for offences only. Regions and monitors stay, and are registered with the
 * next engine. carry_client_fd stays the same.
 *
 * @param reconnects 0 or 1; 0 at first for carry_client_create.
 */
CARRY_API int32_t carry_client_set_reconnects(carry_client *CARRY_NULLABLE client, int32_t reconnects);

/** 1 while there is an engine, 0 while there is none; or a negative carry_status. */
CARRY_API int32_t carry_client_is_connected(carry_client *CARRY_NULLABLE client);

/**
 * For a client that reconnects: calls `changed` when an engine is there, and when it is gone. NULL for no callback.
 * `problem` is NULL, or says why there is no engine; it is valid until `changed` returns.
 */
CARRY_API int32_t carry_client_set_connection_changed(
    carry_client *CARRY_NULLABLE client,
    void (*CARRY_NULLABLE changed)(void *CARRY_NULLABLE user_data, int32_t is_connected,
                                   const char *CARRY_NULLABLE problem),
    void *CARRY_NULLABLE user_data);

/**
 * Disconnects, and destroys everything that was made with the client. The callbacks of loads under way are called with
 * CARRY_ERROR_CANCELLED. After that no callback is called, but stream writers run until their next write fails. When it
 * is called within a callback, it takes effect when the dispatching function returns; that function then fails with
 * CARRY_ERROR_STATE. NULL is ignored.
 */
CARRY_API void carry_client_destroy(carry_client *CARRY_NULLABLE client);

/**
 * The descriptor to watch for reading: call carry_client_dispatch when it can be read. The client owns it: do not read or
 * close it.
 *
 * Any loop that watches descriptors will do; call carry_client_flush after calls that you make outside of callbacks. For
 * GLib's loop, in GTK programs and the like, carry-glib.h has a source that does both. A loop of your own that waits for an
 * X connection as well looks with XPending before each wait: a callback that draws may have read events, for which the
 * connection does not become readable any more.
 */
CARRY_API int32_t carry_client_fd(carry_client *CARRY_NULLABLE client);

/**
 * The engine's version, such as "0.1.0"; empty while there is no engine. Valid until the client is destroyed. NULL for no
 * client.
 */
CARRY_API const char *CARRY_NULLABLE carry_client_engine_version(carry_client *CARRY_NULLABLE client);

/**
 * Whether a drag source is enabled before carry_region_set_enabled is called for it. The engine's settings decide this,
 * so that small screens can do without drags. The value is that of the moment when the client connected. 1, 0, or a
 * negative carry_status.
 */
CARRY_API int32_t carry_client_drag_enabled_by_default(carry_client *CARRY_NULLABLE client);

/**
 * Handles everything that has come and calls the callbacks; never waits. Sends all requests made so far. Call it once
 * before the first wait as well. Not from within a callback.
 */
CARRY_API int32_t carry_client_dispatch(carry_client *CARRY_NULLABLE client);

/**
 * Sends all requests made so far, without waiting. carry_client_dispatch does so too. The client keeps what a busy engine
 * does not take now (of a region's rectangles only the newest) and sends it as soon as the engine reads again:
 * carry_client_fd can be read then.
 */
CARRY_API int32_t carry_client_flush(carry_client *CARRY_NULLABLE client);

/**
 * Waits until the engine has handled all requests made so far. For start-up and tests; not in a callback. Regions whose
 * window is not on the X server by then are refused: call XSync before.
 */
CARRY_API int32_t carry_client_synchronize(carry_client *CARRY_NULLABLE client);

/**
 * Dispatches until carry_client_stop is called or the connection is lost: a loop for programs that have none. What comes of it
 * is what carry_client_dispatch says, and CARRY_OK after carry_client_stop.
 *
 * @param other another descriptor to watch for reading, such as the X connection's; -1 for none. A number that is no
 *   open descriptor is refused with CARRY_ERROR_INVALID_ARGUMENT.
 * @param readable called before the first wait, whenever `other` can be read, and after callbacks of the client's; once
 *   more when the other end is gone. It finds nothing to read at times, and may not wait for it. With NULL `other` is not
 *   watched; without `other` it is called before the first wait only. For an X connection, handle all events that have
 *   come (while XPending): Xlib reads ahead, also where a callback draws, and XPending sends what was drawn. It counts as a
 *   callback.
 */
CARRY_API int32_t carry_client_run(carry_client *CARRY_NULLABLE client, int32_t other,
                                   void (*CARRY_NULLABLE readable)(void *CARRY_NULLABLE user_data),
                                   void *CARRY_NULLABLE user_data);

/** Makes carry_client_run return after the present turn. From within a callback; elsewhere it changes nothing. */
CARRY_API int32_t carry_client_stop(carry_client *CARRY_NULLABLE client);

/* -------------------------------------------------------------------------------------------------- Regions --- */

/**
 * A region of one of this program's own X windows. It takes part once it has an interaction. Regions of one window are
 * stacked in the order in which they got their first interaction, the newest on top, until one is raised.
 *
 * @param window an X window of this process. The X server may not know the window yet, because Xlib has not sent the
 *   request that makes it. The engine waits for it for five seconds, or until carry_client_synchronize. Call XSync first
 *   to be sure.
 * @param x, y, width, height pixels of the window; the size is not negative.
 * @return the region, to be destroyed with carry_region_destroy, or with its client.
 */
CARRY_API carry_region *CARRY_NULLABLE carry_region_create(carry_client *CARRY_NULLABLE client, uint32_t window,
                                                           int32_t x, int32_t y, int32_t width, int32_t height);

/**
 * The region takes no part any more. None of its callbacks is called, with one exception: drags that have begun in it go
 * on, and their drag callbacks are called until did_transfer, so that the program can undo what it dimmed. Keep the user
 * data of these callbacks until then, or call carry_region_set_drag with NULL before. NULL is ignored.
 */
CARRY_API void carry_region_destroy(carry_region *CARRY_NULLABLE region);

/** Moves or resizes the region, in pixels of its window. Drags over the region see the change at once. */
CARRY_API int32_t carry_region_set_rectangle(carry_region *CARRY_NULLABLE region, int32_t x, int32_t y, int32_t width,
                                             int32_t height);

/**
 * Puts the region above all others of its window: where it overlaps others, presses and drops are for it. Drags over
 * the window see the change at once; drags that have begun go on. Without an interaction this function does nothing.
 */
CARRY_API int32_t carry_region_raise(carry_region *CARRY_NULLABLE region);

/**
 * Switches interactions off and on again. A disabled interaction is as good as absent.
 *
 * @param interactions bits of carry_interaction.
 * @param enabled 0 or 1. A new interaction is enabled, but a new drag source only if
 *   carry_client_drag_enabled_by_default returns 1.
 */
CARRY_API int32_t carry_region_set_enabled(carry_region *CARRY_NULLABLE region, uint32_t interactions,
                                           int32_t enabled);

/**
 * Why the engine refuses the region, as a sentence: the window belongs to another program, is gone, or was not there in
 * time. This engine keeps refusing such a region: destroy it and make another one. The next engine is asked anew. NULL
 * while all is well. The engine answers some time after the first interaction: after carry_client_synchronize at the
 * latest. The sentence is valid until the region is destroyed or refused again.
 */
CARRY_API const char *CARRY_NULLABLE carry_region_refusal(carry_region *CARRY_NULLABLE region);

/**
 * Calls `refused` when the engine refuses the region; `message` is valid until `refused` returns. With NULL, or before
 * this function is called, the library writes a line to stderr instead.
 */
CARRY_API int32_t carry_region_set_refused(carry_region *CARRY_NULLABLE region,
                                           void (*CARRY_NULLABLE refused)(void *CARRY_NULLABLE user_data,
                                                                          const char *CARRY_NONNULL message),
                                           void *CARRY_NULLABLE user_data);

/**
 * Makes the region cooperative: the program goes on receiving every touch at once, and `cancelled` is called when a lift,
 * or a tap that adds items, takes a touch away. Then undo what the touch began, such as a pressed button, and ignore its
 * further events. With NULL the region is not cooperative, as at first: touches on draggable regions are held back until
 * it is known whether they belong to the program. All draggable regions of a window should agree. A mouse's clicks are held
 * back in any case: see carry_region_set_own_pointer.
 *
 * @param cancelled touch: the `detail` of the XInput 2 touch events.
 */
CARRY_API int32_t carry_region_set_touch_cancelled(carry_region *CARRY_NULLABLE region,
                                                   void (*CARRY_NULLABLE cancelled)(void *CARRY_NULLABLE user_data,
                                                                                    uint32_t touch),
                                                   void *CARRY_NULLABLE user_data);

/* ----------------------------------------------------------------------------------------------- Drag source --- */

/** A drag source's answers. Called on the client's thread while it dispatches. Return at once: a finger waits. */
typedef struct carry_drag_callbacks {
  /** sizeof(carry_drag_callbacks) */
  size_t size;
  /** First argument of each callback. */
  void *CARRY_NULLABLE user_data;
  /**
   * Which items does this press lift? Add them with carry_drag_session_add_item, the last one topmost. If you add none,
   * the touch goes on as if there were no region. Default: none.
   *
   * A tap may ask this, too, where a finger carries what it has lifted out of an application that knows nothing of
   * Carry. The items then join that stack, and the session ends with it. session_will_begin follows without a lift,
   * and session_did_move never comes: make nothing in lift_began, lifted or lift_ended that later callbacks need.
   * will_add follows once the engine has the items' pictures: dim there what stays behind. A drop is a copy for you,
   * whatever the destination does. If you answer 1 to is_restricted, the items do not join, and the session ends at
   * once with CARRY_OPERATION_CANCEL; so it does if the other drag has ended meanwhile. Further taps call
   * items_for_adding with this session. preview_for_cancelling and will_animate_cancel are not called: restore in
   * session_did_end what you have dimmed. To this program's own regions the stack is another program's. With two such
   * stacks under way nobody is asked.
   *
   * Where touches or clicks are held, as on every touchscreen that the X server has, the press is the application's 100 ms
   * after the time that a lift takes (600 ms after the press by default): answer before that.
   *
   * @param x, y where the finger is, in pixels of the region.
   */
  void (*CARRY_NULLABLE items_for_beginning)(void *CARRY_NULLABLE user_data,
                                             carry_drag_session *CARRY_NONNULL session, double x, double y);
  /**
   * Which items does a tap of another finger on this region add to a running session of this program? Add them with
   * carry_drag_session_add_item. Default: none. The same region may be tapped again; see
   * carry_drag_session_item_local_data.
   */
  void (*CARRY_NULLABLE items_for_adding)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session,
                                          double x, double y);
  /** May a region of this process propose a move? Asked after session_will_begin. Default: 1. */
  int32_t (*CARRY_NULLABLE allows_move)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session);
  /** Is this session hidden from other programs? Asked after allows_move_to_others; nobody sees the session before. Default: 0. */
  int32_t (*CARRY_NULLABLE is_restricted)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session);
  /** The lift is over. completed: 1 as the drag begins, or 0 when the finger went up before, and all is back in its place. With
   * 0 this is the session's last callback. */
  void (*CARRY_NULLABLE lift_ended)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session,
                                    int32_t completed);
  /** The finger moved: the drag proper begins. It may come without a lift: see items_for_beginning. */
  void (*CARRY_NULLABLE session_will_begin)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session);
  /** The drag moved; called often. A new position comes only after this has returned. */
  void (*CARRY_NULLABLE session_did_move)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session);
  /** The finger went up, and this is what will happen: a carry_operation. */
  void (*CARRY_NULLABLE will_end)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session,
                                  int32_t operation);
  /** The session is over: after the cancel animation, or at once for copy and move. The last callback of a drag that was
   * cancelled; after a copy or move did_transfer follows. */
  void (*CARRY_NULLABLE did_end)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session,
                                 int32_t operation);
  /** After a copy or move: all that the destination asked for was delivered, or has failed. If the engine goes before
   * that, a client that reconnects (carry_client_set_reconnects) gets this when the streams that are being written have ended,
   * read or not; without streams, at once. Nobody can tell then whether files and memory that had been handed over were read.
   * Another client is lost, and gets nothing more. */
  void (*CARRY_NULLABLE did_transfer)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session);
  /** The items begin to rise. Their pictures are live until the drag begins. */
  void (*CARRY_NULLABLE lift_began)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session);
  /** The items have risen: moving now starts the drag. */
  void (*CARRY_NULLABLE lifted)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session);
  /**
   * To which of several running sessions of this program does a tap on this region add? items_for_adding is then called
   * for that session. Default: none of them.
   *
   * @param sessions the oldest first; valid until the function returns.
   * @return the index of a session, or -1 for an ordinary tap.
   */
  int32_t (*CARRY_NULLABLE session_for_adding)(void *CARRY_NULLABLE user_data,
                                               carry_drag_session *CARRY_NONNULL const *CARRY_NONNULL sessions,
                                               size_t count, double x, double y);
  /**
   * Items join the session: all from index `first` on. Called for every region that has contributed to the session, once
   * the engine has the items' pictures: the place to dim what stays behind. Not called if the session ended meanwhile.
   *
   * @param adding the region that the items come from; NULL when it has been destroyed.
   */
  void (*CARRY_NULLABLE will_add)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session,
                                  int32_t first, carry_region *CARRY_NULLABLE adding);
  /**
   * Does the picture keep its size over the window where the drag began? Asked after is_restricted. This is only a wish:
   * several items are always carried small. Default: 0.
   */
  int32_t (*CARRY_NULLABLE prefers_full_size)(void *CARRY_NULLABLE user_data,
                                              carry_drag_session *CARRY_NONNULL session);
  /**
   * How does an item look as it rises, and from which place does it rise? Asked after items_for_beginning and
   * items_for_adding, for each item; if there are more than ten, nobody is asked. (Here and below, ten is the default of
   * the setting few-items, and of an addition only the items that are added count.)
   * Default: CARRY_PREVIEW_USUAL, the region as it looks.
   *
   * @param preview set it, and return CARRY_PREVIEW_OWN. The library then owns the preview: make a new one each time. Its
   *   handle is useless then, and destroying it does nothing.
   * @return a carry_preview_choice.
   */
  int32_t (*CARRY_NULLABLE preview_for_lifting)(void *CARRY_NULLABLE user_data,
                                                carry_drag_session *CARRY_NONNULL session, int32_t item,
                                                carry_preview *CARRY_NULLABLE *CARRY_NONNULL preview);
  /** The items are about to rise: add animations. They run back by themselves if the lift is reversed. */
  void (*CARRY_NULLABLE will_animate_lift)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session,
                                           carry_animator *CARRY_NONNULL animator);
  /**
   * Where does an item go when its drag is cancelled? Asked for each item; with more than ten nobody is. Default:
   * CARRY_PREVIEW_USUAL, back to where it was lifted. With CARRY_PREVIEW_NONE it fades where it is.
   */
  int32_t (*CARRY_NULLABLE preview_for_cancelling)(void *CARRY_NULLABLE user_data,
                                                   carry_drag_session *CARRY_NONNULL session, int32_t item,
                                                   carry_preview *CARRY_NULLABLE *CARRY_NONNULL preview);
  /** An item is about to fly home: add animations. With more than ten items this is called once, for the first. */
  void (*CARRY_NULLABLE will_animate_cancel)(void *CARRY_NULLABLE user_data, carry_drag_session *CARRY_NONNULL session,
                                             int32_t item, carry_animator *CARRY_NONNULL animator);
  /**
   * May a region of another program propose a move? In did_transfer, carry_drag_session_item_moved says which items it has
   * then: let go of those. Asked after allows_move. Default: 0, others get copies.
   */
  int32_t (*CARRY_NULLABLE allows_move_to_others)(void *CARRY_NULLABLE user_data,
                                                  carry_drag_session *CARRY_NONNULL session);
} carry_drag_callbacks;

/** A carry_drag_callbacks without callbacks. */
#define CARRY_DRAG_CALLBACKS_INIT \
  { sizeof(carry_drag_callbacks), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, \
    NULL, NULL, NULL, NULL, NULL, NULL, NULL }

/**
 * Makes the region a drag source, or changes its callbacks.
 *
 * @param callbacks copied; running sessions use them at once. With NULL the region is a drag source no longer: running
 *   sessions go on, and none of the callbacks is called any more.
 */
CARRY_API int32_t carry_region_set_drag(carry_region *CARRY_NULLABLE region,
                                        const carry_drag_callbacks *CARRY_NULLABLE callbacks);

/**
 * Says whether the program drags by mouse and pen itself. The engine then leaves every click on the region to the program,
 * and lifts by touch, trackpad and keys only. Otherwise, as at first, a mouse that moves with its button down on something
 * that can be dragged is the engine's, and every other click is the program's.
 *
 * @param own 0 or 1. The region must be a drag source; carry_region_set_drag with NULL resets this.
 */
CARRY_API int32_t carry_region_set_own_pointer(carry_region *CARRY_NULLABLE region, int32_t own);

/**
 * Adds an item to the session. Within items_for_beginning and items_for_adding only. An item that is in the session
 * already is not added again. An item that has neither a representation nor local data is refused. An item that has local
 * data alone is for this client's own regions, and other programs do not see it.
 *
 * @param item still belongs to the caller, who may destroy it at once: the session has its own reference.
 */
CARRY_API int32_t carry_drag_session_add_item(carry_drag_session *CARRY_NULLABLE session,
                                              carry_item *CARRY_NULLABLE item);

/** How many items the session has, or a negative carry_status. */
CARRY_API int32_t carry_drag_session_item_count(carry_drag_session *CARRY_NULLABLE session);

/** The local data of an item, by its index; NULL when there is none. */
CARRY_API void *CARRY_NULLABLE carry_drag_session_item_local_data(carry_drag_session *CARRY_NULLABLE session,
                                                                  int32_t index);

/** Whether an item, by its index, has a representation of this type or a kind of it; see
 * carry_drop_session_conforms. */
CARRY_API int32_t carry_drag_session_item_conforms(carry_drag_session *CARRY_NULLABLE session, int32_t index,
                                                   const char *CARRY_NULLABLE type);

/**
 * How large an item's picture is when its drag is cancelled, in pixels: the size at which carry_preview_create_carried
 * sets it down with a scale of 1. For preview_for_cancelling.
 *
 * @return 1; or 0 for an item that is not seen, and before the end.
 */
CARRY_API int32_t carry_drag_session_carried_size(carry_drag_session *CARRY_NULLABLE session, int32_t index,
                                                  double *CARRY_NULLABLE width, double *CARRY_NULLABLE height);

/**
 * Where the drag is.
 *
 * @param region whose pixels are meant: any region of the window in which the drag began; NULL for the region it began
 *   in.
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
 * Whether an item was moved to another program: its data has arrived there whole. From did_transfer on; let go of such an
 * item there, and of no other: the rest was copied at most. 0 for a move within this program, which does as it likes.
 */
CARRY_API int32_t carry_drag_session_item_moved(carry_drag_session *CARRY_NULLABLE session, int32_t item);

/**
 * Offers the user to undo a move, for six seconds: with a button at the place of the drop, and with Ctrl+Z while the focus
 * is in one of the move's two windows. In did_transfer, or within three seconds after it; once. The session's handle stays
 * valid as long as the offer. Without an engine the user is not asked.
 *
 * @param title what was done, as a few words for the user: "Moved 2 items". At most 255 bytes.
 * @param undo undoes it; called once at most, on the client's thread, and not after the client is destroyed.
 * @return CARRY_ERROR_STATE when the session is not a move, or its items have not been transferred yet.
 */
CARRY_API int32_t carry_drag_session_offer_undo(carry_drag_session *CARRY_NULLABLE session,
                                                const char *CARRY_NULLABLE title,
                                                void (*CARRY_NULLABLE undo)(void *CARRY_NULLABLE user_data),
                                                void *CARRY_NULLABLE user_data);

/** Whether other programs do not see the session. */
CARRY_API int32_t carry_drag_session_is_restricted(carry_drag_session *CARRY_NULLABLE session);

/** Keeps a pointer of the caller's with the session. */
CARRY_API int32_t carry_drag_session_set_local_data(carry_drag_session *CARRY_NULLABLE session,
                                                    void *CARRY_NULLABLE data);

/** The pointer that carry_drag_session_set_local_data was given last; NULL when there is none. */
CARRY_API void *CARRY_NULLABLE carry_drag_session_local_data(carry_drag_session *CARRY_NULLABLE session);

/* ----------------------------------------------------------------------------------------------------- Items --- */

/**
 * An item without representations yet. Add them best first. Representations that are added after the item was given to a
 * session do not reach that session. Items belong to no client until they are dragged.
 *
 * @return the item, to be destroyed with carry_item_destroy.
 */
CARRY_API carry_item *CARRY_NULLABLE carry_item_create(void);

/** Gives up the caller's reference. Sessions that have the item keep it and its promises. NULL is ignored. */
CARRY_API void carry_item_destroy(carry_item *CARRY_NULLABLE item);

/**
 * Suggests a file name: one path component of at most 255 bytes. What is saved of another type than its ending's gets the
 * usual ending of that type: the PNG picture of "photo.jpg" is "photo.png".
 */
CARRY_API int32_t carry_item_set_name(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE name);

/** How large the item would be shown, in pixels from 1 to 65535: destinations can make room before the data comes. */
CARRY_API int32_t carry_item_set_presentation_size(carry_item *CARRY_NULLABLE item, int32_t width, int32_t height);

/**
 * Keeps a pointer of the caller's with the item. Destinations in the same client see the pointer, others do not. An item
 * that has nothing else is seen by the same client only.
 */
CARRY_API int32_t carry_item_set_local_data(carry_item *CARRY_NULLABLE item, void *CARRY_NULLABLE data);

/** Who sees a representation of an item. */
enum carry_visibility {
  /** Every application. */
  CARRY_VISIBILITY_ALL = 0,
  /** Applications of the same team; carry-policy(5) says which they are. */
  CARRY_VISIBILITY_TEAM = 1,
  /** This process. */
  CARRY_VISIBILITY_OWN_PROCESS = 2
};

/**
 * Says who sees a representation that the item has: a carry_visibility. Applications that do not see it find neither its
 * type nor its data. A type that the item does not have is refused with CARRY_ERROR_STATE.
 */
CARRY_API int32_t carry_item_set_visibility(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE type,
                                            int32_t visibility);

/**
 * Gives the item a few bytes that applications of the same team can read while the drag is over them, before the drop. The
 * bytes are copied; more than 8192 are refused with CARRY_ERROR_LIMIT.
 */
CARRY_API int32_t carry_item_set_team_data(carry_item *CARRY_NULLABLE item, const void *CARRY_NULLABLE data,
                                           size_t size);

/**
 * By what the application's file provider knows the item: a text of at most 1024 bytes, which is copied; more is refused
 * with CARRY_ERROR_LIMIT. If the system's manifest of the application names a file provider, the provider is asked for all
 * representations, and the drag survives the end of the application. The application is not asked then. Without such a
 * manifest this says nothing. See carry_provider_run.
 */
CARRY_API int32_t carry_item_set_reference(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE reference);

/** Promises text, as text/plain;charset=utf-8 and text/plain. The text is copied. */
CARRY_API int32_t carry_item_add_text(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE text);

/**
 * Promises bytes, which are copied. A type that the item has already is refused with CARRY_ERROR_STATE. Here and below, a
 * type that stands for many, such as "image/" and an asterisk, is refused with CARRY_ERROR_INVALID_ARGUMENT. Of a type
 * that says too little, such as text/plain without a charset, a line on stderr says what to promise instead; files may
 * have such types.
 */
CARRY_API int32_t carry_item_add_data(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE type,
                                      const void *CARRY_NULLABLE data, size_t size);

/**
 * Promises an existing regular file or folder. It is opened when a destination asks. The destination gets the descriptor,
 * and can read a file even when it is removed meanwhile. A destination that wants bytes gets a folder as a zip archive. The
 * name is suggested, unless carry_item_set_name was called before.
 *
 * @param type NULL for the type that the name suggests; "inode/directory" for a folder.
 */
CARRY_API int32_t carry_item_add_file(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE type,
                                      const char *CARRY_NULLABLE path);

/**
 * Promises an existing regular file as carry_item_add_file does. A destination may also open the file itself, and change
 * it: carry_drop_session_open. For a file that is only there when a destination asks, carry_item_add_callback and
 * carry_request_answer_original do the same.
 */
CARRY_API int32_t carry_item_add_original(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE type,
                                          const char *CARRY_NULLABLE path);

/**
 * Says how many bytes a representation has, so that a destination can show a bar before the first byte comes. Of a text and
 * of bytes that are there it is known by itself. Before the item is lifted. A stream that ends with fewer has failed; one
 * whose length is known later says it with carry_stream_set_total.
 *
 * @param type one that the item has.
 */
CARRY_API int32_t carry_item_set_byte_count(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE type,
                                            uint64_t byte_count);

/**
 * Answers a destination's request with exactly one of the carry_request_answer functions or carry_request_fail, now or
 * later, on the client's thread. After 30 seconds without an answer or a call of carry_request_progress the load fails.
 *
 * @param request belongs to the library; valid until it is answered.
 * @param type the wanted type, as it was registered. Valid until the function returns.
 */
typedef void (*carry_request_func)(void *CARRY_NULLABLE user_data, carry_request *CARRY_NONNULL request,
                                   const char *CARRY_NONNULL type);

/**
 * Promises a representation that is made when a destination asks for it.
 *
 * @param requested called on the client's thread for each load.
 * @param release called when neither the item nor a session needs `user_data` any more; not when the function
 *   fails. May be NULL.
 */
CARRY_API int32_t carry_item_add_callback(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE type,
                                          CARRY_NULLABLE carry_request_func requested,
                                          void *CARRY_NULLABLE user_data, CARRY_NULLABLE carry_release_func release);

/**
 * Calls `cancelled` when nobody waits for the answer any more: the destination has cancelled, or has gone. The request's
 * handle is no longer valid by then. NULL for no callback: an answer that comes too late is ignored.
 */
CARRY_API int32_t carry_request_set_cancelled(carry_request *CARRY_NULLABLE request,
                                              void (*CARRY_NULLABLE cancelled)(void *CARRY_NULLABLE user_data),
                                              void *CARRY_NULLABLE user_data);

/** What a destination wants to do with the data. Any answer will do for any form: the library converts it. */
typedef enum carry_form {
  /** It wants bytes. */
  CARRY_FORM_DATA = 0,
  /** It wants a file or folder of its own. */
  CARRY_FORM_COPY = 1,
  /** It wants to open the source's own file; a copy will do. */
  CARRY_FORM_ORIGINAL = 2,
} carry_form;

/** What the destination wants to do with the data, as a carry_form; or a negative carry_status. */
CARRY_API int32_t carry_request_form(carry_request *CARRY_NULLABLE request);

/**
 * Says that the program is at work on the answer, and how far it is. Call it every few seconds, and the destination waits
 * for as long as the answer takes.
 *
 * @param completed what is done so far, in units of your own: bytes, files, per cent.
 * @param total all there is to do, in the same units; 0 while that is not known. The destination sees a bar once it is.
 */
CARRY_API int32_t carry_request_progress(carry_request *CARRY_NULLABLE request, uint64_t completed, uint64_t total);

/**
 * Calls `progress` a few times a second while the destination takes what was handed over; also after the answer, when the
 * request's handle is no longer valid. NULL for no callback. Set it before the answer.
 *
 * @param progress called with the bytes so far, and in all: -1 while that is not known.
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
 * Answers with an existing regular file that a destination may also open itself, and change: carry_drop_session_open.
 * Otherwise as carry_request_answer_file.
 */
CARRY_API int32_t carry_request_answer_original(carry_request *CARRY_NULLABLE request,
                                                const char *CARRY_NULLABLE path);

/**
 * Answers with a descriptor that is open for reading: of a regular file, or the reading end of a pipe. The descriptor
 * still belongs to the caller, who may close it afterwards.
 */
CARRY_API int32_t carry_request_answer_descriptor(carry_request *CARRY_NULLABLE request, int32_t descriptor);

/** Refuses the request. The destination sees `message`, a sentence for a person. */
CARRY_API int32_t carry_request_fail(carry_request *CARRY_NULLABLE request, const char *CARRY_NULLABLE message);

/**
 * Writes a representation with carry_stream_write, on a thread of its own in which all signals are blocked.
 *
 * @return 0 when all is written; any other number tells the destination that the load failed. carry_stream_fail says why.
 */
typedef int32_t (*carry_stream_func)(void *CARRY_NULLABLE user_data, carry_stream *CARRY_NONNULL stream);

/**
 * Promises bytes that are made while they are sent, however many: use it for large data.
 *
 * @param writer called for each load, on a new thread, possibly several times at once.
 * @param release called when `user_data` is not needed any more; not when the function fails. May be NULL.
 */
CARRY_API int32_t carry_item_add_stream(carry_item *CARRY_NULLABLE item, const char *CARRY_NULLABLE type,
                                        CARRY_NULLABLE carry_stream_func writer, void *CARRY_NULLABLE user_data,
                                        CARRY_NULLABLE carry_release_func release);

/**
 * Sends bytes, waiting while the destination is behind. On the writer's thread.
 *
 * @return CARRY_OK; CARRY_ERROR_CANCELLED when the destination went away or CARRY_ERROR_TIMED_OUT when it stopped
 *   reading: return from the writer then.
 */
CARRY_API int32_t carry_stream_write(carry_stream *CARRY_NULLABLE stream, const void *CARRY_NULLABLE data,
                                     size_t size);

/**
 * Says how many bytes the writer will write, before the first: the destination sees how far it is. A stream that ends with fewer
 * has failed, whatever the writer returns, and standard error says so, too; with more bytes the number grows. Who knows the
 * number when the drag begins says it with carry_item_set_byte_count, and the destination knows it before it asks. On the
 * writer's thread.
 */
CARRY_API int32_t carry_stream_set_total(carry_stream *CARRY_NULLABLE stream, uint64_t bytes);

/**
 * Says that the writer is at work though it writes nothing yet. Call it every few seconds, and the destination waits for
 * as long as the writer takes. On the writer's thread. Without such a call, and without bytes, a load is given up after
 * 30 seconds.
 */
CARRY_API int32_t carry_stream_keep_alive(carry_stream *CARRY_NULLABLE stream);

/**
 * Says why the load fails, in place of what is still to come: return from the writer then, and the load fails whatever the
 * writer returns. On the writer's thread. The last call counts.
 *
 * @param message a sentence for a person, which the destination sees, without control characters and cut to 255 bytes. Where it
 *   is empty the destination has a sentence of its own.
 */
CARRY_API int32_t carry_stream_fail(carry_stream *CARRY_NULLABLE stream, const char *CARRY_NULLABLE message);

/** Whether the destination has lost interest. On the writer's thread. */
CARRY_API int32_t carry_stream_is_cancelled(carry_stream *CARRY_NULLABLE stream);

/* -------------------------------------------------------------------------------------------- File providers --- */

/**
 * A destination wants a representation of an item that the application's file provider serves. The provider answers as a
 * carry_request_func does. A provider that leaves a request without an answer for 30 seconds, and does not call
 * carry_request_progress either, is ended.
 *
 * @param reference what the application gave to carry_item_set_reference. Check it as you check a file's name. Valid until
 *   the function returns.
 * @param type the wanted type. Valid until the function returns.
 */
typedef void (*carry_provider_func)(void *CARRY_NULLABLE user_data, carry_request *CARRY_NONNULL request,
                                    const char *CARRY_NONNULL reference, const char *CARRY_NONNULL type);

/**
 * Serves as an application's file provider: the program that the application's manifest in the system's directory names
 * with file-provider=. The engine starts the program when a load needs it, and ends it with SIGTERM when it has had
 * nothing to do for 30 seconds. Call this within five seconds of the program's start.
 *
 * @param name as people see it in the engine's log.
 * @param provide called on this thread for each load. It may return before the answer: carry_request_func says what may be
 *   done later, on this thread.
 * @param other another descriptor to watch for reading, such as the end of a pipe that a thread of the program's writes to
 *   when it has an answer; -1 for none.
 * @param readable called as with carry_client_run; NULL for none.
 * @return CARRY_OK once the engine has ended the connection; CARRY_ERROR_CONNECTION when the engine has not started the
 *   program, or has ended the connection for an offence.
 */
CARRY_API int32_t carry_provider_run(const char *CARRY_NULLABLE name, CARRY_NULLABLE carry_provider_func provide,
                                     int32_t other, void (*CARRY_NULLABLE readable)(void *CARRY_NULLABLE user_data),
                                     void *CARRY_NULLABLE user_data);

/* -------------------------------------------------------------------------------------------------- Previews --- */

/** What the callbacks that ask for previews return. */
enum carry_preview_choice {
  /** The engine does what it does by default. */
  CARRY_PREVIEW_USUAL = 0,
  /** At a lift the item is not seen. At a drop or cancel it shrinks and fades where it is. */
  CARRY_PREVIEW_NONE = 1,
  /** The preview that was set. */
  CARRY_PREVIEW_OWN = 2
};

/**
 * A part of a region as its window shows it: live while items rise and land, a snapshot while they are carried. Without
 * a target, the preview is in the part's own place.
 *
 * @param x, y, width, height pixels of the region, at most 2048 each way.
 */
CARRY_API carry_preview *CARRY_NULLABLE carry_preview_create_region(carry_region *CARRY_NULLABLE region, int32_t x,
                                                                    int32_t y, int32_t width, int32_t height);

/**
 * A picture that the program has drawn. Its pixels are copied.
 *
 * @param pixels alpha, red, green, blue from the highest byte on, premultiplied, row by row without gaps: cairo's ARGB32.
 * @param width, height 1 to 512.
 * @param density picture pixels for one of the screen: 1, or 2 for a picture that was drawn twice as large; 0.25 to 8.
 */
CARRY_API carry_preview *CARRY_NULLABLE carry_preview_create_image(const uint32_t *CARRY_NULLABLE pixels,
                                                                   int32_t width, int32_t height, double density);

/** An X pixmap of at most 512 pixels each way, which is copied whenever the preview is used. */
CARRY_API carry_preview *CARRY_NULLABLE carry_preview_create_pixmap(uint32_t pixmap, int32_t width, int32_t height);

/**
 * A card for a link, which the engine draws: its title in the first line, its address in the second.
 *
 * @param url at most 1000 bytes; the rest is cut.
 * @param title at most 240 bytes; empty for none.
 */
CARRY_API carry_preview *CARRY_NULLABLE carry_preview_create_link(const char *CARRY_NULLABLE url,
                                                                  const char *CARRY_NULLABLE title);

/** The picture that is carried already: for landing it elsewhere. It needs a target. */
CARRY_API carry_preview *CARRY_NULLABLE carry_preview_create_carried(void);

/** Destroys a preview that no callback has returned. The library destroys a preview that a callback has returned. */
CARRY_API void carry_preview_destroy(carry_preview *CARRY_NULLABLE preview);

/** What lies behind the picture: alpha, red, green, blue from the highest byte on. 0xFFFFFFFF, white, at first. */
CARRY_API int32_t carry_preview_set_background(carry_preview *CARRY_NULLABLE preview, uint32_t argb);

/**
 * Which part of the picture is seen, in pixels of the picture. The path may be larger than the picture: the background is
 * seen there. Filled by the non-zero winding rule.
 *
 * @param steps for each step a number for its kind, then its coordinates. 0 and x y: go to the point. 1 and x y: draw a
 * line to the point. 2 and x y of two control points and of the end: draw a cubic curve. 3: close. At most 960 numbers.
 * @param count how many numbers there are; 0 for all of the picture.
 */
CARRY_API int32_t carry_preview_set_path(carry_preview *CARRY_NULLABLE preview, const double *CARRY_NULLABLE steps,
                                         size_t count);

/** The shape that throws the shadow, as in carry_preview_set_path. Until it is set, it follows that path. */
CARRY_API int32_t carry_preview_set_shadow_path(carry_preview *CARRY_NULLABLE preview,
                                                const double *CARRY_NULLABLE steps, size_t count);

/**
 * Text, as text lifts: a soft shape round its lines.
 *
 * @param rectangles x, y, width and height of each line, in pixels of the picture.
 * @param lines how many there are. If there are more than 20, neighbours share a rectangle. 0 for all of the picture.
 */
CARRY_API int32_t carry_preview_set_text_lines(carry_preview *CARRY_NULLABLE preview,
                                               const int32_t *CARRY_NULLABLE rectangles, size_t lines);

/**
 * Sets the place of the preview: the middle of the box round what is seen lies on this point of a region.
 *
 * @param x, y pixels of the region.
 * @param scale, degrees for an item that lands: 0.02 to 20, and -3600 to 3600 clockwise. 1 and 0 leave it as it is.
 */
CARRY_API int32_t carry_preview_set_target(carry_preview *CARRY_NULLABLE preview,
                                           carry_region *CARRY_NULLABLE container, double x, double y, double scale,
                                           double degrees);

/**
 * Makes the preview that shows an item while it is carried. After NULL the item is not seen any more, until another
 * provider is set. The library owns the returned preview.
 */
typedef carry_preview *CARRY_NULLABLE (*carry_preview_func)(void *CARRY_NULLABLE user_data);

/**
 * Gives the item another look while it is carried: `make` is called when the item can be seen, and only then. Call this
 * from session_will_begin on, or before; call it again for another picture. NULL leaves the item as it looks, and a
 * hidden item hidden. Keep the item's handle for as long as its look may change: no function returns the handle again.
 * `user_data` is used until the item's last session has ended, or another provider is set.
 */
CARRY_API int32_t carry_item_set_preview_provider(carry_item *CARRY_NULLABLE item,
                                                  carry_preview_func CARRY_NULLABLE make,
                                                  void *CARRY_NULLABLE user_data);

/**
 * Calls `refused` with a sentence when a preview cannot be shown as it was described; a plain card is seen instead. With
 * NULL, or before this function is called, the sentence is written to stderr.
 */
CARRY_API int32_t carry_client_set_preview_refused(carry_client *CARRY_NULLABLE client,
                                                   void (*CARRY_NULLABLE refused)(void *CARRY_NULLABLE user_data,
                                                                                  const char *CARRY_NONNULL message),
                                                   void *CARRY_NULLABLE user_data);

/**
 * Adds a callback for every step of the animation. It is called on the client's thread.
 *
 * @param step its second argument is how far the animation is: 0 at its beginning, 1 at its end.
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
 * A drop destination's answers. Called on the client's thread while it dispatches. Until the drop, a session shows types
 * and names only.
 */
typedef struct carry_drop_callbacks {
  /** sizeof(carry_drop_callbacks) */
  size_t size;
  /** First argument of each callback. */
  void *CARRY_NULLABLE user_data;
  /** The first question. 0: the region is as good as absent for this session. Default: 1. */
  int32_t (*CARRY_NULLABLE can_handle)(void *CARRY_NULLABLE user_data, carry_drop_session *CARRY_NONNULL session);
  /** The drag came over the region. */
  void (*CARRY_NULLABLE did_enter)(void *CARRY_NULLABLE user_data, carry_drop_session *CARRY_NONNULL session);
  /**
   * What would happen if the items were dropped right here, right now: a carry_operation. Called on entering, for every
   * move, and when items are added; keep it cheap. CARRY_OPERATION_FORBIDDEN says no, and
   * carry_drop_session_propose_reason says why. Default: cancel. A number that is no operation counts as cancel.
   */
  int32_t (*CARRY_NULLABLE did_update)(void *CARRY_NULLABLE user_data, carry_drop_session *CARRY_NONNULL session);
  /** The drag left the region; it may come back. */
  void (*CARRY_NULLABLE did_exit)(void *CARRY_NULLABLE user_data, carry_drop_session *CARRY_NONNULL session);
  /** The items were dropped here. Start loads before returning: no other time is allowed. Loads go on afterwards. */
  void (*CARRY_NULLABLE perform_drop)(void *CARRY_NULLABLE user_data, carry_drop_session *CARRY_NONNULL session);
  /** The drop's animations are over; data may still be under way. */
  void (*CARRY_NULLABLE conclude_drop)(void *CARRY_NULLABLE user_data, carry_drop_session *CARRY_NONNULL session);
  /** The last call, for every region that saw the session, wherever it ended. The session's handle ends with this call. */
  void (*CARRY_NULLABLE did_end)(void *CARRY_NULLABLE user_data, carry_drop_session *CARRY_NONNULL session,
                                 int32_t operation);
  /**
   * How does an item land? Asked when perform_drop has returned, for each item; with more than ten nobody is. What is
   * answered later than 250 ms after the call of perform_drop does not count any more. Default: CARRY_PREVIEW_USUAL, down into the region. With CARRY_PREVIEW_NONE it shrinks and fades where it is.
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
 * Makes the region take drops, or changes its callbacks. What a mouse drags out of applications that know nothing of
 * Carry (XDND) comes over the region, too, as a copy. In a window whose toolkit takes such drops itself, drags of the
 * window's own program are left to the toolkit; of such windows 32 take part at a time, 8 of a process, and while another
 * program drags, other fingers' touches on the regions do not reach the window.
 *
 * @param callbacks copied; with NULL the region takes no drops any more.
 */
CARRY_API int32_t carry_region_set_drop(carry_region *CARRY_NULLABLE region,
                                        const carry_drop_callbacks *CARRY_NULLABLE callbacks);

/**
 * Lets the region take drops of several sessions at the same time. Otherwise only one session is seen: while it is over
 * the region, other sessions that come are ignored. They are seen when the first has left or ended and they come again.
 *
 * @param simultaneous 0 or 1. The region must be a drop destination; carry_region_set_drop with NULL resets this.
 */
CARRY_API int32_t carry_region_set_simultaneous(carry_region *CARRY_NULLABLE region, int32_t simultaneous);

/**
 * What the region is called, in a few words: announced to people who drive drags by keys or do not see the screen.
 *
 * @param label at most 240 bytes; empty for none.
 */
CARRY_API int32_t carry_region_set_label(carry_region *CARRY_NULLABLE region, const char *CARRY_NULLABLE label);

/**
 * What the region usually takes. If the user's settings say so, regions that take one of a drag's types are framed as the
 * drag begins. The engine decides nothing else by these types. The region must be a drop destination.
 *
 * @param types media types such as "image/png" or "text/" and an asterisk, separated by newlines; at most 2000 bytes.
 */
CARRY_API int32_t carry_region_set_accepted_types(carry_region *CARRY_NULLABLE region,
                                                  const char *CARRY_NULLABLE types);

/**
 * The width of the zone along each edge of the region in which a drag makes the region scroll: see
 * carry_drop_session_edge_speed. The region must be a drop destination; carry_region_set_drop with NULL resets this.
 *
 * @param pixels at most 10000; 0 for none.
 */
CARRY_API int32_t carry_region_set_edge_zone(carry_region *CARRY_NULLABLE region, int32_t pixels);

/**
 * How fast to scroll while the drag dwells in the edge zone: -1 is full speed to the left or up, 1 to the right or down,
 * 0 not at all. did_update is called when the speed changes; the speed holds until the next callback.
 *
 * @param x, y are set unless the function fails; may be NULL.
 */
CARRY_API int32_t carry_drop_session_edge_speed(carry_drop_session *CARRY_NULLABLE session, double *CARRY_NULLABLE x,
                                                double *CARRY_NULLABLE y);

/**
 * Within did_update: the place that counts is slightly above the finger, where the user sees it. Show there what would
 * happen. From then on carry_drop_session_location returns that place, which is never outside of the region.
 */
CARRY_API int32_t carry_drop_session_propose_precise(carry_drop_session *CARRY_NULLABLE session);

/** Within did_update: the picture keeps its size here. For drags that began in this client, and only a wish. */
CARRY_API int32_t carry_drop_session_propose_full_size(carry_drop_session *CARRY_NULLABLE session);

/**
 * Within a did_update that returns CARRY_OPERATION_FORBIDDEN: why, in a few words that the user reads beside the badge.
 *
 * @param reason at most 240 bytes; the part that does not fit into a line is cut.
 */
CARRY_API int32_t carry_drop_session_propose_reason(carry_drop_session *CARRY_NULLABLE session,
                                                    const char *CARRY_NULLABLE reason);

/** How many items are dragged, or a negative carry_status. More may come while the session lasts. */
CARRY_API int32_t carry_drop_session_item_count(carry_drop_session *CARRY_NULLABLE session);

/** How many types an item has, by its index, or a negative carry_status. */
CARRY_API int32_t carry_drop_session_type_count(carry_drop_session *CARRY_NULLABLE session, int32_t item);

/** A type of an item, the best one at index 0; NULL beyond the last. Valid until did_end has returned. */
CARRY_API const char *CARRY_NULLABLE carry_drop_session_type(carry_drop_session *CARRY_NULLABLE session, int32_t item,
                                                             int32_t index);

/** Whether any item is of this type or a kind of it: "text/plain" takes text/csv too, and a star in place of
 * the subtype takes every subtype. */
CARRY_API int32_t carry_drop_session_conforms(carry_drop_session *CARRY_NULLABLE session,
                                              const char *CARRY_NULLABLE type);

/**
 * The type of an item that conforms to a wanted type, the best if there are several; NULL when there is none. The wanted
 * type itself comes before kinds of it. The returned type can be loaded. Valid until did_end has returned.
 *
 * A file that comes from a file manager has its address beside its content, as text/uri-list, which is a kind of text/plain.
 * Who takes texts and files looks at the item's first type, or leaves text/uri-list out as docs/examples/target.c does.
 */
CARRY_API const char *CARRY_NULLABLE carry_drop_session_best_type(carry_drop_session *CARRY_NULLABLE session,
                                                                  int32_t item, const char *CARRY_NULLABLE type);

/**
 * The file name that the source suggests for an item: always one harmless path component without leading dots; NULL
 * when there is no usable name. Valid until did_end has returned.
 */
CARRY_API const char *CARRY_NULLABLE carry_drop_session_name(carry_drop_session *CARRY_NULLABLE session, int32_t item);

/**
 * How large an item would be shown, in pixels.
 *
 * @return 1, or 0 if the item's source does not say.
 */
CARRY_API int32_t carry_drop_session_presentation_size(carry_drop_session *CARRY_NULLABLE session, int32_t item,
                                                       int32_t *CARRY_NULLABLE width,
                                                       int32_t *CARRY_NULLABLE height);

/**
 * Copies an item's team data, of at most 8192 bytes, to `buffer`: as much of it as `size` bytes hold. `buffer` may be NULL
 * to ask for the length.
 *
 * @return how many bytes the item's team data has; 0 if there are none for this application.
 */
CARRY_API int32_t carry_drop_session_team_data(carry_drop_session *CARRY_NULLABLE session, int32_t item,
                                               void *CARRY_NULLABLE buffer, size_t size);

/**
 * How large the picture of a dropped item is, in pixels: the size at which carry_preview_create_carried sets it down with
 * a scale of 1. For preview_for_dropping, to scale the picture to the place where it lands.
 *
 * @return 1; or 0 for an item that is not seen, and before the drop.
 */
CARRY_API int32_t carry_drop_session_carried_size(carry_drop_session *CARRY_NULLABLE session, int32_t item,
                                                  double *CARRY_NULLABLE width, double *CARRY_NULLABLE height);

/** The local data of an item when the drag began in this client, else NULL. */
CARRY_API void *CARRY_NULLABLE carry_drop_session_item_local_data(carry_drop_session *CARRY_NULLABLE session,
                                                                  int32_t item);

/**
 * Where the drag is.
 *
 * @param region whose pixels are meant: any region of the same window; NULL for the session's own.
 * @param x, y are set unless the function fails; may be NULL.
 */
CARRY_API int32_t carry_drop_session_location(carry_drop_session *CARRY_NULLABLE session,
                                              carry_region *CARRY_NULLABLE region, double *CARRY_NULLABLE x,
                                              double *CARRY_NULLABLE y);

/** Whether a move may be proposed. */
CARRY_API int32_t carry_drop_session_allows_move(carry_drop_session *CARRY_NULLABLE session);

/** Who shows the user how far the loads of a drop are. */
typedef enum carry_progress_indicator {
  /** The engine: when the loads take long, a window appears near the drop, in which the user can cancel them. */
  CARRY_PROGRESS_INDICATOR_DEFAULT = 0,
  /** This program, which lets the user cancel or move on. */
  CARRY_PROGRESS_INDICATOR_NONE = 1
} carry_progress_indicator;

/**
 * Says who shows how far the loads are. In perform_drop or before it; later it changes nothing.
 *
 * @param style a carry_progress_indicator.
 */
CARRY_API int32_t carry_drop_session_set_progress_indicator(carry_drop_session *CARRY_NULLABLE session, int32_t style);

/** Whether the drag began in this client. */
CARRY_API int32_t carry_drop_session_is_local(carry_drop_session *CARRY_NULLABLE session);

/** The same drag on its source's side when it began in this client, else NULL. */
CARRY_API carry_drag_session *CARRY_NULLABLE
carry_drop_session_local_drag_session(carry_drop_session *CARRY_NULLABLE session);

/** Whether no other program sees the drag. */
CARRY_API int32_t carry_drop_session_is_restricted(carry_drop_session *CARRY_NULLABLE session);

/** The session's number as `carry monitor` shows it; 0 for no session. */
CARRY_API uint32_t carry_drop_session_identifier(carry_drop_session *CARRY_NULLABLE session);

/** What the drop turned out to be: a carry_operation, cancel until perform_drop; or a negative carry_status. */
CARRY_API int32_t carry_drop_session_operation(carry_drop_session *CARRY_NULLABLE session);

/** Keeps a pointer of the caller's with the session. */
CARRY_API int32_t carry_drop_session_set_local_data(carry_drop_session *CARRY_NULLABLE session,
                                                    void *CARRY_NULLABLE data);

/** The pointer that carry_drop_session_set_local_data was given last; NULL when there is none. */
CARRY_API void *CARRY_NULLABLE carry_drop_session_local_data(carry_drop_session *CARRY_NULLABLE session);

/**
 * Items were dropped on a region that takes them by carry_region_set_paste, or pasted by carry_region_paste. Start loads
 * before returning: no other time is allowed.
 *
 * @param items the indexes of the items that have one of the types; valid until the function returns.
 */
typedef void (*carry_paste_func)(void *CARRY_NULLABLE user_data, carry_drop_session *CARRY_NONNULL session,
                                 const int32_t *CARRY_NONNULL items, size_t count);

/**
 * Says what the region takes without drop callbacks of its own: a drop of it calls `paste`. Callbacks of
 * carry_region_set_drop win over it.
 *
 * @param types media types such as "image/png" or "text/" and an asterisk, in the order of preference; copied.
 * @param count how many; 0 and the region takes nothing by this.
 */
CARRY_API int32_t carry_region_set_paste(carry_region *CARRY_NULLABLE region,
                                         const char *CARRY_NONNULL const *CARRY_NULLABLE types, size_t count,
                                         CARRY_NULLABLE carry_paste_func paste, void *CARRY_NULLABLE user_data);

/**
 * Puts items on the clipboard of the X display, in the place of what is there: copy. Other programs find the types that
 * every program may see; files and folders are addresses to them. Several items, of which some are more than text, are
 * addresses of files to all of them, also to programs of Carry's, and no text: copy a text by itself. The items' callbacks
 * are called when somebody pastes, and any number of times; also after the next copy, for who has asked before it. What they
 * have made is kept for others who paste, up to 64 MiB, until the next copy. Needs no engine, and opens a connection of its own
 * to the X display that DISPLAY names.
 *
 * When the client is destroyed while the clipboard is its own, the items are left to the clipboard manager, where one runs,
 * for which it waits two seconds at most.
 *
 * @param items still belong to the caller, who may destroy them at once: the clipboard has its own references.
 * @param count how many, at most 64; with 0 a clipboard of this client's becomes empty, and another's stays as it is.
 */
CARRY_API int32_t carry_client_copy(carry_client *CARRY_NULLABLE client,
                                    carry_item *CARRY_NULLABLE const *CARRY_NULLABLE items, size_t count);

/**
 * A paste has ended: carry_region_paste. Not called when the client is destroyed before.
 *
 * @param count how many items the region took; 0 when the clipboard holds nothing that it takes.
 */
typedef void (*carry_pasted_func)(void *CARRY_NULLABLE user_data, int32_t count);

/**
 * Pastes what the clipboard holds into a region: the callback of carry_region_set_paste is called with the items that the
 * region takes, after this has returned. The session that it gets lasts until the next paste into the region. The items can be
 * loaded from for as long as the clipboard holds the same; once something else is copied, loads fail.
 *
 * @param pasted called after that; NULL for none.
 */
CARRY_API int32_t carry_region_paste(carry_region *CARRY_NULLABLE region, carry_pasted_func CARRY_NULLABLE pasted,
                                     void *CARRY_NULLABLE user_data);

/** Whether the items were pasted, and not dropped. */
CARRY_API int32_t carry_drop_session_is_paste(carry_drop_session *CARRY_NULLABLE session);

/* ----------------------------------------------------------------------------------------------------- Loads --- */

/**
 * A load is over. Called exactly once, on the client's thread, for each load that was started.
 *
 * @param status CARRY_OK, or why it failed.
 * @param data the bytes, valid until the function returns; NULL when the load failed, or when the bytes went to a
 *   descriptor or to a carry_part_func.
 * @param size how many bytes there were; 0 when the load failed.
 * @param message why the load failed, as a sentence, valid until the function returns; NULL when the load succeeded.
 */
typedef void (*carry_load_func)(void *CARRY_NULLABLE user_data, int32_t status, const void *CARRY_NULLABLE data,
                                size_t size, const char *CARRY_NULLABLE message);

/**
 * Loads a representation into memory. Only while a drop is performed, as all loads: within perform_drop or a
 * carry_paste_func.
 *
 * @param item index of the item.
 * @param type one of the item's types, exactly.
 * @param limit bytes; more is an error. 0 for 1 GiB. A source may promise anything.
 * @param done called when the load is over, after this function has returned. May be NULL.
 * @return the load, which belongs to the library and is valid until `done` is called. NULL when the load was not started:
 *   then `done` is not called.
 */
CARRY_API carry_load *CARRY_NULLABLE carry_drop_session_load(carry_drop_session *CARRY_NULLABLE session, int32_t item,
                                                             const char *CARRY_NULLABLE type, size_t limit,
                                                             CARRY_NULLABLE carry_load_func done,
                                                             void *CARRY_NULLABLE user_data);

/**
 * Loads a representation into an open file, pipe or socket, from its present offset. Only while a drop is performed.
 *
 * @param descriptor open for writing. The library duplicates it; the caller keeps its own descriptor.
 */
CARRY_API carry_load *CARRY_NULLABLE carry_drop_session_load_into(carry_drop_session *CARRY_NULLABLE session,
                                                                  int32_t item, const char *CARRY_NULLABLE type,
                                                                  int32_t descriptor,
                                                                  CARRY_NULLABLE carry_load_func done,
                                                                  void *CARRY_NULLABLE user_data);

/**
 * Takes a part of a representation, on a thread of the load's. All signals are blocked there. The source waits meanwhile, and
 * its writer is given up after 30 seconds; the load, too.
 *
 * @param bytes valid until the function returns.
 * @return 0 to go on; any other number ends the load.
 */
typedef int32_t (*carry_part_func)(void *CARRY_NULLABLE user_data, const void *CARRY_NONNULL bytes, size_t size);

/**
 * Loads a representation in parts as they come, of whatever size. Only while a drop is performed.
 *
 * @param part called with each part, in order. After carry_load_cancel, and after carry_client_destroy, a call that is under way
 *   may still go on, also when `done` has been called.
 * @param release called when neither `part` nor `done` needs `user_data` any more; not when the function fails. May be NULL.
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
  /** Whether it is the source's own file, where changes show in the source: 0 or 1. */
  int32_t is_original;
  /** Whether the descriptor is open for writing, too: 0 or 1. */
  int32_t is_writable;
  /** How many entries of a folder were left out: devices, pipes, sockets, and links that lead out of it; at most 100. */
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
 * Loads a representation as a file or folder of the program's own, which is there until `done` returns: move it to where
 * it is to stay. Only while a drop is performed.
 */
CARRY_API carry_load *CARRY_NULLABLE carry_drop_session_load_file(carry_drop_session *CARRY_NULLABLE session,
                                                                  int32_t item, const char *CARRY_NULLABLE type,
                                                                  CARRY_NULLABLE carry_file_func done,
                                                                  void *CARRY_NULLABLE user_data);

/** How carry_drop_session_save saves, as bits. */
enum carry_save_option {
  /** A file or folder of the source's keeps its time and its permissions. */
  CARRY_SAVE_KEEPS_ATTRIBUTES = 1
};

/**
 * Saves a representation in a directory, as a file or folder. It appears there when it is complete, under its name or the
 * next free one such as "photo (2).png": nothing is replaced. Only the user may read it, and it is not executable, unless
 * attributes are kept. Only while a drop is performed.
 *
 * @param directory a directory that exists.
 * @param name one path component; NULL for the suggested name, or one by the type.
 * @param options bits of carry_save_option, or 0; others are refused.
 */
CARRY_API carry_load *CARRY_NULLABLE carry_drop_session_save(carry_drop_session *CARRY_NULLABLE session, int32_t item,
                                                             const char *CARRY_NULLABLE type,
                                                             const char *CARRY_NULLABLE directory,
                                                             const char *CARRY_NULLABLE name, uint32_t options,
                                                             CARRY_NULLABLE carry_file_func done,
                                                             void *CARRY_NULLABLE user_data);

/**
 * Opens the source's own file where the source allows that, otherwise a copy of what it provides; is_original of carry_file
 * says which. The files of `carry drag` come as copies, and a folder is an error. Only while a drop is performed. When `done`
 * returns the file is closed, and a copy is removed. So keep the path of the source's own file, and read and write the file with
 * carry_file_read and carry_file_write. Rename a copy inside `done` to where it is to stay, or duplicate the descriptor, since its
 * path names nothing afterwards. A program that wants a copy to appear under the next free name asks for that at once:
 * carry_drop_session_save of the same item. Of two loads of an item, one may be cancelled.
 */
CARRY_API carry_load *CARRY_NULLABLE carry_drop_session_open(carry_drop_session *CARRY_NULLABLE session, int32_t item,
                                                             const char *CARRY_NULLABLE type,
                                                             CARRY_NULLABLE carry_file_func done,
                                                             void *CARRY_NULLABLE user_data);

/**
 * How many bytes a representation has, as the source says. It may be wrong.
 *
 * @return 1; 0 where the source does not say; or a negative carry_status.
 */
CARRY_API int32_t carry_drop_session_byte_count(carry_drop_session *CARRY_NULLABLE session, int32_t item,
                                                const char *CARRY_NULLABLE type,
                                                uint64_t *CARRY_NULLABLE byte_count);

/** Stops a load: its callback is called with CARRY_ERROR_CANCELLED before this returns. NULL is ignored. */
CARRY_API void carry_load_cancel(carry_load *CARRY_NULLABLE load);

/** How many bytes have come so far, updated a few times a second; or a negative carry_status when the load is over. */
CARRY_API int64_t carry_load_completed_bytes(carry_load *CARRY_NULLABLE load);

/**
 * Tells how far a load is. On the client's thread.
 *
 * @param completed bytes so far.
 * @param total bytes in all; -1 while nobody knows, as of most folders. Where more come than the source has said, it grows with
 *   `completed`.
 * @param fraction from 0 to 1: by the bytes where `total` is known, or else by what the source says in units of its own;
 *   negative while nobody knows. 1 is no end: only the load's callback says that all has come.
 */
typedef void (*carry_progress_func)(void *CARRY_NULLABLE user_data, carry_load *CARRY_NONNULL load, int64_t completed,
                                    int64_t total, double fraction);

/**
 * Calls `progress` a few times a second while there is more to tell, until the load is over. NULL for no callback. The last call
 * may come before the last bytes: fill a bar in the load's own callback.
 */
CARRY_API int32_t carry_load_set_progress(carry_load *CARRY_NULLABLE load, CARRY_NULLABLE carry_progress_func progress,
                                          void *CARRY_NULLABLE user_data);

/* ----------------------------------------------------------------------------------- Several programs, one file --- */

/**
 * Begins to read a file while nobody writes it; others may read. Programs that do not use these functions are not held
 * back: the lock is advisory (F_OFD_SETLK of fcntl(2)), and goes with a process that dies. Any thread; the file system is
 * waited for without a limit, so not a client's thread where another program has named the file: see carry_file_read.
 *
 * @param path a regular file. Of the path of an original (carry_file.path) no link is followed: whoever has named it may have put
 *   one in its place since.
 * @param seconds how long to wait for a writer; 0 for not at all. On a client's thread make that time short.
 * @param file receives what carry_file_access_end ends; NULL when the function fails.
 * @return a descriptor that is open for reading, at the file's beginning, until carry_file_access_end;
 *   CARRY_ERROR_BUSY when others were at the file for the whole time; CARRY_ERROR_LOCAL when it cannot be opened.
 */
CARRY_API int32_t carry_file_begin_reading(const char *CARRY_NULLABLE path, double seconds,
                                           carry_file_access *CARRY_NULLABLE *CARRY_NULLABLE file);

/**
 * Begins to write a file while nobody else reads or writes it; otherwise as carry_file_begin_reading. The descriptor is
 * open for reading and writing. A program that replaces the file by a new one does so before carry_file_access_end.
 */
CARRY_API int32_t carry_file_begin_writing(const char *CARRY_NULLABLE path, double seconds,
                                           carry_file_access *CARRY_NULLABLE *CARRY_NULLABLE file);

/** Closes the descriptor, and lets others at the file. Any thread. NULL is ignored. */
CARRY_API void carry_file_access_end(carry_file_access *CARRY_NULLABLE file);

/**
 * Reads or writes a file that is shared, on a thread of its own, by its descriptor: do not close it. Returns 0, or another
 * number that is not negative, for carry_file_done_func.
 */
typedef int32_t (*carry_file_work_func)(void *CARRY_NULLABLE user_data, int32_t descriptor);

/**
 * What has come of carry_file_read and carry_file_write. On the client's thread.
 *
 * @param status what the work has returned; or CARRY_ERROR_BUSY or CARRY_ERROR_LOCAL when the work was not called and will not
 *   be: others were at the file for the whole time, the file cannot be opened, or its file system has not answered. When the
 *   client is destroyed meanwhile it is CARRY_ERROR_LOCAL, too, and work that runs goes on. carry_last_error says why.
 */
typedef void (*carry_file_done_func)(void *CARRY_NULLABLE user_data, int32_t status);

/**
 * Reads a file as carry_file_begin_reading does, for a client's thread: the file system, others at the file and `work` are
 * waited for on another thread, and the window goes on meanwhile. However long `work` takes, it is waited for. Eight run at a time
 * for the files of one file system; the others stand in line.
 *
 * @param path a regular file; see carry_file_begin_reading.
 * @param seconds how long to wait for a writer; the file system has half a minute more, and so has each step in the line.
 * @param work called on another thread. The descriptor is open for reading, at the file's beginning.
 * @param done called once, and never before this function returns.
 */
CARRY_API int32_t carry_file_read(carry_client *CARRY_NULLABLE client, const char *CARRY_NULLABLE path, double seconds,
                                  CARRY_NULLABLE carry_file_work_func work, CARRY_NULLABLE carry_file_done_func done,
                                  void *CARRY_NULLABLE user_data);

/**
 * Writes a file as carry_file_begin_writing does, for a client's thread; otherwise as carry_file_read. What is under way when
 * the program ends is written in part: end the program when `done` has been called.
 */
CARRY_API int32_t carry_file_write(carry_client *CARRY_NULLABLE client, const char *CARRY_NULLABLE path, double seconds,
                                   CARRY_NULLABLE carry_file_work_func work, CARRY_NULLABLE carry_file_done_func done,
                                   void *CARRY_NULLABLE user_data);

/** What has happened to a file: the values of `int32_t change`. */
enum carry_file_change {
  /** It has been written to, and may be written to further. */
  CARRY_FILE_WRITTEN = 0,
  /**
   * Another file has its name now, as with editors that save by renaming, also where there was none; or may have, where too
   * much happened at once.
   */
  CARRY_FILE_REPLACED = 1,
  /**
   * No file has its name any more. One may come, and is told as CARRY_FILE_REPLACED; unless the folder itself was removed,
   * or its file system unmounted: then this is the last that is told.
   */
  CARRY_FILE_REMOVED = 2
};

/** A file has changed. Called once for many changes of one kind that come together. On the client's thread. */
typedef void (*carry_file_change_func)(void *CARRY_NULLABLE user_data, int32_t change);

/**
 * Tells when others change a file, which need not be there yet. The path is looked up on this thread, and again when another
 * file has its name: where another program has named the file, its file system may make this thread wait. The name is watched:
 * where it is a link, writing to the link's target is told, and no other change of the target. No engine is needed.
 *
 * @param path of a file in a folder that is there; see carry_file_begin_reading.
 * @param changed called by carry_client_dispatch.
 * @return the watch, to be destroyed with carry_file_watch_destroy, or with its client; NULL when the folder cannot be
 *   watched.
 */
CARRY_API carry_file_watch *CARRY_NULLABLE carry_file_watch_create(carry_client *CARRY_NULLABLE client,
                                                                   const char *CARRY_NULLABLE path,
                                                                   CARRY_NULLABLE carry_file_change_func changed,
                                                                   void *CARRY_NULLABLE user_data);

/** Ends the watch. NULL is ignored. */
CARRY_API void carry_file_watch_destroy(carry_file_watch *CARRY_NULLABLE watch);

/* -------------------------------------------------------------------------------------------- Spring loading --- */

/** A spring-loaded region's callbacks: hovering with a drag does what a tap would do, and the drag goes on. */
typedef struct carry_spring_callbacks {
  /** sizeof(carry_spring_callbacks) */
  size_t size;
  /** First argument of each callback. */
  void *CARRY_NULLABLE user_data;
  /** The state changed: a carry_spring_state. Draw it. x, y: where the drag is, in pixels of the region. */
  void (*CARRY_NULLABLE state_changed)(void *CARRY_NULLABLE user_data, int32_t state, double x, double y);
  /** A drag has hovered long enough: do what a tap would do. */
  void (*CARRY_NULLABLE activated)(void *CARRY_NULLABLE user_data, double x, double y);
  /** May hovering begin, or go on? Asked before each change to this carry_spring_state. Default: 1. */
  int32_t (*CARRY_NULLABLE should_allow)(void *CARRY_NULLABLE user_data, int32_t state, double x, double y);
  /** The hovering is over: it activated, or was given up. */
  void (*CARRY_NULLABLE did_finish)(void *CARRY_NULLABLE user_data);
} carry_spring_callbacks;

/** A carry_spring_callbacks without callbacks. */
#define CARRY_SPRING_CALLBACKS_INIT \
  { sizeof(carry_spring_callbacks), NULL, NULL, NULL, NULL, NULL }

/**
 * Makes the region spring-loaded, or changes its callbacks.
 *
 * @param callbacks copied; with NULL the region is not spring-loaded any more.
 */
CARRY_API int32_t carry_region_set_spring(carry_region *CARRY_NULLABLE region,
                                          const carry_spring_callbacks *CARRY_NULLABLE callbacks);

/* --------------------------------------------------------------------------------------------------- Monitor --- */

/** One step of one session of the engine. Given out by the library; valid until the callback returns. */
typedef struct carry_monitor_step {
  /** How many bytes the library has filled in: newer libraries may have more members than this header. */
  size_t size;
  /** Seconds on the monotonic clock. */
  double time;
  /** "lifted", "began", "entered", "dropped", "ended" and so on: as `carry monitor --json` names it. Sessions that are
   * under way when the engine goes end with "ended", too. */
  const char *CARRY_NONNULL kind;
  /** Screen pixels. */
  double x;
  /** Screen pixels. */
  double y;
  /** The session's number. */
  uint32_t session;
  /** How many items it has. */
  int32_t items;
  /** The types of all items, each once. */
  const char *CARRY_NONNULL const *CARRY_NONNULL types;
  /** How many `types` there are. */
  size_t type_count;
  /** The source application's name for itself. */
  const char *CARRY_NONNULL source;
  /** The name of the application whose region is concerned; NULL if no region is. */
  const char *CARRY_NULLABLE target;
  /** The input device's name. */
  const char *CARRY_NONNULL device;
  /** What is proposed or was done: a carry_operation; CARRY_OPERATION_NONE where no operation applies. */
  int32_t operation;
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
 * Called with a sentence for a person who may not see the screen, such as "Picked up 2 items". Sentences come from
 * sessions that are driven by keys. On the client's thread.
 *
 * @param time seconds on the monotonic clock.
 * @param text valid until the callback returns.
 */
typedef void (*carry_announcement_func)(void *CARRY_NULLABLE user_data, double time, const char *CARRY_NONNULL text);

/** From now on calls `announced` with each announcement as well; NULL for no callback. */
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
