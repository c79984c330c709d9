import CarrySystem

/// A program with connections to the engine, and its share of what there is for all.
final class WireProcess {
  let peer: PeerProcess
  /// Whose the descriptors are that it sends.
  let number = AsideCloser.newOwner()
  var clientCount = 0
  /// Those that have not said hello.
  var silentCount = 0
  var regionCount = 0
  var monitorCount = 0

  init(_ peer: PeerProcess) { self.peer = peer }
}
