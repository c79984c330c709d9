import CarrySystem

/// A program with connections to the engine, and its share of what there is for all.
final class WireProcess {
  let peer: PeerProcess
  var clientCount = 0
  /// Those that have not said hello.
  var silentCount = 0
  var regionCount = 0
  var monitorCount = 0

  init(_ peer: PeerProcess) { self.peer = peer }
}
