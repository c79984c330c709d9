import CarrySystem

/// A program with connections to the engine, and its share of what there is for all.
final class WireProcess {
  let peer: PeerProcess
  /// What it belonged to when it first connected.
  let kin: ProcessKin
  /// Whose the descriptors are that it sends.
  let number = AsideCloser.newOwner()
  var clientCount = 0
  /// Those that have not said hello.
  var silentCount = 0
  var regionCount = 0
  var monitorCount = 0

  init(_ peer: PeerProcess) {
    self.peer = peer
    let kin = ProcessKin(of: peer.pid)
    // Otherwise that was somebody else.
    self.kin = peer.isRunning ? kin : ProcessKin(kin.circles.map { _ in nil })
  }
}
