/// What would happen to the items if they were dropped here and now. The raw values are the reference system's.
package enum DropOperation: UInt32, Codable, Sendable, CaseIterable {
  case cancel = 0
  case forbidden = 1
  case copy = 2
  case move = 3

  /// Whether a drop with this operation reaches the destination at all.
  package var transfersData: Bool { self == .copy || self == .move }

  /// The word used in the monitor's JSON.
  package var name: String {
    switch self {
    case .cancel: "cancel"
    case .forbidden: "forbidden"
    case .copy: "copy"
    case .move: "move"
    }
  }
}
