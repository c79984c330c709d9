import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireServer
import Testing

/// F1, M6, T39: file providers over the wire. The test speaks for the provider; its process is another one, which the engine
/// starts and ends.
@Suite(.serialized) struct ProviderTests {
  private typealias R = RawClient

  /// A server whose clients all have a file provider, and what it starts.
  private final class Rig {
    let bench: Bench
    private let place: TestFolder
    var folder: String { place.path }
    let destination: RawClient
    /// The processes that were started, and the providers' ends of the connections.
    var processes: [HelperProcess] = []
    var providers: [RawClient] = []
    var failure: SystemError?

    /// - Parameter script: what the process does.
    init(_ script: String = "exec sleep 1000") throws {
      bench = try Bench()
      place = try TestFolder("provider")
      let path = try place.write("#!/bin/sh\n\(script)\n", to: "provider", mode: 0o755)
      var manifest = ProgramManifest(program: "org.example.app", file: "app.conf", isSystems: true)
      manifest.fileProvider = path
      bench.server.findProgram = { [manifest] _, process, _ in
        (ProgramIdentity(process: process, program: "org.example.app"), manifest)
      }
      destination = try bench.client()
      bench.makeRegion(destination)
      bench.offer()
      bench.server.startProvider = { [unowned self] path, socket throws(SystemError) in
        if let failure { throw failure }
        let copy = Descriptor(owning: clinux_dup_above(socket, 0))
        let process = try HelperProcess(path, at: socket)
        processes.append(process)
        providers.append(RawClient(on: copy))
        return process
      }
    }

    /// The reference of an item of a client whose program has a file provider.
    func reference(_ text: String = "document 7") throws -> FileReference? {
      bench.delegate.answers = []
      let raw = try bench.client()
      raw.send(R.message(3, 2, R.words([4, 7])))
      raw.send(R.message(3, 3, R.words([5])) + R.message(5, 3, R.string("text/plain") + R.words([0])))
      raw.send(R.message(5, 7, R.string(text)))
      _ = bench.settle(raw, sync: 6)
      guard !raw.hasEnded else { return nil }
      bench.server.send(
        .itemsForBeginning(bench.delegate.regions[bench.delegate.regions.count - 1], serial: 1, .zero),
        to: SessionID(99))
      bench.server.flush()
      raw.send(R.message(0xFF00_0000, 1, R.words([5])) + R.message(0xFF00_0000, 2, R.words([1])))
      _ = bench.turn { !self.bench.delegate.answers.isEmpty || raw.hasEnded }
      return bench.delegate.answers.last?.first?.reference
    }

    /// A destination loads something, which the engine asks the provider for.
    func load(_ reference: FileReference, as form: LoadForm = .copy) {
      let before = bench.delegate.loads
      destination.send(
        R.message(0xFF00_0000, 3, R.words([6 + before, 0]) + R.string("text/plain") + R.words([0])))
      #expect(bench.turn { bench.delegate.loads > before })
      bench.server.provide(TransferID(before + 1), reference, in: SessionID(7), type: "text/plain", as: form)
    }

    /// The provider, ready to serve: its fourth object is a `carry_provider`.
    func serve() -> RawClient {
      #expect(bench.turn { !providers.isEmpty })
      let provider = providers[providers.count - 1]
      provider.greet()
      provider.send(R.message(3, 7, R.words([4])))
      return provider
    }
  }

  @Test("M6: an item has a reference where the system's manifest names a file provider, and only there")
  func M6_references() throws {
    let rig = try Rig()
    let reference = try rig.reference()
    #expect(reference?.text == "document 7")
    #expect(try rig.reference("")?.text == nil)
    rig.bench.server.findProgram = { _, process, _ in
      let manifest = ProgramManifest(program: "org.example.other", file: "other.conf", isSystems: true)
      return (ProgramIdentity(process: process, program: "org.example.other"), manifest)
    }
    #expect(try rig.reference() == nil)
    #expect(rig.processes.isEmpty)
  }

  @Test("M6: a reference of more than 1,024 bytes is an offence") func M6_longReference() throws {
    let rig = try Rig()
    #expect(try rig.reference(String(repeating: "x", count: 1024)) != nil)
    #expect(try rig.reference(String(repeating: "x", count: 1025)) == nil)
  }

