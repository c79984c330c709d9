/// The combined progress of all loads of a drop.
package struct TransferStatus: Equatable, Sendable {
  package var itemCount: Int
  /// The name of the first item as given by its source, unchecked; empty for none.
  package var itemName: String
  package var source: ClientID
  package var destination: ClientID
  /// The bytes that have arrived; nil while the destination has not reported.
  package var bytes: UInt64?
  /// The bytes of the whole drop; nil while the size of any load is unknown.
  package var totalBytes: UInt64?
  /// From 0 to 1; nil while the total is unknown.
  package var fraction: Double?
  /// Whether the destination shows the progress itself.
  package var isQuiet = false

  package init(itemCount: Int, itemName: String = "", source: ClientID, destination: ClientID) {
    (self.itemCount, self.itemName, self.source, self.destination) = (itemCount, itemName, source, destination)
  }
}
