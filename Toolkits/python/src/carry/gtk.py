"""Carry for widgets of GTK 4: `import carry.gtk as Carry`, in place of the lines that gi needs for CarryGtk4."""
from typing import Any

try:
    import gi  # type: ignore

    gi.require_version("Gtk", "4.0")
    gi.require_version("CarryGtk4", "0")
    from gi.repository import CarryGtk4  # type: ignore
except (ImportError, ValueError) as error:
    raise ImportError(
        f"libcarry-gtk4 is missing: install it (on Debian, gir1.2-carrygtk4-0 and python3-gi): {error}") from None


def __getattr__(name: str) -> Any:
    return getattr(CarryGtk4, name)
