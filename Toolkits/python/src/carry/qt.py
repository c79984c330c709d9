"""Regions of Qt's widgets: `carry.qt.widget(label).on_drag(...)`. With PySide6 or PyQt6, whichever is imported."""
from __future__ import annotations

import sys
from typing import Any

import carry

if "PyQt6" in sys.modules:
    from PyQt6 import QtCore, QtWidgets  # type: ignore
else:
    from PySide6 import QtCore, QtWidgets  # type: ignore


def attach() -> None:
    """Serves Carry from Qt's loop, unless an asyncio loop serves it. `widget` does it."""
    client = carry.client()
    if client._schedule:
        return
    notifier = QtCore.QSocketNotifier(client.fileno(), QtCore.QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda *_: client.dispatch())
    # A loop within a callback, such as a dialog's, would spin on the descriptor.
    client.serve(lambda: QtCore.QTimer.singleShot(0, client.flush), notifier.setEnabled)
    QtCore.QTimer.singleShot(0, client.dispatch)
    attach.notifier = notifier  # type: ignore[attr-defined]


class _Follower(QtCore.QObject):  # type: ignore[misc]
    def __init__(self, widget: Any, region: carry.Region) -> None:
        super().__init__(widget)
        self.widget, self.region = widget, region
        widget.destroyed.connect(region.destroy)

    def eventFilter(self, _: Any, event: Any) -> bool:
        if event.type() in (QtCore.QEvent.Type.Resize, QtCore.QEvent.Type.Show):
            self.region.move(*_rectangle(self.widget))
        elif event.type() == QtCore.QEvent.Type.Hide:
            self.region.move(0, 0, 0, 0)
        return False


def _rectangle(widget: Any) -> "tuple[int, int, int, int]":
    ratio = widget.devicePixelRatioF()
    return 0, 0, round(widget.width() * ratio), round(widget.height() * ratio)


def widget(widget: "QtWidgets.QWidget", label: str = "") -> carry.Region:
    """A region that covers a widget, and follows it. The widget gets an X window of its own."""
    attach()
    region = carry.Region(int(widget.winId()), *_rectangle(widget), label=label or widget.accessibleName())
    widget.installEventFilter(_Follower(widget, region))
    return region
