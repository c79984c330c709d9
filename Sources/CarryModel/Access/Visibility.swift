/// I15: who may see a representation. The numbers are the protocol's.
package enum Visibility: UInt32, Equatable, Sendable, CaseIterable {
  case all = 0
  /// Programs of the same team only.
  case team = 1
  /// The process that offers the item only.
  case ownProcess = 2
}
