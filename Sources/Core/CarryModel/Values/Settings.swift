/// All settings of the user experience, in the sections of the configuration file. The file has a key for each.
package struct Settings: Equatable, Codable, Sendable {
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

  /// How touches lift.
  package struct Lift: Equatable, Codable, Sendable {
    /// Whether drag interactions are enabled by default; small screens may prefer not.
    package var isEnabled = true
    /// How long a touch is still before it begins to lift.
    package var begins = Interval.milliseconds(150)
    /// How long a touch is still until it has lifted.
    package var completes = Interval.milliseconds(500)
    /// Movement that fails a press, in pixels at 96 dpi.
    package var pressSlop = 10.0
    /// Movement after the lift that starts the drag, in pixels at 96 dpi.
    package var dragSlop = 10.0
    /// Applications without Carry support that a long press lifts out of: either part of `WM_CLASS`, compared without
    /// case. At most `Limits.liftApplications`. The default file managers have been tested.
    package var applications = ["Thunar", "Pcmanfm", "pcmanfm-qt", "org.gnome.Nautilus", "dolphin", "Nemo", "Caja"]
  }

  /// How touches add to a drag.
  package struct Tap: Equatable, Codable, Sendable {
    /// The longest touch that counts as a tap.
    package var longest = Interval.milliseconds(250)
    /// The largest movement of a tap, in pixels at 96 dpi.
    package var slop = 10.0
  }

  /// How hovering drags open things.
  package struct Spring: Equatable, Codable, Sendable {
    /// How long a drag hovers over a spring-loaded region before it flashes.
    package var delay = Interval.milliseconds(500)
    /// One flash of a spring-loaded region.
    package var flash = Interval.milliseconds(100)
    package var flashes = 3
    /// Movement within which a hovering drag counts as still, in pixels at 96 dpi.
    package var slop = 10.0
    /// Whether holding a drag over a window's entry in a task bar, or over its visible part, raises the window.
    package var raisesWindows = true
    /// How long the drag has to be held there.
    package var windowDelay = Interval.milliseconds(1000)
  }

  /// How targets receive drags and drops.
  package struct Drop: Equatable, Codable, Sendable {
    /// How long a target that moved under a still finger has to settle before it accepts drops. A target that the
    /// finger moved to accepts drops at once.
    package var targetSettles = Interval.milliseconds(80)
    /// Whether the regions that would accept a drag are highlighted when it begins.
    package var highlightsTargets = false
    /// How long a drag stays in a target's edge zone before the target is told to scroll.
    package var edgeDwell = Interval.milliseconds(200)
    /// How far above the touch a precise proposal puts the drop point, in pixels at 96 dpi.
    package var precisionOffset = 25.0
    /// On a screen whose shorter side is less than this, in pixels at 96 dpi, drags stay in their application,
    /// because such a screen shows one application at a time. 0 disables this. A phone's shorter side has about 400
    /// pixels.
    package var staysInApplicationBelow = 480.0
  }

  /// How automatic movements look.
  package struct Animation: Equatable, Codable, Sendable {
    /// The duration of the flight home; grows with the distance.
    package var cancel = Interval.milliseconds(250)
    /// The duration of going down where the items were dropped; grows with the distance.
    package var drop = Interval.milliseconds(260)
    /// Up to this number of items, each has its own previews and its own animations (K3).
    package var fewItems = Limits.fewItems
    /// Whether cuts replace all automatic movements.
    package var isReduced = false
  }

  /// How contacts of touch panels are tracked.
  package struct Contacts: Equatable, Codable, Sendable {
    /// How long a carrying contact that vanishes may take to come back. Real panels drop a held contact now and then.
    package var flickerWait = Interval.milliseconds(60)
    /// How far away it may come back, in millimetres.
    package var flickerMillimetres = 5.0
  }

  /// Drags by keyboard.
  package struct Keyboard: Equatable, Codable, Sendable {
    /// The key that picks up an item, wherever the focus is. Nil for none, which is the default, because every
    /// possible key is used by some desktop.
    package var pickUp: KeyChord?
  }

  /// Applications that do not speak Carry's protocol.
  package struct Bridge: Equatable, Codable, Sendable {
    /// Whether XDND applications take part.
    package var isEnabled = true
  }

  /// The shelf, on which a drag can leave items for later.
  package struct Shelf: Equatable, Codable, Sendable {
    /// The edge of the monitor at which the shelf appears; nil for no shelf.
    package var edge: ShelfPlace.Edge? = .right
  }

  /// Drags by mouse and pen.
  package struct Pointer: Equatable, Codable, Sendable {
    /// Whether a mouse and a pen lift in drag regions.
    package var isEnabled = true
    /// Movement that starts the drag, in pixels at 96 dpi: with a mouse, at any time while its button is down; with a
    /// pen, after the lift.
    package var dragSlop = 4.0
  }

  /// Drags by trackpads.
  package struct Trackpad: Equatable, Codable, Sendable {
    /// Whether trackpads are read. Off by default, since this may conflict with the desktop's own gestures.
    package var isEnabled = false
    /// Movement after the lift that starts the drag, in pixels at 96 dpi: a pointer rests more steadily than a
    /// finger.
    package var dragSlop = 4.0
    /// How long a finger that left the trackpad while carrying may take to come back before the items drop.
    package var regrip = Interval.milliseconds(500)
    /// In tap and hold, the press has to follow the tap within this time.
    package var tapAgain = Interval.milliseconds(250)
    /// How many pixels a recording's pointer moves per millimetre on the pad.
    package var pixelsPerMillimetre = 10.0
  }
}
