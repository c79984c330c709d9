package import Carry

/// One step of a mouse or of one finger. Several fingers are several pointers at the same time.
package struct PointerEvent: Equatable, Sendable {
  package enum Source: Hashable, Sendable {
    case mouse
    /// The number that the X server gives the touch.
    case touch(UInt32)
  }

  package enum Phase: Equatable, Sendable {
    case began, moved, ended
    /// Carry has taken the touch, or the touch got lost: what the pointer began must not happen.
    case cancelled
    /// A mouse moved without a pressed button.
    case hovered
    case left
    /// A wheel turned; the distance is in lines.
    case scrolled(lines: Double)
  }

  package var source: Source
  package var phase: Phase
  /// The place in the window, in units of the kit.
  package var place: Point
  package var modifiers: Modifiers
  /// 1 for the first press, 2 for the second in the same place right after it.
  package var clicks = 1

  package var isTouch: Bool { if case .touch = source { true } else { false } }
}

package struct Modifiers: OptionSet, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
  package static let shift = Modifiers(rawValue: 1)
  package static let control = Modifiers(rawValue: 2)
  package static let alt = Modifiers(rawValue: 4)
}

/// A key that went down, or repeats.
package struct KeyEvent: Equatable, Sendable {
  package enum Key: Equatable, Sendable {
    /// The text to insert; with control, the letter itself in lower case.
    case text(String)
    case left, right, up, down, home, end, pageUp, pageDown, tab, enter, escape, delete, backspace
  }

  package var key: Key
  package var modifiers: Modifiers

  /// Whether the key is this letter with control and these further modifiers.
  package func isShortcut(_ letter: String, _ more: Modifiers = []) -> Bool {
    key == .text(letter) && modifiers == more.union(.control)
  }
}

/// What a window shows and does.
package protocol WindowContent: AnyObject {
  /// Draws everything. The size is in units of the kit.
  func draw(on canvas: Canvas, size: (width: Double, height: Double))
  func pointer(_ event: PointerEvent)
  func key(_ event: KeyEvent)
  func resized()
  func focusChanged()
  /// The window's close button was pressed.
  func closed()
}

extension WindowContent {
  package func pointer(_ event: PointerEvent) {}
  package func key(_ event: KeyEvent) {}
  package func resized() {}
  package func focusChanged() {}
}
