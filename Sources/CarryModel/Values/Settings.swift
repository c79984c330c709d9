/// All settings of the user's experience, in the sections of the configuration file. The file has a key for each.
package struct Settings: Equatable, Sendable {
  package var lift = Lift()
  package var tap = Tap()
  package var spring = Spring()
  package var drop = Drop()
  package var animation = Animation()
  package var contacts = Contacts()
  package var keyboard = Keyboard()
  package var trackpad = Trackpad()
  package var pointer = Pointer()
  package var bridge = Bridge()
  package var shelf = Shelf()

  package init() {}

  /// Touches that lift.
  package struct Lift: Equatable, Sendable {
    /// PH1: whether drag interactions are enabled by default, which does not suit small screens.
    package var isEnabled = true
    /// A still touch begins to lift after this.
    package var begins = Interval.milliseconds(150)
    /// A still touch has lifted after this.
    package var completes = Interval.milliseconds(500)
    /// Movement that fails a press, in pixels at 96 dpi.
    package var pressSlop = 10.0
    /// Movement after the lift that starts the drag, in pixels at 96 dpi.
    package var dragSlop = 10.0
    /// Z23: the applications that know nothing of Carry and that a long press lifts out of all the same: either part of
    /// `WM_CLASS`, in any case. At most `Limits.liftApplications`. These file managers were tried.
    package var applications = ["Thunar", "Pcmanfm", "pcmanfm-qt", "org.gnome.Nautilus"]
  }

  /// Touches that add to a drag.
  package struct Tap: Equatable, Sendable {
    /// A touch this short is a tap…
    package var longest = Interval.milliseconds(250)
    /// …if it moved no further than this, in pixels at 96 dpi.
    package var slop = 10.0
  }

  /// What opens under a hovering drag.
  package struct Spring: Equatable, Sendable {
    /// How long a drag hovers over a spring-loaded region before it flashes.
    package var delay = Interval.milliseconds(500)
    /// One flash of a spring-loaded region.
    package var flash = Interval.milliseconds(100)
    package var flashes = 3
    /// Movement within which a hovering drag counts as still, in pixels at 96 dpi.
    package var slop = 10.0
    /// Z10: whether a window comes to the front when a drag is held over its entry in a task bar, or over its visible part.
    package var raisesWindows = true
    /// How long the drag has to be held there.
    package var windowDelay = Interval.milliseconds(1000)
  }

  /// Targets, and letting go.
  package struct Drop: Equatable, Sendable {
    /// A target that came under a still finger takes drops only after this time. A target that the finger moved to takes
    /// drops at once.
    package var targetSettles = Interval.milliseconds(80)
    /// Z13: whether the regions that would take a drag are highlighted as it begins.
    package var highlightsTargets = false
    /// How long a drag stays in a target's edge zone before the target is told to scroll.
    package var edgeDwell = Interval.milliseconds(200)
    /// How far above the touch a precise proposal puts the drop point, in pixels at 96 dpi.
    package var precisionOffset = 25.0
    /// G17: on a screen whose shorter side is less than this, in pixels at 96 dpi, drags stay in their application: such a
    /// screen shows one application at a time. 0 for none. A phone's shorter side has some 400.
    package var staysInApplicationBelow = 480.0
  }

  /// What moves by itself.
  package struct Animation: Equatable, Sendable {
    /// Flying home; grows with the distance.
    package var cancel = Interval.milliseconds(250)
    /// DA1: going down where they were dropped; grows with the distance.
    package var drop = Interval.milliseconds(260)
    /// K3: up to this number of items, each has its own previews and its own animations.
    package var fewItems = Limits.fewItems
    /// Z18: whether cuts replace all movements that nobody makes by hand.
    package var isReduced = false
  }

  /// What panels do.
  package struct Contacts: Equatable, Sendable {
    /// A carrying contact that vanishes may come back within this time…
    package var flickerWait = Interval.milliseconds(60)
    /// …and this distance in millimetres: real panels drop a held contact now and then.
    package var flickerMillimetres = 5.0
  }

  /// Z14: drags by keys.
  package struct Keyboard: Equatable, Sendable {
    /// The key that picks up an item, wherever the focus is. Nil for none, which is the default, because every possible key
    /// is used by some desktop.
    package var pickUp: KeyChord?
  }

  /// Applications that do not speak Carry's protocol.
  package struct Bridge: Equatable, Sendable {
    /// Whether those that speak XDND take part.
    package var isEnabled = true
  }

  /// Z15: the shelf, on which a drag can leave items for later.
  package struct Shelf: Equatable, Sendable {
    /// The edge of the monitor at which the shelf appears; nil for no shelf.
    package var edge: ShelfPlace.Edge? = .right
  }

  /// Z31: drags by mice and pens.
  package struct Pointer: Equatable, Sendable {
    /// Whether a mouse and a pen lift in drag regions.
    package var isEnabled = true
    /// Movement that starts the drag, in pixels at 96 dpi: of a mouse with its button down at any time, of a pen after the
    /// lift.
    package var dragSlop = 4.0
  }

  /// Drags by trackpads.
  package struct Trackpad: Equatable, Sendable {
    /// Whether trackpads are read. Off by default, since this may conflict with the desktop's own gestures.
    package var isEnabled = false
    /// Movement after the lift that starts the drag, in pixels at 96 dpi: a pointer rests more quietly than a finger.
    package var dragSlop = 4.0
    /// A finger that left the trackpad while carrying may come back within this time; after it the items drop.
    package var regrip = Interval.milliseconds(500)
    /// In tap and hold, the press has to follow the tap within this time.
    package var tapAgain = Interval.milliseconds(250)
    /// How many pixels a recording's pointer moves for a millimetre on the pad.
    package var pixelsPerMillimetre = 10.0
  }
}
