import CarryContacts
import CarryModel

/// The fingers on a trackpad, and the changes of the newest frame.
///
/// For a pad that only counts fingers, this type creates virtual fingers. The first has the place that the pad
/// reports while that finger is alone; the others have no place.
struct TrackpadFingers {
  struct Finger: Equatable {
    /// The contact's number; for virtual fingers their ordinal.
    let id: UInt32
    let since: Instant
    /// Millimetres.
    var place: Point
    /// The point from which the travel is measured.
    var origin: Point
    /// The largest distance from the origin so far, in millimetres.
    var travel = 0.0
    /// Whether the finger came down where palms rest, and has not moved since.
    var maybePalm: Bool

    mutating func measureFromHere() {
      origin = place
      travel = 0
    }
  }

  private let surface: TrackpadSurface
  private(set) var list: [Finger] = []
  /// Fingers that went up in the newest frame.
  private(set) var ended: [Finger] = []
  /// How many fingers came down in the newest frame.
  private(set) var began = 0
  /// The maximum number of fingers at once since the pad was touched.
  private(set) var maxAtOnce = 0
  private(set) var isButtonDown = false
  private(set) var buttonWentDown = false
  private(set) var buttonWentUp = false
  /// The common motion of the fingers in the newest frame, in millimetres.
  private(set) var motion = Point.zero
  /// Contacts that are down, on a pad that only counts.
  private var contacts: [(id: UInt32, place: Point)] = []

  /// A finger that came down at the edge is not a palm once it has moved this far, in millimetres.
  private static let palmTravel = 5.0

  init(_ surface: TrackpadSurface) {
    self.surface = surface
    list.reserveCapacity(8)
    ended.reserveCapacity(8)
  }

  /// The number of fingers that are certainly not palms.
  var count: Int {
    var n = 0
    for i in list.indices where !list[i].maybePalm { n += 1 }
    return n
  }

  func isDown(_ id: UInt32) -> Bool { list.contains { $0.id == id } }

  /// The only finger; nil if there is none or more than one.
  var only: Finger? {
    let fingers = list.filter { !$0.maybePalm }
    return fingers.count == 1 ? fingers[0] : nil
  }

  mutating func measureFromHere() {
    for i in list.indices { list[i].measureFromHere() }
  }

  mutating func apply(_ frame: ContactFrame) {
    ended.removeAll(keepingCapacity: true)
    if count == 0 { maxAtOnce = 0 }
    began = 0
    motion = .zero
    buttonWentDown = frame.keys.isButtonDown && !isButtonDown
    buttonWentUp = !frame.keys.isButtonDown && isButtonDown
    isButtonDown = frame.keys.isButtonDown
    if surface.countsOnly { return count(frame) }
    for contact in frame.contacts {
      let place = surface.place(contact)
      switch contact.phase {
      case .began: begin(contact.id.raw, place, frame.time, surface.isAtEdge(contact))
      case .moved: if let i = index(contact.id.raw) { move(i, place) }
      case .ended:
        if let i = index(contact.id.raw) {
          move(i, place)
          ended.append(list.remove(at: i))
        }
      // The contact was a palm from the start, so it never counted as a finger.
      case .cancelled: list.removeAll { $0.id == contact.id.raw }
      }
    }
  }

  private func index(_ id: UInt32) -> Int? { list.firstIndex { $0.id == id } }

  private mutating func begin(_ id: UInt32, _ place: Point, _ time: Instant, _ maybePalm: Bool) {
    guard list.count < 64 else { return }
    list.append(Finger(id: id, since: time, place: place, origin: place, maybePalm: maybePalm))
    maxAtOnce = max(maxAtOnce, count)
    if !maybePalm { began += 1 }
  }

  private mutating func move(_ i: Int, _ place: Point) {
    let step = place - list[i].place
    list[i].place = place
    list[i].travel = max(list[i].travel, place.distance(to: list[i].origin))
    if list[i].maybePalm {
      if list[i].travel <= Self.palmTravel { return }
      list[i].maybePalm = false
      maxAtOnce = max(maxAtOnce, count)
    }
    motion = motion + step
  }

  /// Creates the fingers of a pad that only counts. Two contacts of such a pad are corners of a box, so places are
  /// meaningful only while there is one finger.
  private mutating func count(_ frame: ContactFrame) {
    for contact in frame.contacts {
      switch contact.phase {
      case .began: contacts.append((contact.id.raw, surface.place(contact)))
      case .moved:
        if let i = contacts.firstIndex(where: { $0.id == contact.id.raw }) {
          contacts[i].place = surface.place(contact)
        }
      case .ended, .cancelled: contacts.removeAll { $0.id == contact.id.raw }
      }
    }
    // If the pad's keys report no number, use the number of contacts.
    let now = contacts.isEmpty ? 0 : max(contacts.count, frame.keys.fingerCount)
    if now == 1, list.count == 1 {
      move(0, contacts[0].place)
    } else if now == 1, list.count > 1 {
      // The remaining corner jumped to the finger; that is not a motion.
      let step = contacts[0].place - list[0].place
      list[0].place = contacts[0].place
      list[0].origin = list[0].origin + step
    }
    while list.count > now { ended.append(list.removeLast()) }
    while list.count < min(now, 5) {
      begin(UInt32(list.count + 1), contacts.first?.place ?? .zero, frame.time, false)
    }
  }
}
