package import CarryModel

/// The content of the window for slow transfers.
package struct PanelContent: Equatable, Sendable {
  /// The bar of a row.
  package enum Bar: Equatable, Sendable {
    case none
    /// From 0 to 1.
    case filled(Double)
    /// The total is unknown.
    case unknown
  }

  package enum Button: Equatable, Sendable {
    case cancel
    case undo

    package var title: String {
      switch self {
      case .cancel: "Cancel"
      case .undo: "Undo"
      }
    }
  }

  /// A drop whose data is being transferred, or a move that can be undone. Its texts are safe to show.
  package struct Row: Equatable, Sendable {
    package var session: SessionID
    package var title: String
    /// Where the items go, shown less prominently behind the title. Empty for none.
    package var target = ""
    /// The progress or the result, shown below. Empty for none.
    package var detail = ""
    package var bar = Bar.none
    package var button: Button?
    /// Whether the button is being pressed.
    package var isPressed = false
    package var isFailed = false

    package init(session: SessionID, title: String) { (self.session, self.title) = (session, title) }
  }

  package var rows: [Row]
  /// The number of further rows for which there is no room.
  package var hidden: Int
  /// The place of the drop, in screen pixels.
  package var anchor: Point

  package init(rows: [Row], hidden: Int = 0, anchor: Point) {
    (self.rows, self.hidden, self.anchor) = (rows, hidden, anchor)
  }
}
