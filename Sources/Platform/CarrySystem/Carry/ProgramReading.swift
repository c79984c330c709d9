import CarryModel
import Synchronization

/// Queries the kernel about the programs of processes (`ProgramFacts`), with a timeout.
///
/// A process can delay the kernel's reply: its command line is read under a lock of the process's own memory, which
/// it may hold indefinitely. So queries run on a thread, and an unreadable process is treated as a stranger. The
/// timeout is long for the first one, as the machine may be busy, and short for those that follow soon after.
package final class ProgramReading: Sendable {
  /// The timeout, and the one used after a process did not answer.
  static let patience = (usual: Interval.milliseconds(500), afterALateOne: Interval.milliseconds(20))
  static let memory = Interval.seconds(30)

  private struct State: Sendable {
    /// The processes being read.
    var underWay: Set<Int32> = []
    var hurriesUntil = Instant.zero
  }

  private let state = Mutex(State())
  private let read: @Sendable (Int32) -> ProgramFacts

  /// - Parameter read: Blocks for as long as the process likes.
  package init(_ read: @escaping @Sendable (Int32) -> ProgramFacts = { ProgramFacts(of: $0) }) { self.read = read }

  /// The facts about a process; nil if it cannot be read.
  package func facts(of pid: Int32) -> ProgramFacts? {
    let start = MonotonicClock.now()
    let (mayBegin, hurries) = state.withLock { s in
      // A process that reconnects repeatedly uses only one thread.
      let mayBegin = s.underWay.count < Limits.stuckProgramReadings && s.underWay.insert(pid).inserted
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
