package import CarryModel
package import CarrySystem

/// A process with connections to the engine, and its share of the common resources.
final class WireProcess {
  let peer: PeerProcess
  /// The facts about its program when it first connected.
  private let facts: ProgramFacts
  private let programs: ProgramReading
  /// The owner number of the descriptors that the process sends.
  let number = AsideCloser.newOwner()
  var clientCount = 0
  /// How many of its connections have not said hello.
  var silentCount = 0
  var regionCount = 0
  var monitorCount = 0
  /// The bytes of the descriptions of its items and previews.
  var heldBytes = 0
  /// The manifest of the process's program, once looked up.
  private var manifest: ProgramManifest?

  init(_ peer: PeerProcess, _ programs: ProgramReading) {
    (self.peer, self.programs) = (peer, programs)
    let facts = programs.facts(of: peer.pid) ?? .stranger
    // If the process has ended, another process with its ID may have been read.
    self.facts = peer.isRunning ? facts : .stranger
  }

  /// The process's program, according to the manifests.
  func identity(_ find: WireServer.FindProgram) -> ProgramIdentity {
    let found = find(facts, .peer(number), manifest)
    manifest = found.manifest
    return found.identity
  }

  /// The program's file provider, according to the system's manifest.
  var fileProvider: (program: String, path: String)? {
    guard let manifest, manifest.isSystems, let path = manifest.fileProvider else { return nil }
    return (manifest.program, path)
  }

  /// Whether the process still runs the same program as when it first connected. A process that has become another
  /// program, or that has passed its connection on and ended, is a stranger.
  var isStillItself: Bool {
    guard let now = programs.facts(of: peer.pid) else { return false }
    return peer.isRunning && now.executable?.mark == facts.executable?.mark && now.firstArgument == facts.firstArgument
      && now.sandbox == facts.sandbox
  }
}

extension WireServer {
  /// Finds the program of a process. The manifest is the one found for the process before.
  package typealias FindProgram = (
    _ facts: ProgramFacts, _ process: ProcessKey, _ known: ProgramManifest?
  ) -> (identity: ProgramIdentity, manifest: ProgramManifest?)

  /// Identifies a client's program.
  func identify(_ client: WireClient) -> ProgramIdentity {
    guard client.process.isStillItself else {
      if client.process.peer.isRunning { Log.info("pid \(client.peer.pid) has become another program: a stranger") }
      client.isStranger = true
      var stranger = ProgramIdentity(process: .peer(client.process.number), sandbox: .unknown)
      stranger.clientName = client.name
      return stranger
    }
    return identity(of: client)
  }

  private func identity(of client: WireClient) -> ProgramIdentity {
    var program = client.process.identity(findProgram)
    program.clientName = client.name
    program.isShelf = client.companion == .shelf
    return program
  }

  /// Identifies all clients again, because the manifests have changed.
  package func identifyAgain() {
    for client in clients.values where client.hasSaidHello && !client.isStranger && client.helper == nil {
      let program = identity(of: client)
      guard program != client.program else { continue }
      client.program = program
      delegate?.identityChanged(client.id, program)
    }
  }
}
