package import CarryModel

/// New pictures of items that wait to be made. Pure.
///
/// Making a picture costs the engine and the X server time, and a client can request thousands per second. Therefore
/// only the newest request for each item counts, each turn of the loop makes pictures for a limited time, and a
/// session is limited to its budget of pixels. A request may be delayed, but it is never lost.
package struct PictureChanges: Sendable {
  package struct Change: Equatable, Sendable {
    package let session: SessionID
    package let item: Int
    package let preview: PreviewID
  }

  private struct Key: Hashable {
    var session: SessionID
    var item: Int
  }

  /// The pixel budget that remains for a session.
  private struct Account {
    var pixels = PictureChanges.atOnce
    var since: Instant
  }

  /// How long a turn may make pictures. The last picture may exceed that.
  package static let turn = Interval.milliseconds(4)
  /// Pixels that a session may have drawn at once, and per second after that.
  package static let atOnce = 16.0 * 1_048_576
  package static let eachSecond = 16.0 * 1_048_576
  /// The shortest time between two pictures of the same item, because a screen shows no more.
  package static let pause = Interval.milliseconds(16)

  private var wanted: [Key: PreviewID] = [:]
  /// The waiting items, in the order of their requests.
  private var queue: [Key] = []
  private var made: [Key: Instant] = [:]
  private var accounts: [SessionID: Account] = [:]
  private var turnEnds = Instant.zero
  /// When the next picture can be made.
  package private(set) var due: Instant?

  package init() {}

  package mutating func want(_ preview: PreviewID, for item: Int, of session: SessionID, at now: Instant) {
    let key = Key(session: session, item: item)
    if wanted.updateValue(preview, forKey: key) == nil { queue.append(key) }
    let first = made[key].map { $0 + Self.pause } ?? now
    due = min(due ?? first, first)
  }

  /// Removes the waiting picture of an item.
  package mutating func cancel(_ item: Int, of session: SessionID) {
    let key = Key(session: session, item: item)
    guard wanted.removeValue(forKey: key) != nil else { return }
    queue.removeAll { $0 == key }
    if queue.isEmpty { due = nil }
  }

  package mutating func beginTurn(at now: Instant) { turnEnds = now + Self.turn }

  /// The next picture to make now; nil if the turn's time is over, or if no picture may be made now. `due` is the
  /// time to continue.
  ///
  /// - Parameter pixels: returns the number of a preview's pixels.
  package mutating func next(at now: Instant, pixels: (PreviewID) -> Int) -> Change? {
    due = nil
    guard !queue.isEmpty else { return nil }
    guard now < turnEnds else {
      due = now
      return nil
    }
    for i in queue.indices {
      let key = queue[i]
      guard let preview = wanted[key] else { continue }
      let earliest = max(
        made[key].map { $0 + Self.pause } ?? .zero, affordable(pixels(preview), for: key.session, at: now))
      guard earliest <= now else {
        due = min(due ?? earliest, earliest)
        continue
      }
      spend(pixels(preview), of: key.session, at: now)
      wanted[key] = nil
      queue.remove(at: i)
      made[key] = now
      due = queue.isEmpty ? nil : now
      return Change(session: key.session, item: key.item, preview: preview)
    }
    return nil
  }

  package mutating func forget(_ session: SessionID) {
    queue.removeAll { $0.session == session }
    wanted = wanted.filter { $0.key.session != session }
    made = made.filter { $0.key.session != session }
    accounts[session] = nil
    if queue.isEmpty { due = nil }
  }

  private func balance(_ session: SessionID, at now: Instant) -> Double {
    guard let account = accounts[session] else { return Self.atOnce }
    return min(Self.atOnce, account.pixels + max(0, (now - account.since).seconds) * Self.eachSecond)
  }

  /// When a session can afford `pixels`. A picture never costs more than `atOnce`.
  private func affordable(_ pixels: Int, for session: SessionID, at now: Instant) -> Instant {
    let missing = min(Double(pixels), Self.atOnce) - balance(session, at: now)
    return missing <= 0 ? now : now + .seconds(missing / Self.eachSecond + 0.001)
  }

  private mutating func spend(_ pixels: Int, of session: SessionID, at now: Instant) {
    accounts[session] = Account(pixels: max(0, balance(session, at: now) - Double(pixels)), since: now)
  }
}
