/// What reading a selection asks of the X server and of the selection's owner. `SelectionConnection` implements it;
/// tests use a double that needs no server.
package protocol SelectionDisplay: AnyObject {
  func atom(_ name: String) -> UInt32
  /// The ID base of the connection that created a window.
  func connection(of window: UInt32) -> UInt32
  /// Whether a window exists.
  func isThere(_ window: UInt32) -> Bool
  /// Creates a window that is never shown, and receives the events about its properties.
  func makeRequestor() -> UInt32
  func destroyWindow(_ window: UInt32)
  /// The owner of a selection, 0 for none, and the serial number of the query.
  func ownerAndSequence(of selection: UInt32) -> (owner: UInt32, sequence: UInt32)
  /// Asks the owner of a selection to write its data into a property of a window.
  ///
  /// - Returns: The serial number of the request.
  func convert(_ selection: UInt32, to target: UInt32, into property: UInt32, of window: UInt32, time: UInt32) -> UInt32
  /// Reads a property and deletes it, which requests the next part; nil if it cannot be read.
  ///
  /// - Parameter most: How many bytes may be read. A longer value is not deleted, unless it is of the type INCR.
  func removeProperty(_ property: UInt32, of window: UInt32, most: Int) -> PropertyValue?
}

/// The value of a property.
package struct PropertyValue {
  /// 0 for a missing property.
  package var type: UInt32
  /// The number of bits of each value.
  package var format: UInt8
  package var bytes: [UInt8]
  /// Whether the value is longer than `bytes`.
  package var isCut: Bool

  package init(type: UInt32, format: UInt8, bytes: [UInt8], isCut: Bool = false) {
    (self.type, self.format, self.bytes, self.isCut) = (type, format, bytes, isCut)
  }
}
