package import CarryModel
import CarrySystem

/// Limits the threads for work that may wait for a file system, and records which of them are late.
///
/// A hanging file system blocks every thread that accesses it. Each file system therefore has a few threads, and the
/// process a limit. A path whose thread is late is not accessed again before that thread returns, nor is anything below
/// it. A path says little about its file system, since a link may lead anywhere: late threads count for the file system
/// only until another one there returns.
package struct BlockingSlots {
  private struct Slot {
    var places: Set<Place>
    var until: Instant
    var isLate = false
    /// Whether only the path is at fault: other work on its file system has returned.
    var isAlone = false
    /// Whether the work is known to progress.
    var isAwaited = false
  }

  /// A path, and the mount point of its file system according to the path.
  package struct Place: Hashable {
    var path: String
    package var mount: String

    package init(path: String, mount: String) { (self.path, self.mount) = (path, mount) }
  }

  private var slots: [Int: Slot] = [:]
  private var numbers = 0

  package init() {}

  /// Whether work may run: now, later, or not before hanging work has returned.
  package enum Room { case now, later, none }

  /// - Parameters:
  ///   - places: the files that the work accesses.
  ///   - inTurn: whether the work waits for its turn.
  package func room(for places: Set<Place>, inTurn: Bool) -> Room {
    guard !places.contains(where: { isStuck($0.path) }) else { return .none }
    let rooms = Set(places.map(\.mount)).map { mount in
      let here = slots.values.filter { slot in !slot.isAlone && slot.places.contains { $0.mount == mount } }
      return Self.room(beside: here, most: Limits.blockingThreadsPerMount, inTurn: inTurn)
    }
    let room = Self.room(beside: Array(slots.values), most: Limits.blockingThreads, inTurn: inTurn)
    return rooms.contains(.none) ? .none : rooms.contains(.later) && room == .now ? .later : room
  }

  private static func room(beside slots: [Slot], most: Int, inTurn: Bool) -> Room {
    let promptCount = slots.count { !$0.isLate }
    if slots.count >= most { return promptCount > 0 ? .later : .none }
    // Work of this kind may be plentiful: half of the threads are reserved for other work.
    return inTurn && promptCount >= most / 2 ? .later : .now
  }

  /// - Parameter places: the files that the work accesses.
  /// - Returns: the number of the slot; nil if the work may not run now.
  package mutating func reserve(_ places: Set<Place>, until: Instant, inTurn: Bool = false) -> Int? {
    guard room(for: places, inTurn: inTurn) == .now else { return nil }
    numbers += 1
    slots[numbers] = Slot(places: places, until: until)
    return numbers
  }

  /// Whether a path, or one of its parents, has blocked a thread for too long.
  private func isStuck(_ path: String) -> Bool {
    slots.values.contains { slot in
      slot.isLate && !slot.isAwaited && slot.places.contains { path == $0.path || path.hasPrefix($0.path + "/") }
    }
  }

  /// Frees the slot of work that has returned.
  package mutating func release(_ number: Int) {
    guard let returned = slots.removeValue(forKey: number), !returned.isLate else { return }
    let mounts = Set(returned.places.map(\.mount))
    for (other, slot) in slots where slot.isLate && slot.places.contains(where: { mounts.contains($0.mount) }) {
      slots[other]?.isAlone = true
    }
  }

  /// Keeps late work without a deadline: it is slow, and its files are not at fault.
  package mutating func await(_ number: Int) { slots[number]?.isAwaited = true }

  package var nextDeadline: Instant? { slots.values.lazy.filter { !$0.isLate }.map(\.until).min() }

  /// - Parameter path: returns the file that the work with a number accesses now; nil if unknown.
  /// - Returns: the slots whose time is up now, with a path of each.
  package mutating func advance(to now: Instant, lookingAt path: (Int) -> String?) -> [(number: Int, path: String)] {
    var late: [(Int, String)] = []
    for (number, slot) in slots where !slot.isLate && slot.until <= now {
      slots[number]?.isLate = true
      // One file of a list blocks the thread; the others may be fine.
      let here = path(number).map { path in Set(slot.places.filter { $0.path == path }) } ?? []
      if !here.isEmpty { slots[number]?.places = here }
      late.append((number, (here.isEmpty ? slot.places : here).map(\.path).min() ?? ""))
    }
    return late
  }
}

/// The mount points of this process.
package struct MountPoints {
  private let points: [String]

  /// The mount points at this moment. Reading the list waits for no other file system.
  package static var now: MountPoints {
    let list = (try? Files.readAll("/proc/self/mountinfo", limit: 1 << 20)) ?? []
    return MountPoints(String(decoding: list, as: UTF8.self).split(separator: "\n"))
  }

  /// - Parameter lines: the lines of `/proc/self/mountinfo`.
  init(_ lines: some Sequence<some StringProtocol>) {
    points = lines.compactMap { line in
      let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
      return fields.count == 6 ? Self.unescaped(fields[4]) : nil
    }
  }

  /// Decodes the octal escapes that the kernel writes for a space, a tab, a newline and a backslash.
  private static func unescaped(_ text: some StringProtocol) -> String {
    guard text.contains("\\") else { return String(text) }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The mount point of a path, derived from its text alone: asking the file system could block.
  package func mount(of path: String) -> String {
    // Anything that is not a path, such as the session bus, is a place of its own.
    if let first = path.first, first != "/" { return path }
    return points.filter { $0 == "/" || path == $0 || path.hasPrefix($0 + "/") }.max { $0.utf8.count < $1.utf8.count }
      ?? "/"
  }
}
