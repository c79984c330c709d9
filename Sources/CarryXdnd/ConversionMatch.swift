/// Finds out which drop a request for data belongs to, since one owner serves all drops of all fingers.
///
/// Only the target's own program is served: a window of the X connection that owns the target, or of another connection
/// of the same process (LibreOffice asks from one). Times tell the drops of one program apart; GTK 4 gives none.
package struct ConversionMatch: Sendable {
  /// A drop whose target may convert.
  package struct Drop: Sendable {
    package var key: UInt32
    /// The target's window.
    package var window: UInt32
    /// The process that made the window; nil where the X server cannot tell.
    package var process: Int32?
    /// The time that the target got with the drop; another one for each drop.
    package var time: UInt32

    package init(key: UInt32, window: UInt32, process: Int32?, time: UInt32) {
      (self.key, self.window, self.process, self.time) = (key, window, process, time)
    }
  }

  /// The bits of a window's number that its connection chooses: `resource-id-mask` of the X protocol.
  package var idMask: UInt32

  package init(idMask: UInt32) { self.idMask = idMask }

  /// The connection of a window, as the part of its number that the X server chose.
  package func connection(of window: UInt32) -> UInt32 { window & ~idMask }

  /// The drop that a request belongs to; nil for a stranger's request.
  ///
  /// - Parameters:
  ///   - requestor: the window of the request.
  ///   - time: of the request; 0 for none.
  ///   - process: asked only where the connection tells nothing, and there is a process that it could be: the process that
  ///     made the window. Any program can make any number of requests.
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
