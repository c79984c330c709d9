/// I15: who may see a representation. The numbers are the protocol's.
package enum Visibility: UInt32, Equatable, Sendable, CaseIterable {
  case all = 0
  /// Programs of the same team only.
  case team = 1
  /// The process that offers the item only.
  case ownProcess = 2
  /// Programs that are in no sandbox: what a file's name leads to, where it is not certain who named the file.
  case outsideSandboxes = 3
}
