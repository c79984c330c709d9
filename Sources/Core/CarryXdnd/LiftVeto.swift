package import CarryModel

/// The kind of an accessibility element: those numbers of AT-SPI's `AtspiRole` that matter here.
package enum AccessibleRole: UInt32, Sendable {
  case checkBox = 7
  case checkMenuItem = 8
  case columnHeader = 10
  case comboBox = 11
  case dial = 15
  case filler = 20
  case frame = 23
  case icon = 26
  case image = 27
  case label = 29
  case listItem = 32
  case menu = 33
  case menuBar = 34
  case menuItem = 35
  case pageTab = 37
  case pageTabList = 38
  case panel = 39
  case passwordText = 40
  case pushButton = 43
  case radioButton = 44
  case radioMenuItem = 45
  case scrollBar = 48
  case scrollPane = 49
  case separator = 50
  case slider = 51
  case spinButton = 52
  case splitPane = 53
  case tableCell = 56
  case tableColumnHeader = 57
  case terminal = 60
  case text = 61
  case toggleButton = 62
  case toolBar = 63
  case treeTable = 66
  /// Any role not listed here.
  case unknown = 67
  case paragraph = 73
  case editBar = 77
  case entry = 79
  case heading = 83
  case section = 85
  case link = 88
  case documentText = 94
  case documentWeb = 95
  case titleBar = 104
  case `static` = 116
  case pushButtonMenu = 129

  package init(number: UInt32) { self = Self(rawValue: number) ?? .unknown }

  /// The role as text, such as "push button".
  package var name: String {
    "\(self)".reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
  }
}

/// Decides where a lift is not tried because the press alone would do harm. Pure.
///
/// The accessibility tree cannot tell whether something lifts; only a press can. The tree only forbids: without
/// information a lift is tried.
package enum LiftVeto {
  package enum Judgement: Equatable, Sendable {
    case lift
    /// - Parameter why: A clause for the log.
    case leave(_ why: String)
    /// Only the selection can be lifted here, and a press beside it would change it.
    case liftSelection(otherwise: String)
  }

  /// Determines whether a press may be tried.
  ///
  /// - Parameter roles: The roles of the element at the point and of its ancestors, up to the window; empty if
  ///   unknown.
  package static func judgement(of roles: [AccessibleRole]) -> Judgement {
    guard let first = roles.first else { return .lift }
    if handles.contains(first) { return .leave(says(first)) }
    for role in roles {
      if controls.contains(role) { return .leave(says(role)) }
      guard parts.contains(role) else { break }
    }
    if let document = roles.firstIndex(of: .documentWeb) {
      if pictures.contains(first) || roles[..<document].contains(.link) { return .lift }
      return .liftSelection(otherwise: "in a page, it is no link, picture or selection")
    }
    // In Qt the deepest element in a text is the scroll area.
    guard let text = roles.first(where: { $0 != .filler && $0 != .static }), texts.contains(text) else { return .lift }
    return .liftSelection(otherwise: "\(says(text)), which is not selected there")
  }

  private static func says(_ role: AccessibleRole) -> String { "the accessibility tree says \(role.name)" }

  /// Controls that a press activates or grabs.
  private static let controls: Set<AccessibleRole> = [
    .checkBox, .checkMenuItem, .columnHeader, .comboBox, .dial, .menu, .menuItem, .pageTab, .pushButton,
    .pushButtonMenu, .radioButton, .radioMenuItem, .scrollBar, .slider, .spinButton, .tableColumnHeader, .titleBar,
    .toggleButton,
  ]
  /// The same, but only where nothing is inside them: the exposed area of a split pane is its handle, and a tool bar
  /// moves the window.
  private static let handles: Set<AccessibleRole> = [.menuBar, .separator, .splitPane, .toolBar]
  /// Parts of controls. Other descendants of a control are not part of it: in GTK 3 a page is inside its tab.
  private static let parts: Set<AccessibleRole> = [.filler, .icon, .image, .label, .panel, .section, .static]
  private static let pictures: Set<AccessibleRole> = [.icon, .image]
  private static let texts: Set<AccessibleRole> = [
    .documentText, .editBar, .entry, .paragraph, .passwordText, .terminal, .text,
  ]
}

/// The accessibility window that corresponds to an X window.
package struct AccessibleWindow: Equatable, Sendable {
  /// The index among the program's windows.
  package let index: Int
  /// The number of screen pixels per program pixel, in each direction.
  package let scale: Double

  /// The maximum difference between the two, in pixels: the tree includes the window manager's frame or excludes
  /// shadows.
  private static let slack = 100.0
  private static let scales = 1.0...4.0

  /// Finds the nearest window; nil if there is none.
  ///
  /// - Parameters:
  ///   - frames: In the program's pixels, as reported.
  ///   - window: In pixels of the screen.
  package init?(among frames: [Rect], nearest window: Rect) {
    var best: (window: AccessibleWindow, distance: Double)?
    for (i, frame) in frames.enumerated() where frame.width > 0 && frame.height > 0 {
      let scale = (window.width / frame.width).rounded()
      guard Self.scales.contains(scale) else { continue }
      let distance =
        [
          frame.x * scale - window.x, frame.y * scale - window.y, frame.width * scale - window.width,
          frame.height * scale - window.height,
        ].map(abs).max() ?? 0
      if distance <= Self.slack, distance < best?.distance ?? .infinity {
        best = (AccessibleWindow(index: i, scale: scale), distance)
      }
    }
    guard let best else { return nil }
    self = best.window
  }

  private init(index: Int, scale: Double) { (self.index, self.scale) = (index, scale) }
}