  @Test("F1, M6: the process is started for the first load, asked, and ended after 30 s without loads")
  func F1_M6_startedAskedEnded() throws {
    let rig = try Rig()
    let b = rig.bench
    let reference = try #require(try rig.reference())
    #expect(rig.processes.isEmpty)
    rig.load(reference)
    let provider = rig.serve()
    let asked = b.turn { provider.hasReceived(4, 0) }
    #expect(asked && rig.processes.count == 1)
    // T29: the drop to which the load belongs is known, so that streams wait for each other there.
    #expect(provider.event(of: 4, 0)?.words.last == 7)
    let file = try Descriptor.open("/etc/hostname", O_RDONLY)
    provider.send(R.message(0xFF00_0000, 1), descriptors: [file.raw])
    #expect(b.turn { b.delegate.transfers == ["provided"] })
    // Another load goes to the same process.
    rig.load(reference)
    provider.received = []
    #expect(b.turn { provider.hasReceived(4, 0) } && rig.processes.count == 1)
    // With loads under way it stays, however long they take.
    #expect(b.turn(later: .seconds(100)) { true } && !rig.processes[0].hasEnded)
    for n in UInt32(6)...7 { rig.destination.send(R.message(n, 2, R.words([0]))) }
    #expect(b.turn { b.delegate.transfers.count { $0 == "given up" } == 2 })
    #expect(b.turn(later: .seconds(31)) { provider.hasEnded && rig.processes[0].hasEnded })
    #expect(!b.delegate.transfers.contains("helper failed") && !b.delegate.gone.contains(reference.helper))
    // It is started again when it is needed again.
    rig.load(reference)
    #expect(b.turn { rig.processes.count == 2 })
  }

  @Test("F1, K6: a file, a folder or an original for a program in a sandbox is refused", arguments: [1, 7, 8])
  func F1_K6_sandboxed(opcode: UInt16) throws {
    let rig = try Rig()
    let b = rig.bench
    rig.load(try #require(try rig.reference()), as: .sandboxed)
    let provider = rig.serve()
    #expect(b.turn { provider.hasReceived(4, 0) })
    #expect(provider.event(of: 4, 0)?.words.suffix(2).first == LoadForm.sandboxed.rawValue)
    let file = try Descriptor.open(opcode == 7 ? "/etc" : "/etc/hostname", O_RDONLY)
    let path = opcode == 8 ? R.string("/etc/hostname") : []
    provider.send(R.message(0xFF00_0000, opcode, path), descriptors: [file.raw])
    #expect(b.turn { !b.delegate.transfers.isEmpty } && b.delegate.transfers == ["failed"])
  }

  @Test("one that never says hello is ended after 5 s, and its loads fail") func neverSaysHello() throws {
    // It does not end when it is asked to, and neither does what it has forked.
    let rig = try Rig("trap '' TERM\n(trap '' TERM; while :; do sleep 1; done) &\nwhile :; do sleep 1; done")
    let b = rig.bench
    rig.load(try #require(try rig.reference()))
    #expect(b.turn { !rig.processes.isEmpty } && b.delegate.transfers.isEmpty)
    #expect(b.turn(later: .seconds(6)) { b.delegate.transfers == ["helper failed"] })
    #expect(b.turn(later: .seconds(9)) { rig.processes[0].hasEnded })
    let group = rig.processes[0].pid
    #expect(b.turn { kill(-group, 0) != 0 })
  }

  @Test("one that dies fails its loads, and is started again after a pause") func dies() throws {
    let rig = try Rig()
    let b = rig.bench
    let reference = try #require(try rig.reference())
    rig.load(reference)
    let provider = rig.serve()
    #expect(b.turn { provider.hasReceived(4, 0) })
    kill(rig.processes[0].pid, SIGKILL)
    #expect(b.turn { b.delegate.transfers == ["helper failed"] })
    rig.load(reference)
    #expect(b.turn { true } && rig.processes.count == 1)
    #expect(b.turn { rig.processes.count == 2 })
  }

  @Test("one that leaves a load without an answer is ended") func hangs() throws {
    let rig = try Rig()
    let b = rig.bench
    rig.load(try #require(try rig.reference()))
    let provider = rig.serve()
    #expect(b.turn { provider.hasReceived(4, 0) })
    b.server.loadFailed(TransferID(1), .timedOut)
    #expect(b.turn { provider.hasEnded && rig.processes[0].hasEnded })
  }

  @Test("one that cannot be started fails its loads at once") func cannotBeStarted() throws {
    let rig = try Rig()
    let b = rig.bench
    rig.failure = SystemError(code: ENOENT, call: "posix_spawn", subject: "/nowhere")
    rig.load(try #require(try rig.reference()))
    #expect(b.turn { b.delegate.transfers == ["helper failed"] })
  }

  @Test("nobody else can be a file provider, and a file provider can be nothing else")
  func onlyFileProviders() throws {
    let rig = try Rig()
    let b = rig.bench
    let other = try b.client()
    other.send(R.message(3, 7, R.words([4])))
    #expect(b.ends(other))
    rig.load(try #require(try rig.reference()))
    let provider = rig.serve()
    #expect(b.turn { provider.hasReceived(4, 0) })
    provider.send(R.message(3, 2, R.words([5, 7])))
    #expect(b.ends(provider))
    #expect(b.turn { rig.processes[0].hasEnded })
  }
}
