import CarryModel
import CWaylandServer
import CWayland

/// Team data on its way to one region.
///
/// A session may have more of it than may be queued for a client. So only as much is sent as the kernel accepts at
/// once; the rest follows as the client reads.
struct TeamDataQueue {
  private var waiting: [(item: UInt32, bytes: [UInt8])] = []
  /// How many bytes of the first entry have been sent.
  private var sent = 0

  var isEmpty: Bool { waiting.isEmpty }

  mutating func add(_ bytes: [UInt8], ofItem item: UInt32) { waiting.append((item, bytes)) }

  /// Sends pieces as long as nothing is queued for the client.
  mutating func send(to resource: OpaquePointer, of client: WireClient) {
    while let first = waiting.first, !client.isBehind {
      let end = min(first.bytes.count, sent + Limits.teamDataPiece)
      var piece = Array(first.bytes[sent..<end])
      let size = piece.count
      piece.withUnsafeMutableBytes { bytes in
        var array = wl_array(size: size, alloc: size, data: bytes.baseAddress)
        carry_drop_session_send_team_data(resource, first.item, UInt32(first.bytes.count), &array)
      }
      wl_client_flush(client.raw)
      sent = end
      if end == first.bytes.count {
        waiting.removeFirst()
        sent = 0
      }
    }
  }
}
