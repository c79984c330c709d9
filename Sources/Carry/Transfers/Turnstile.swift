import CLinux
import CarryModel
import CarrySystem
import Synchronization

/// Lets threads that copy bulk data run by turns.
///
/// A hundred runnable threads get unequal shares from the scheduler, some five times as much as others, and a thread
/// that responds to a finger has to wait for a processor. Here they queue.
final class Turnstile: Sendable {
  /// The turnstile for writes of this process into rings. Readers need none: they have as much to do as the writers
  /// have turns.
  ///
  /// With only one turn for each processor, processors would be idle while one thread wakes the next.
  static let writing = Turnstile(places: 2 * max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))))

  private struct Line {
    var turns: Turns
    var waiting: [Turns.Member: Pass] = [:]
    var lastMember = 0
  }

  private let line: Mutex<Line>
  /// Whether any thread waits. Threads with a turn check it with each chunk, without the lock.
  private let hasWaiting = Atomic<Bool>(false)
  private let chunks: Int
  private let longest: Interval

  /// - Parameters:
  ///   - places: the number of threads that run at a time.
  ///   - patience: the time after which a thread that has not returned counts as elsewhere. A copy may be from a file
  ///     on a network.
  ///   - chunks: the chunks of a turn while others wait. Fewer are fairer; with more, the data stays in the
  ///     processor's cache until it is read.
  ///   - longest: the time after which the next chunk waits for another turn.
  init(
    places: Int, patience: Interval = .milliseconds(10), chunks: Int = 16, longest: Interval = .milliseconds(5)
  ) {
    line = Mutex(Line(turns: Turns(places: places, patience: patience)))
    (self.chunks, self.longest) = (chunks, longest)
  }

  /// The number of waiting threads.
  var waitingCount: Int { line.withLock { $0.turns.waitingCount } }

  /// Creates a pass for one end of a transfer.
  func pass() -> Pass {
    let number = line.withLock { line in
      line.lastMember += 1
      return line.lastMember
    }
    return Pass(self, number)
  }

  fileprivate func isOver(chunks: Int, since: Instant) -> Bool {
    guard hasWaiting.load(ordering: .relaxed) else { return false }
    return chunks >= self.chunks || MonotonicClock.now() - since >= longest
  }

  /// Asks, or goes to the end of the queue, in one step: a thread interrupted in between would lose a place.
  fileprivate func ask(_ pass: Pass, anew: Bool) -> Turns.Answer {
    change { turns, now in
      let first = anew ? turns.leave(pass.number, at: now) : []
      let (answer, woken) = turns.ask(pass.number, at: now)
      return (answer, first + woken)
    } noting: { answer, waiting in
      waiting[pass.number] = answer == .go ? nil : pass
    }
  }

  fileprivate func leave(_ pass: Pass) {
    change { turns, now in
      ((), turns.leave(pass.number, at: now))
    } noting: { _, _ in
    }
  }

  private func change<T>(
    _ body: (inout Turns, Instant) -> (T, woken: [Turns.Member]), noting: (T, inout [Turns.Member: Pass]) -> Void
  ) -> T {
    let (result, woken) = line.withLock { line in
      let (result, woken) = body(&line.turns, MonotonicClock.now())
      hasWaiting.store(line.turns.waitingCount > 0, ordering: .relaxed)
      // Retained until they are woken: they may have continued by themselves, and ended.
      let passes = woken.compactMap { line.waiting[$0] }
      noting(result, &line.waiting)
      return (result, passes)
    }
    for pass in woken { pass.wake() }
    return result
  }
}

/// The pass of one end of a transfer. It belongs to one thread; others only wake it.
final class Pass: @unchecked Sendable {
  private let turnstile: Turnstile
  fileprivate let number: Turns.Member
  private let semaphore = Semaphore()
  private var chunks = 0
  private var began = Instant(microseconds: 0)
  /// Whether it has a turn, or had one that passed to another thread meanwhile.
  private(set) var hasTurn = false

  fileprivate init(_ turnstile: Turnstile, _ number: Turns.Member) {
    (self.turnstile, self.number) = (turnstile, number)
  }

  deinit { giveBack() }

  fileprivate func wake() { semaphore.post() }

  /// Waits for a turn before each chunk, unless its turn lasts.
  func beginChunk() {
    if hasTurn, !turnstile.isOver(chunks: chunks, since: began) {
      chunks += 1
      return
    }
    var answer = turnstile.ask(self, anew: hasTurn)
    while case .wait(let time) = answer {
      waitToBeWoken(until: time)
      answer = turnstile.ask(self, anew: false)
    }
    (hasTurn, chunks, began) = (true, 1, MonotonicClock.now())
  }

  /// Gives the turn back before anything that may take long: waiting for the other side, or application code.
  func giveBack() {
    guard hasTurn else { return }
    hasTurn = false
    turnstile.leave(self)
  }

  private func waitToBeWoken(until time: Instant?) {
    if let time { semaphore.wait(until: time) } else { semaphore.wait() }
  }
}
