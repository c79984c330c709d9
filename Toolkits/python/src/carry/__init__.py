"""Carry: multi-touch drag and drop between programs.

A *region* is a rectangle of an X window. As a source, it lifts what a function returns after a long press. As a target,
it accepts drops:

    region.on_drag(lambda: ["Hello World"])

    @region.on_drop("text/plain")
    async def dropped(drop):
        print(await drop.texts())

`carry.tk` and `carry.qt` make regions of widgets. The client belongs to one thread, and to the asyncio loop that runs
when it is first used; `carry.tk` and `carry.qt` serve it from their own loops instead. Functions that Carry calls must
return at once; coroutine functions run as tasks.
"""
from __future__ import annotations

import asyncio
import ctypes
import enum
import inspect
import itertools
import os
import pathlib
import sys
import types
from typing import Any, Awaitable, Callable, Coroutine, Generator, Iterable, Mapping, Optional, Sequence, Union

from . import _abi

__all__ = [
    "Client", "Drag", "Drop", "DroppedItem", "Error", "Item", "Load", "Operation", "Region", "client",
    "run_provider",
]


class Error(Exception):
    """Something that Carry refuses or cannot do, as a sentence."""


class Operation(enum.IntEnum):
    """What a drop does with the items."""

    CANCEL = _abi.CARRY_OPERATION_CANCEL
    FORBIDDEN = _abi.CARRY_OPERATION_FORBIDDEN
    COPY = _abi.CARRY_OPERATION_COPY
    MOVE = _abi.CARRY_OPERATION_MOVE


def _load_library() -> ctypes.CDLL:
    name = os.environ.get("CARRY_LIBRARY", "libcarry.so.0")
    try:
        library = ctypes.CDLL(name)
    except OSError as error:
        raise ImportError(f"{name} is missing: install Carry (on Debian, the package libcarry0): {error}") from None
    _abi.declare(library)
    return library


_lib = _load_library()

Content = Union[bytes, str]
Source = Union[Content, Callable[[], Union[Content, Awaitable[Content]]]]
Path = Union[str, "os.PathLike[str]"]
Items = Iterable[Union["Item", str, "os.PathLike[str]"]]


def _last_error() -> Error:
    return Error(_lib.carry_last_error().decode())


def _check(status: int) -> int:
    if status < 0:
        raise _last_error()
    return status


def _bytes(content: Content) -> bytes:
    return content.encode() if isinstance(content, str) else bytes(content)


def _report(where: str) -> None:
    """Reports an exception in a function that Carry called: it cannot propagate through C."""
    error = sys.exc_info()[1]
    try:
        asyncio.get_running_loop().call_exception_handler({"message": where, "exception": error})
    except RuntimeError:
        if error:
            sys.excepthook(type(error), error, error.__traceback__)


