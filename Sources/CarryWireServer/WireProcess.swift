import CarrySystem

/// A process with connections to the engine, and its share of the common resources.
final class WireProcess {
  let peer: PeerProcess
  /// What the process belonged to when it first connected.
  let kin: ProcessKin
  /// The owner number of the descriptors that the process sends.
  let number = AsideCloser.newOwner()
  var clientCount = 0
  /// How many of its connections have not said hello.
  var silentCount = 0
  var regionCount = 0
  var monitorCount = 0

  init(_ peer: PeerProcess) {
    self.peer = peer
    let kin = ProcessKin(of: peer.pid)
    // If the process has ended, another process with its number may have been read.
    self.kin = peer.isRunning ? kin : ProcessKin(kin.circles.map { _ in nil })
  }
}
