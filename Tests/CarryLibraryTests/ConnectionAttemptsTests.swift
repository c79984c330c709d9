import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Testing

@testable import Carry

/// Engines that are there, and let nobody in.
@Suite(.serialized) struct ConnectionAttemptsTests {
  /// A socket, and the lock beside it, of an engine that does not do what it should.
  private final class Place {
    private let folder: TestFolder
    let path: String
    let listener: SocketListener
    private var kept: [CInt] = []

    init() throws {
      folder = try TestFolder("attempts")
      path = folder.path + "/carry-0"
      listener = try SocketListener(path: path)
    }

    /// Whether somebody has knocked; closed at once, or kept.
    func accept(keeping: Bool) -> Bool {
      guard case .connection(let connection, _) = listener.accept() else { return false }
      if keeping { kept.append(connection.release()) }
      return true
    }

    deinit { for fd in kept { close(fd) } }
  }

  /// Turns a client as its loop would.
  private func turn(_ client: Client, until condition: () -> Bool) throws -> Bool {
    let end = MonotonicClock.now() + .seconds(40)
    while !condition() {
      guard MonotonicClock.now() < end else { return false }
      var p = pollfd(fd: client.fileDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&p, 1, 5)
      try client.dispatch()
    }
    return true
  }

  @Test("an engine that hangs up at once is tried ever less often") func everLessOften() throws {
    let place = try Place()
    let client = try Client(awaitingEngineAs: "waiter", socket: place.path)
    var knocks = 0
    let began = MonotonicClock.now()
    #expect(
      try turn(client) {
        if place.accept(keeping: false) { knocks += 1 }
        return knocks == 6
      })
    // Pauses of 50, 100, 200, 400 and 800 ms lie between; no machine is so slow that they get shorter.
    #expect(MonotonicClock.now() - began >= .milliseconds(1550))
    #expect(client.connectionProblem != nil)
    client.close()
    #expect(
      (1...20).map { ConnectionAttempts.pause(after: $0).microseconds / 1000 }.prefix(8) == [
        50, 100, 200, 400, 800, 1600, 3200, 5000,
      ])
    #expect(ConnectionAttempts.pause(after: .max) == .seconds(5))
  }

  @Test("an engine that accepts and says nothing is given up, and tried again") func aSilentEngine() throws {
    let place = try Place()
    let client = try Client(awaitingEngineAs: "waiter", socket: place.path)
    #expect(client.attempts?.patience == .seconds(Limits.connectSeconds))
    client.attempts?.patience = .milliseconds(100)
    client.attempts?.begin()
    #expect(place.accept(keeping: true))
    #expect(try turn(client) { client.connectionProblem != nil })
    let problem = try #require(client.connectionProblem)
    #expect(problem.contains("has not answered within 5 s"))
    #expect(Warning.sentences.contains(problem))
    #expect(try turn(client) { place.accept(keeping: true) })
    #expect(!client.isConnected)
    client.close()
  }
}