def _guarded(where: str, default: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except Exception:
            _report(where)
            return default

    return call


@types.coroutine
def _continue(coroutine: Coroutine[Any, Any, Any], pending: Any) -> Generator[Any, Any, Any]:
    """Goes on with a coroutine that waits for `pending` already."""
    failure: Optional[BaseException]
    while True:
        try:
            sent = yield pending
        except BaseException as error:
            failure, sent = error, None
        else:
            failure = None
        try:
            pending = coroutine.throw(failure) if failure else coroutine.send(sent)
        except StopIteration as end:
            return end.value


def _start(coroutine: Coroutine[Any, Any, Any], done: Callable[[Any, Optional[BaseException]], None]) -> None:
    """Runs a coroutine to its first await at once, and the rest as a task: a callback learns whether it awaits."""
    try:
        pending = coroutine.send(None)
    except StopIteration as end:
        return done(end.value, None)
    except Exception as error:
        return done(None, error)

    async def rest() -> Any:
        return await _continue(coroutine, pending)

    def ended(task: "asyncio.Task[Any]") -> None:
        _tasks.discard(task)
        error = asyncio.CancelledError() if task.cancelled() else task.exception()
        done(None if error else task.result(), error)

    task = asyncio.get_running_loop().create_task(rest())
    _tasks.add(task)
    task.add_done_callback(ended)


_tasks: "set[asyncio.Task[Any]]" = set()


def _raise_later(error: Optional[BaseException]) -> None:
    if error is None or isinstance(error, asyncio.CancelledError):
        return
    try:
        raise error
    except BaseException:
        _report("a drop's handler failed")


class Client:
    """The connection to the engine. It waits for an engine, and outlives it. Used on one thread."""

    def __init__(self, name: Optional[str] = None) -> None:
        self._handle = _lib.carry_client_create_awaiting(name.encode() if name else _program_name(), None)
        if not self._handle:
            raise _last_error()
        self._schedule: Optional[Callable[[], None]] = None
        self._is_scheduled = False
        self._watches: Callable[[bool], None] = lambda is_watching: None
        # C calls into them, whether the program still has them or not.
        self._regions: "set[Region]" = set()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        loop.add_reader(self.fileno(), self.dispatch)
        self.serve(lambda: loop.call_soon(self.flush), lambda is_watching: None)
        loop.call_soon(self.dispatch)

    def serve(self, schedule: Callable[[], Any], watches: Callable[[bool], Any]) -> None:
        """Serves the client from an event loop, which calls `dispatch` when `fileno` is readable.

        schedule: makes the loop call `flush` in its next turn.
        watches: starts and stops watching the descriptor: a loop within a callback must not.
        """
        self._schedule, self._watches = schedule, watches

    def fileno(self) -> int:
        return int(_lib.carry_client_fd(self._handle))

    @property
    def is_connected(self) -> bool:
        """Whether there is an engine."""
        return bool(_lib.carry_client_is_connected(self._handle) == 1)

    def dispatch(self) -> None:
        """Handles what has arrived, without waiting."""
        if _lib.carry_client_is_dispatching(self._handle) == 1:
            return
        self._watches(False)
        try:
            _check(_lib.carry_client_dispatch(self._handle))
        finally:
            self._watches(True)

    def flush(self) -> None:
        """Sends all requests."""
        self._is_scheduled = False
        if self._handle:
            _lib.carry_client_flush(self._handle)

    def _changed(self) -> None:
        if self._schedule and not self._is_scheduled:
            self._is_scheduled = True
            self._schedule()

    def close(self) -> None:
        """Disconnects. Regions end."""
        if not self._handle:
            return
        try:
            asyncio.get_running_loop().remove_reader(self.fileno())
        except RuntimeError:
            pass
        self._watches(False)
        _lib.carry_client_destroy(self._handle)
        self._handle = None
        self._regions.clear()


def _program_name() -> bytes:
    return (pathlib.Path(sys.argv[0]).stem if sys.argv and sys.argv[0] else "Python").encode()


_client: Optional[Client] = None


def client() -> Client:
    """The program's client; made when it is first needed."""
    global _client
    if _client is None or not _client._handle:
        _client = Client()
    return _client


class Item:
    """One thing to be dragged, in one or more types.

        Item("Hello World")
        Item(file="letter.txt")
        Item(name="photo.png", data={"image/png": make_png, "text/plain;charset=utf-8": "A photo"})

    data: by media type, the best first: bytes, a text, or a function or coroutine function that makes one of them when a
    target requests it.
    """

    def __init__(
        self, text: Optional[str] = None, *, data: Optional[Mapping[str, Source]] = None,
        file: Optional[Path] = None, name: Optional[str] = None,
    ) -> None:
        self.text, self.data, self.file, self.name = text, dict(data or {}), file, name

    def _make(self) -> int:
        handle = _lib.carry_item_create()
        if self.name:
            _check(_lib.carry_item_set_name(handle, self.name.encode()))
        for kind, content in self.data.items():
            if callable(content):
                key = next(_keys)
                _sources[key] = content
                _check(_lib.carry_item_add_callback(handle, kind.encode(), _requested, key, _released))
            else:
                bytes_ = _bytes(content)
                _check(_lib.carry_item_add_data(handle, kind.encode(), bytes_, len(bytes_)))
        if self.file is not None:
            path = os.path.abspath(self.file)
            folder = b"inode/directory" if os.path.isdir(path) else None
            _check(_lib.carry_item_add_file(handle, folder, os.fsencode(path)))
        if self.text is not None:
            _check(_lib.carry_item_add_text(handle, self.text.encode()))
        return int(handle)


_keys = itertools.count(1)
_sources: "dict[int, Callable[[], Any]]" = {}


def _answer(request: int, content: Any, error: Optional[BaseException]) -> None:
    if error is not None:
        _lib.carry_request_fail(request, (str(error) or type(error).__name__).encode())
    else:
        content = _bytes(content)
        _lib.carry_request_answer_data(request, content, len(content))


def _request(key: int, request: int, kind: bytes) -> None:
    try:
        content = _sources[key]()
        if inspect.iscoroutine(content):
            _start(content, lambda result, error: _answer(request, result, error))
        else:
            _answer(request, content, None)
    except Exception as error:
        _answer(request, None, error)


def _release(key: int) -> None:
    _sources.pop(key, None)


_requested, _released = _abi.carry_request_func(_request), _abi.carry_release_func(_release)


def run_provider(name: str, provide: Callable[[str, str], Content]) -> None:
    """Serves as a file provider, which the engine starts and ends.

    name: in the engine's log.
    provide: called with an item's reference and the requested type; returns the content. The message of an exception
        says why there is none.
    """

    def answer(_: Any, request: int, reference: bytes, kind: bytes) -> None:
        try:
            content = provide(reference.decode(errors="replace"), kind.decode())
        except Exception as error:
            _answer(request, None, error)
        else:
            _answer(request, content, None)

    run = _lib.carry_provider_run
    _check(run(name.encode(), _abi.carry_provider_func(answer), -1, run.argtypes[3](), None))


class Drag:
    """A drag out of a region."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = list(items)
        #: What became of it; CANCEL until it is over.
        self.operation = Operation.CANCEL
        #: The items that have arrived completely at a program that moves them: remove these.
        self.moved: "list[Item]" = []


class Load:
    """Data that is arriving. Await it, or pass a function to `then`."""

    def __init__(self, decode: Callable[[Any], Any] = lambda data: data) -> None:
        self._decode = decode
        self._outcome: Optional["tuple[Any, Optional[Error]]"] = None
        self._listeners: "list[Callable[[Any, Optional[Error]], None]]" = []
        self._handle: Optional[int] = None
        self._keep: Any = None

    def then(self, function: Callable[[Any, Optional[Error]], None]) -> "Load":
        """Calls `function(result, error)` when the load is over; at once if it is."""
        if self._outcome:
            function(*self._outcome)
        else:
            self._listeners.append(function)
        return self

    def cancel(self) -> None:
        if self._handle and not self._outcome:
            _lib.carry_load_cancel(self._handle)

    def __await__(self) -> Generator[Any, Any, Any]:
        if not self._outcome:
            future = asyncio.get_running_loop().create_future()

            def wake(_: Any, __: Optional[Error]) -> None:
                if not future.done():
                    future.set_result(None)

            self.then(wake)
            try:
                yield from future
            except asyncio.CancelledError:
                self.cancel()
                raise
        result, error = self._outcome or (None, None)
        if error:
            raise error
        return result

    def _begin(self, handle: Optional[int]) -> "Load":
        self._handle = handle
        if handle:
            _loads.add(self)
        else:
            self._end(None, _last_error())
        return self

    def _end(self, data: Any, error: Optional[Error]) -> None:
        if error is None:
            try:
                data = self._decode(data)
            except Exception as problem:
                data, error = None, Error(str(problem))
        self._outcome = (data, error)
        _loads.discard(self)
        for listener in self._listeners:
            _guarded("a load's function failed", None, listener)(data, error)


#: Running loads: C calls into them, whether the program still has them or not.
_loads: "set[Load]" = set()


class DroppedItem:
    """An item over a target. Its data can be loaded until the drop handler has returned."""

    def __init__(self, session: int, index: int) -> None:
        self._session, self._index = session, index
        count = max(0, _lib.carry_drop_session_type_count(session, index))
        #: Its media types, the best first.
        self.types = [_lib.carry_drop_session_type(session, index, i).decode() for i in range(count)]
        name = _lib.carry_drop_session_name(session, index)
        #: The file name that the source suggests.
        self.name: Optional[str] = name.decode() if name else None

    def best(self, *types: str) -> Optional[str]:
        """The best of its types that conforms to one of `types`, such as "text/plain" or "image/*"."""
        for wanted in types:
            found = _lib.carry_drop_session_best_type(self._session, self._index, wanted.encode())
            if found:
                return str(found.decode())
        return None

    def read(self, *types: str, limit: int = 1 << 30) -> Load:
        """Loads the best representation of one of `types`; of all types without them. The result is bytes."""
        kind = self.best(*types) if types else self.types[0]
        load = Load()
        if kind is None:
            load._end(None, Error(f"the item has none of the types {', '.join(types)}"))
            return load

        def done(_: Any, status: int, data: Optional[int], size: int, message: Optional[bytes]) -> None:
            if status < 0:
                load._end(None, Error((message or b"the load has failed").decode()))
            else:
                load._end(ctypes.string_at(data, size) if data else b"", None)

        load._keep = _abi.carry_load_func(done)
        return load._begin(
            _lib.carry_drop_session_load(self._session, self._index, kind.encode(), limit, load._keep, None))

    def text(self) -> Load:
        """Loads it as a text."""
        load = self.read("text/plain;charset=utf-8", "text/plain")
        load._decode = lambda data: data.decode(errors="replace")
        return load

    def save(self, folder: Path, name: Optional[str] = None) -> Load:
        """Saves it in a folder, under its name or the next free one. The result is the path."""
        load = Load(pathlib.Path)

        def done(_: Any, status: int, file: Any, message: Optional[bytes]) -> None:
            if status < 0:
                load._end(None, Error((message or b"the load has failed").decode()))
            else:
                load._end(os.fsdecode(ctypes.cast(file, ctypes.POINTER(_abi.carry_file)).contents.path), None)

        load._keep = _abi.carry_file_func(done)
        return load._begin(_lib.carry_drop_session_save(
            self._session, self._index, self.types[0].encode(), os.fsencode(folder), name.encode() if name else None, 0,
            load._keep, None))


class Drop:
    """A drag over a region."""

    def __init__(self, session: int) -> None:
        self._session = session
        self.items = [DroppedItem(session, i) for i in range(max(0, _lib.carry_drop_session_item_count(session)))]
        self.allows_move = _lib.carry_drop_session_allows_move(session) == 1
        x, y = ctypes.c_double(), ctypes.c_double()
        _lib.carry_drop_session_location(session, None, x, y)
        #: Where it is, in pixels of the region.
        self.x, self.y = x.value, y.value

    async def texts(self) -> "list[str]":
        """The texts of all items that have one."""
        loads = [item.text() for item in self.items if item.best("text/plain")]
        return [await load for load in loads]


def _items(result: Any) -> "list[Item]":
    if isinstance(result, (str, Item, os.PathLike)):
        result = [result]
    made = []
    for one in result or []:
        if isinstance(one, os.PathLike):
            one = Item(file=one)
        made.append(one if isinstance(one, Item) else Item(str(one)))
    return made


class Region:
    """A rectangle of an X window of this program, in pixels of the window."""

    def __init__(
        self, window: int, x: int, y: int, width: int, height: int, client: Optional[Client] = None, label: str = ""
    ) -> None:
        """label: what it is called, in a few words: for people who drag with keys, and for `carry test`."""
        self.client = client or globals()["client"]()
        self._handle = _lib.carry_region_create(self.client._handle, window, x, y, width, height)
        if not self._handle:
            raise _last_error()
        self.client._regions.add(self)
        _check(_lib.carry_region_set_label(self._handle, label.encode()))
        self._keep: "dict[str, Any]" = {}
        self._drags: "dict[int, Drag]" = {}
        self.client._changed()

    def move(self, x: int, y: int, width: int, height: int) -> None:
        """Moves or resizes the region."""
        if self._handle:
            _check(_lib.carry_region_set_rectangle(self._handle, x, y, max(0, width), max(0, height)))
            self.client._changed()

    def ask_again(self) -> None:
        """Has a drag that rests over the region looked at again: the content beneath it has changed."""
        _check(_lib.carry_region_ask_again(self._handle))
        self.client._changed()

    def destroy(self) -> None:
        """Ends the region."""
        if self._handle and self.client._handle:
            _lib.carry_region_destroy(self._handle)
            self.client._changed()
        self._handle = None
        # With a drag that has begun in it, callbacks follow.
        if not self._drags:
            self.client._regions.discard(self)

    def _set(self, name: str, struct: Any, function: Any, callbacks: Mapping[str, Callable[..., Any]]) -> None:
        value = struct(size=ctypes.sizeof(struct))
        members = dict(struct._fields_)
        for member, callback in callbacks.items():
            # A member without a result has None as its default.
            default = None if members[member]._restype_ is None else 0
            setattr(value, member, members[member](_guarded(f"{name} failed", default, callback)))
        self._keep[name] = value
        _check(function(self._handle, ctypes.byref(value)))
        self.client._changed()

    def on_drag(
        self, items: Callable[..., Items], *, ended: Optional[Callable[[Drag], None]] = None,
        may_begin: Optional[Callable[[float, float], bool]] = None, moves: bool = False,
    ) -> None:
        """Makes the region a source.

        items: returns what a press lifts: texts, paths and `Item`s, the last one topmost; nothing for an ordinary press.
            It is called without arguments, or with the point in pixels of the region.
        ended: called with the drag when it is over and its data has arrived, or when it was cancelled.
        may_begin: returns whether a press at a point may lift; the program's own touch or click waits for it.
        moves: whether other programs may move the items: remove `drag.moved` in `ended`.
        """
        wants_point = len(inspect.signature(items).parameters) >= 2

        def begin(_: Any, session: int, x: float, y: float) -> None:
            found = _items(items(x, y) if wants_point else items())
            if not found:
                return
            for item in found:
                handle = item._make()
                _lib.carry_drag_session_add_item(session, handle)
                _lib.carry_item_destroy(handle)
            self._drags[session] = Drag(found)

        def end(session: int) -> None:
            drag = self._drags.pop(session, None)
            if drag and ended:
                ended(drag)

        def did_end(_: Any, session: int, operation: int) -> None:
            drag = self._drags.get(session)
            if drag:
                drag.operation = Operation(operation)
            if operation not in (Operation.COPY, Operation.MOVE):
                end(session)

        def did_transfer(_: Any, session: int) -> None:
            drag = self._drags.get(session)
            if drag:
                drag.moved = [
                    item for i, item in enumerate(drag.items) if _lib.carry_drag_session_item_moved(session, i) == 1]
            end(session)

        def lift_ended(_: Any, session: int, completed: int) -> None:
            if not completed:
                end(session)

        callbacks: "dict[str, Callable[..., Any]]" = {
            "items_for_beginning": begin, "did_end": did_end, "did_transfer": did_transfer, "lift_ended": lift_ended,
            "allows_move": lambda _, session: 1, "allows_move_to_others": lambda _, session: int(moves),
        }
        if may_begin:
            callbacks["may_begin"] = lambda _, x, y: int(bool(may_begin(x, y)))
        self._set("on_drag", _abi.carry_drag_callbacks, _lib.carry_region_set_drag, callbacks)

    def on_drop(
        self, *types: str, hover: Optional[Callable[[Optional[Drop]], Any]] = None,
        operation: Optional[Callable[[Drop], Operation]] = None,
    ) -> Callable[[Callable[[Drop], Any]], Callable[[Drop], Any]]:
        """Makes the region a target; a decorator for the function or coroutine function that handles a drop.

        A coroutine function may await before it loads, such as an answer of the user. It may return `Operation.COPY` to
        turn a move into a copy.

        types: what it accepts, such as "text/plain" or "image/*"; without types, everything.
        hover: called with the drag when it comes, for each move, and with None when it leaves: show where it would go.
        operation: returns what a drop would do here; a copy by default.
        """

        def decorate(handler: Callable[[Drop], Any]) -> Callable[[Drop], Any]:
            def did_update(_: Any, session: int) -> int:
                accepted = not types or any(_lib.carry_drop_session_conforms(session, t.encode()) == 1 for t in types)
                if not accepted:
                    return Operation.CANCEL
                if not hover and not operation:
                    return Operation.COPY
                drop = Drop(session)
                if hover:
                    hover(drop)
                return int(operation(drop)) if operation else Operation.COPY

            def leave(*_: Any) -> None:
                if hover:
                    hover(None)

            def perform(_: Any, session: int) -> None:
                leave()
                drop = Drop(session)
                result = handler(drop)
                if not inspect.iscoroutine(result):
                    return
                _lib.carry_drop_session_keep_open(session)

                def finished(operation: Any, error: Optional[BaseException]) -> None:
                    # Without an engine the session has ended meanwhile.
                    _lib.carry_drop_session_finish(session, int(operation or 0))
                    self.client._changed()
                    _raise_later(error)

                _start(result, finished)

            self._set("on_drop", _abi.carry_drop_callbacks, _lib.carry_region_set_drop, {
                "did_update": did_update, "did_exit": leave, "perform_drop": perform,
            })
            return handler

        return decorate

    def on_spring(self, activated: Callable[[], Any]) -> None:
        """Makes the region spring-loaded: a drag that hovers does what a tap does."""
        self._set("on_spring", _abi.carry_spring_callbacks, _lib.carry_region_set_spring, {
            "activated": lambda _, x, y: activated(),
        })
