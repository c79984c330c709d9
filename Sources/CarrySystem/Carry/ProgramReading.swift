import CarryModel
import Synchronization

/// Asks the kernel what processes run (`ProgramFacts`), and waits for the answer only for a while.
///
/// A process can keep the kernel from answering: its command line is read under a lock of the process's own memory, which it
/// holds for as long as it likes. So the asking has a thread, and whoever does not let himself be read is a stranger. The engine
/// waits longer for the first one, as a busy machine may take its time, and hardly at all for those that come soon after.
package final class ProgramReading: Sendable {
  /// How long the engine waits, and how long after one that did not answer.
  static let patience = (usual: Interval.milliseconds(500), afterALateOne: Interval.milliseconds(20))
  static let memory = Interval.seconds(30)
  /// How many threads may wait for processes that do not answer, one for each process.
  package static let mostStuck = 256

  private struct State: Sendable {
    /// The processes that are being read.
    var underWay: Set<Int32> = []
    var hurriesUntil = Instant.zero
  }

  private let state = Mutex(State())
  private let read: @Sendable (Int32) -> ProgramFacts

  /// - Parameter read: waits for as long as the process likes.
  package init(_ read: @escaping @Sendable (Int32) -> ProgramFacts = { ProgramFacts(of: $0) }) { self.read = read }

  /// What the process with this number runs; nil where it does not let itself be read.
  package func facts(of pid: Int32) -> ProgramFacts? {
    let start = MonotonicClock.now()
    let (mayBegin, hurries) = state.withLock { s in
      // A process that connects again and again takes no more threads than another.
      let mayBegin = s.underWay.count < Self.mostStuck && s.underWay.insert(pid).inserted
      return (mayBegin, start < s.hurriesUntil)
    }
    guard mayBegin, let facts = ask(pid, within: hurries ? Self.patience.afterALateOne : Self.patience.usual) else {
      state.withLock { $0.hurriesUntil = MonotonicClock.now() + Self.memory }
      Log.warning("pid \(pid) cannot be read, and is treated as unknown")
      return nil
    }
    return facts
  }

  private func ask(_ pid: Int32, within time: Interval) -> ProgramFacts? {
    do {
      return try AsideAnswer(isUrgent: true) { [self] in
        defer { end(pid) }
        return read(pid)
      }.get(within: time)
    } catch {
      end(pid)
      return nil
    }
  }

  private func end(_ pid: Int32) { state.withLock { _ = $0.underWay.remove(pid) } }
}
