import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Synchronization
import Testing

@testable import Carry
@testable import CarryTransfers

/// F3, F5: several programs at one file.
@Suite(.serialized) struct FileCoordinationTests {
  private static func text(_ fd: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = pread(fd, &bytes, 64, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  @Test("F3: readers read together; a writer is alone, and nobody waits for ever") func F3_locks() throws {
    let place = try LetterFolder()
    let file = place.file
    let both = try FileCoordination.read(file) { _ in
      #expect(throws: FileCoordinationError.busy) { try FileCoordination.write(file, within: 0.05) { _ in } }
      return try FileCoordination.read(file, within: 0) { Self.text($0) }
    }
    #expect(both == "one")
    try FileCoordination.write(file) { _ in
      #expect(throws: FileCoordinationError.busy) { try FileCoordination.read(file, within: 0) { _ in } }
    }
    let last = try FileCoordination.write(file, within: 0) { Self.text($0) }
    #expect(last == "one")
  }

  @Test("F3: a reader waits for a writer, and reads the file that the writer has put there")
  func F3_waitsForTheNewFile() throws {
    let place = try LetterFolder()
    let (file, path) = (place.file, place.path)
    let isIn = Atomic(false)
    let result = Mutex("")
    try FileCoordination.write(file) { _ in
      try Worker.start {
        isIn.store(true, ordering: .releasing)
        let text = (try? FileCoordination.read(file, within: 10) { Self.text($0) }) ?? "nothing"
        result.withLock { $0 = text }
      }
      #expect(Wait.until { isIn.load(ordering: .acquiring) })
      try place.write("two", to: "new")
      rename(path + "/new", file)
    }
    #expect(Wait.until { result.withLock { !$0.isEmpty } })
    #expect(result.withLock { $0 } == "two")
  }

  @Test("F3, Z9: a client reads and writes on another thread, and is told on its own", arguments: [false, true])
  func F3_Z9_aside(isBusy: Bool) throws {
    let place = try LetterFolder()
    let client = try Client(awaitingEngineAs: "editor", socket: "/tmp/carry-no-such-folder/socket")
    let own = pthread_self()
    var (text, problem): (String?, (any Error)?)
    func read(within seconds: Double) {
      FileCoordination.read(place.file, client: client, within: seconds) {
        pthread_self() == own ? "on the client's thread" : Self.text($0)
      } then: { result in
        #expect(pthread_self() == own)
        do { text = try result.get() } catch { problem = error }
      }
    }
    func hears() -> Bool {
      Wait.until(descriptor: client.fileDescriptor) {
        try? client.dispatch()
        return text != nil || problem != nil
      }
    }
    if isBusy {
      try FileCoordination.write(place.file) { _ in
        read(within: 0)
        #expect(hears() && problem as? FileCoordinationError == .busy)
      }
      return
    }
    FileCoordination.write(place.file, client: client) {
      Array("two".utf8).withUnsafeBytes { [fd = $0] b in
        pwrite(fd, b.baseAddress, b.count, 0)
      }
    } then: { result in
      #expect((try? result.get()) == 3)
      read(within: 1)
    }
    #expect(text == nil)
    #expect(hears() && text == "two")
  }

  /// A client, and what its completions were told.
  private final class Told: @unchecked Sendable {
    let client: Client
    var results: [Result<Int, any Error>] = []
    var sentences: [String] { results.compactMap { if case .failure(let e) = $0 { "\(e)" } else { nil } } }
    /// How many bodies run.
    let running = Atomic(0)
    let mayEnd = Atomic(false)
    /// On one file system.
    static let maxAtOnce = Limits.blockingThreadsPerMount / 2

    init() throws { client = try Client(awaitingEngineAs: "editor", socket: "/tmp/carry-no-such-folder/socket") }

    func read(_ path: String, within seconds: Double = 0) {
      FileCoordination.read(path, client: client, within: seconds) { [self] _ in
        running.add(1, ordering: .relaxed)
        _ = Wait.until(seconds: 60) { mayEnd.load(ordering: .relaxed) }
        return 7
      } then: { [unowned self] in
        results.append($0)
      }
    }

    func pass(_ seconds: Double) { client.transfers.aside.advance(to: MonotonicClock.now() + .seconds(seconds)) }

    func hears(_ count: Int) -> Bool {
      Wait.until(descriptor: client.fileDescriptor) {
        try? client.dispatch()
        return results.count == count
      }
    }
  }

  @Test("F3: many files are read some at a time, and all of them are") func F3_inLine() throws {
    let place = try LetterFolder()
    let told = try Told()
    for _ in 0..<30 { told.read(place.file) }
    #expect(Wait.until { told.running.load(ordering: .relaxed) == Told.maxAtOnce })
    try told.client.dispatch()
    #expect(told.results.isEmpty && told.running.load(ordering: .relaxed) == Told.maxAtOnce)
    told.mayEnd.store(true, ordering: .relaxed)
    #expect(told.hears(30) && told.sentences.isEmpty)
  }

  @Test("F3: what has begun is waited for, and what did not get its file is given up and does not begin")
  func F3_hangs() throws {
    let place = try LetterFolder()
    let told = try Told()
    for _ in 0..<Told.maxAtOnce { told.read(place.file) }
    #expect(Wait.until { told.running.load(ordering: .relaxed) == Told.maxAtOnce })
    told.pass(31)
    // They are slow, and their file is not thought to hang: as many more begin, but not endlessly many.
    for _ in 0..<Told.maxAtOnce + 1 { told.read(place.file) }
    #expect(Wait.until { told.running.load(ordering: .relaxed) == 2 * Told.maxAtOnce })
    told.pass(31)
    #expect(told.hears(1) && told.sentences.first?.hasSuffix("does not answer") == true, "\(told.sentences)")
    told.mayEnd.store(true, ordering: .relaxed)
    #expect(told.hears(1 + 2 * Told.maxAtOnce) && told.sentences.count == 1)
    #expect(told.running.load(ordering: .relaxed) == 2 * Told.maxAtOnce)
    // A writer keeps a reader waiting for as long as the reader likes, and then nothing is read.
    try FileCoordination.write(place.file) { _ in
      told.read(place.file, within: 20)
      told.pass(51)
      #expect(told.hears(2 + 2 * Told.maxAtOnce))
      #expect(told.sentences.last?.hasSuffix("letter.txt: its file system does not answer") == true)
    }
  }

  @Test("F3: where no thread can be made, that is told, once and later") func F3_noThread() throws {
    let place = try LetterFolder()
    let told = try Told()
    Worker.$isRefused.withValue(true) { told.read(place.file) }
    #expect(told.results.isEmpty)
    #expect(told.hears(1) && told.sentences.first?.contains("letter.txt: ") == true)
    told.mayEnd.store(true, ordering: .relaxed)
    told.read(place.file)
    #expect(told.hears(2) && told.sentences.count == 1)
  }

  @Test("F3: what has been written when the client is closed is told so") func F3_closedAfterwards() throws {
    let place = try LetterFolder()
    let told = try Told()
    told.mayEnd.store(true, ordering: .relaxed)
    told.read(place.file)
    // The answer is there, and not dispatched.
    var p = pollfd(fd: told.client.fileDescriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&p, 1, 30_000) == 1)
    told.client.close()
    #expect(told.results.count == 1 && told.sentences.isEmpty, "\(told.sentences)")
  }

  @Test("F3: a client that is closed tells what it does not wait for, once") func F3_closed() throws {
    let place = try LetterFolder()
    let told = try Told()
    for _ in 0..<Told.maxAtOnce + 1 { told.read(place.file) }
    #expect(Wait.until { told.running.load(ordering: .relaxed) == Told.maxAtOnce })
    told.client.close()
    #expect(told.sentences.count == 1 + Told.maxAtOnce)
    #expect(told.sentences.allSatisfy { $0.hasSuffix("the client was closed meanwhile") })
    told.read(place.file)
    told.mayEnd.store(true, ordering: .relaxed)
    #expect(told.results.count == 1 + Told.maxAtOnce)
  }

  @Test("F3: what is no file is refused") func F3_noFile() throws {
    let place = try LetterFolder()
    mkfifo(place.path + "/pipe", 0o600)
    for path in [place.path, place.path + "/pipe", place.path + "/nothing"] {
      #expect(throws: FileCoordinationError.self) { try FileCoordination.read(path, within: 0) { _ in } }
    }
  }
}
