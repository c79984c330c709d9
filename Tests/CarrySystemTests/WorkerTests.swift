import CarrySystem
import CarryTesting
import Synchronization
import Testing

@Suite struct WorkerTests {
  /// The nice value of the calling thread, as the kernel knows it.
  private static var niceness: Int? {
    guard let stat = try? Files.readStart("/proc/thread-self/stat", most: 1024) else { return nil }
    // The name of the program, in brackets, may hold blanks. The value is the 17th word after it.
    let words = String(decoding: stat, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
    return words.count > 16 ? Int(words[16]) : nil
  }

  private final class Answer: Sendable {
    let niceness = Mutex<Int?>(nil)
  }

  private func niceness(isUrgent: Bool) throws -> Int? {
    let answer = Answer()
    try Worker.start(isUrgent: isUrgent) {
      let own = Self.niceness
      answer.niceness.withLock { $0 = own }
    }
    _ = Wait.until { answer.niceness.withLock { $0 != nil } }
    return answer.niceness.withLock { $0 }
  }

  @Test("Z23: a thread that a finger waits for gives way to nobody; the others do") func Z23_urgency() throws {
    let own = try #require(Self.niceness)
    #expect(try niceness(isUrgent: true) == own)
    #expect(try #require(try niceness(isUrgent: false)) > own || own >= 5)
  }
}
