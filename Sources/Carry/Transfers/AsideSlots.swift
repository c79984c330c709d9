import CarryModel
import CarrySystem

/// Who may use a thread for work that may wait for a file system, and who has waited for too long.
///
/// A file system that hangs keeps each thread that looks at it. So every folder has a thread at a time, a file system has a
/// few, and the process has a bound. A folder that has kept its thread for too long is not looked at before that returns.
struct AsideSlots {
  private struct Slot {
    var places: Set<Place>
    var until: Instant
    var isLate = false
  }

  /// A folder, and the mount point of its file system as the path says it.
  struct Place: Hashable {
    var folder: String
    var mount: String
  }

  private var slots: [Int: Slot] = [:]
  private var numbers = 0

  static let most = 64
  static let mostOfOneMount = 8

  /// Whether work may run: now, later, or not before something that hangs has answered.
  enum Room { case now, later, none }

  /// - Parameters:
  ///   - places: what the work looks at.
  ///   - inTurn: whether it is work that waits for its turn.
  func room(for places: Set<Place>, inTurn: Bool) -> Room {
    guard !places.contains(where: { isStuck($0.folder) }) else { return .none }
    let rooms = places.map { place in
      let here = slots.values.filter { slot in slot.places.contains { $0.mount == place.mount } }
      return Self.room(beside: here, most: Self.mostOfOneMount, inTurn: inTurn)
    }
    let room = Self.room(beside: Array(slots.values), most: Self.most, inTurn: inTurn)
    return rooms.contains(.none) ? .none : rooms.contains(.later) && room == .now ? .later : room
  }

  private static func room(beside slots: [Slot], most: Int, inTurn: Bool) -> Room {
    let promptCount = slots.count { !$0.isLate }
    if slots.count >= most { return promptCount > 0 ? .later : .none }
    // There may be much of it: half of the threads are left to the other work.
    return inTurn && promptCount >= most / 2 ? .later : .now
  }

  /// - Parameter places: what the work looks at.
  /// - Returns: the number of the slot; nil where it may not run now.
  mutating func take(_ places: Set<Place>, until: Instant, inTurn: Bool = false) -> Int? {
    guard room(for: places, inTurn: inTurn) == .now else { return nil }
    numbers += 1
    slots[numbers] = Slot(places: places, until: until)
    return numbers
  }

  /// Whether a folder, or one that it is in, has kept a thread for too long.
  private func isStuck(_ folder: String) -> Bool {
    slots.values.contains { slot in
      slot.isLate && slot.places.contains { folder == $0.folder || folder.hasPrefix($0.folder + "/") }
    }
  }

  /// The work has returned.
  mutating func giveBack(_ number: Int) { slots[number] = nil }

  var nextDeadline: Instant? { slots.values.lazy.filter { !$0.isLate }.map(\.until).min() }

  /// - Parameter folder: the one that the work with a number looks at now; nil where it does not say.
  /// - Returns: the slots whose time is up now, with a folder of each.
  mutating func advance(to now: Instant, lookingAt folder: (Int) -> String?) -> [(number: Int, folder: String)] {
    var late: [(Int, String)] = []
    for (number, slot) in slots where !slot.isLate && slot.until <= now {
      slots[number]?.isLate = true
      // One folder of a list keeps the thread, and the others may be all right.
      let here = folder(number).map { folder in Set(slot.places.filter { $0.folder == folder }) } ?? []
      if !here.isEmpty { slots[number]?.places = here }
      late.append((number, (here.isEmpty ? slot.places : here).map(\.folder).min() ?? ""))
    }
    return late
  }
}

/// The mount points of this process.
struct MountPoints {
  private struct Point {
    let path: String
    /// As `stat` has it.
    let device: UInt
  }

  private let points: [Point]

  /// Those of this moment. Reading the list waits for no other file system.
  static var now: MountPoints {
    let list = (try? Files.readAll("/proc/self/mountinfo", limit: 1 << 20)) ?? []
    return MountPoints(String(decoding: list, as: UTF8.self).split(separator: "\n"))
  }

  /// - Parameter lines: of `/proc/self/mountinfo`.
  init(_ lines: some Sequence<some StringProtocol>) {
    points = lines.compactMap { line in
      let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
      guard fields.count == 6 else { return nil }
      let numbers = fields[2].split(separator: ":").compactMap { UInt($0) }
      return Point(
        path: Self.unescaped(fields[4]), device: numbers.count == 2 ? Self.device(numbers[0], numbers[1]) : 0)
    }
  }

  /// The corresponding C function is `makedev`.
  private static func device(_ major: UInt, _ minor: UInt) -> UInt {
    (major & 0xFFF) << 8 | (major & ~0xFFF) << 32 | minor & 0xFF | (minor & ~0xFF) << 12
  }

  /// The kernel writes a space, a tab, a newline and a backslash as octal numbers.
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

  /// The mount point that a path is under, going by its words alone: to ask the file system could wait for it.
  func mount(of path: String) -> String {
    // What is no path, such as the session bus, is a place of its own.
    if let first = path.first, first != "/" { return path }
    return point(of: path)?.path ?? "/"
  }

  /// The number of the file system that a path is on, going by its words alone; 0 where nobody knows.
  func device(of path: String) -> UInt { point(of: path)?.device ?? 0 }

  /// Of several on top of each other the last is the one that is seen.
  private func point(of path: String) -> Point? {
    points.reversed().filter { $0.path == "/" || path == $0.path || path.hasPrefix($0.path + "/") }
      .max { $0.path.utf8.count < $1.path.utf8.count }
  }
}
