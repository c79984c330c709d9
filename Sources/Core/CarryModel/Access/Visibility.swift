/// Who may see a representation (I15). The raw values are the protocol's.
package enum Visibility: UInt32, Equatable, Codable, Sendable, CaseIterable {
  case all = 0
  /// Programs of the same team only.
  case team = 1
  /// The process that offers the item only.
  case ownProcess = 2
  /// Programs outside sandboxes only. Used for file contents when it is not certain who chose the file name.
  case outsideSandboxes = 3
}
