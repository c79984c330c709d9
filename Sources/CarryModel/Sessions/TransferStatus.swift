/// How far the data of a drop is, all its loads together.
package struct TransferStatus: Equatable, Sendable {
  package var itemCount: Int
  /// The name of the first item as its source gave it, unchecked; empty for none.
  package var itemName: String
  package var source: ClientID
  package var destination: ClientID
  /// The bytes that have arrived; nil while the destination has not said.
  package var bytes: UInt64?
  /// The bytes of the whole drop; nil while anybody's are unknown.
  package var totalBytes: UInt64?
  /// From 0 to 1; nil while nobody knows the whole.
  package var fraction: Double?
  /// R7: whether the destination shows the progress itself.
  package var isQuiet = false

  package init(itemCount: Int, itemName: String = "", source: ClientID, destination: ClientID) {
    (self.itemCount, self.itemName, self.source, self.destination) = (itemCount, itemName, source, destination)
  }
}
