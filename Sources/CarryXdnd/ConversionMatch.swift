/// Assigns a conversion request to a drop, since one selection owner serves all drops of all fingers.
///
/// Only the target's own program is served: a window of the X connection that owns the target, or of another
/// connection of the same process (LibreOffice uses one). Timestamps distinguish the drops on one program; GTK 4
/// sends none.
package struct ConversionMatch: Sendable {
  /// A drop whose target may convert the selection.
  package struct Drop: Sendable {
    package var key: UInt32
    /// The target's window.
    package var window: UInt32
    /// The process that created the window; nil if the X server does not know it.
    package var process: Int32?
    /// The timestamp sent to the target with the drop, unique to each drop.
    package var time: UInt32

    package init(key: UInt32, window: UInt32, process: Int32?, time: UInt32) {
      (self.key, self.window, self.process, self.time) = (key, window, process, time)
    }
  }

  /// The bits of a window ID that the owning connection chooses: `resource-id-mask` of the X protocol.
  package var idMask: UInt32

  package init(idMask: UInt32) { self.idMask = idMask }

  /// The connection of a window, as its ID base.
  package func connection(of window: UInt32) -> UInt32 { window & ~idMask }

  /// The drop to which a request belongs; nil for a request of another program.
  ///
  /// - Parameters:
  ///   - requestor: The window of the request.
  ///   - time: The timestamp of the request; 0 for none.
  ///   - process: Returns the process that created the window. Called only if the connection does not match and the
  ///     process could, because any program can send any number of requests.
  package func drop(
    for requestor: UInt32, time: UInt32, among drops: [Drop], process: () -> Int32?
  ) -> Drop? {
    var fitting = drops.filter { connection(of: $0.window) == connection(of: requestor) }
    if fitting.isEmpty, drops.contains(where: { $0.process != nil }), let process = process() {
      fitting = drops.filter { $0.process == process }
    }
    return fitting.first { $0.time == time } ?? fitting.last
  }
}
