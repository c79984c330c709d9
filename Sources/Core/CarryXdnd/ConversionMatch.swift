/// A drop whose target may convert the selection.
package protocol ServedDrop {
  /// The window that receives the target's messages.
  var receiver: UInt32 { get }
  /// The process that created the target's window; nil if the X server does not know it.
  var process: Int32? { get }
  /// The timestamp sent to the target with the drop, unique to each drop.
  var time: UInt32 { get }
}

/// Assigns a conversion request to a drop, since one selection owner serves all drops of all fingers.
///
/// Only the target's own program is served: a window of the X connection that owns the target, or of another
/// connection of the same process (LibreOffice uses one). Timestamps distinguish the drops on one program; GTK 4
/// sends none.
package enum ConversionMatch {
  /// The drop to which a request belongs; nil for a request of another program.
  ///
  /// - Parameters:
  ///   - requestor: The window of the request.
  ///   - time: The timestamp of the request; 0 for none.
  ///   - connection: Returns the ID base of a window's connection.
  ///   - process: Returns the process that created the requestor. Called only if the connection does not match and
  ///     the process could, because any program can send any number of requests.
  package static func drop<Drop: ServedDrop>(
    for requestor: UInt32, time: UInt32, among drops: [Drop], connection: (UInt32) -> UInt32, process: () -> Int32?
  ) -> Drop? {
    var fitting = drops.filter { connection($0.receiver) == connection(requestor) }
    if fitting.isEmpty, drops.contains(where: { $0.process != nil }), let process = process() {
      fitting = drops.filter { $0.process == process }
    }
    return fitting.first { $0.time == time } ?? fitting.last
  }
}
