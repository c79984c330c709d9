/// Distributes a limited number of places among windows.
///
/// Each program has a maximum share. Once all places are taken, a program with few windows gets a place of the
/// program with the most: neither one program nor many of them can exclude others. Windows without a place are
/// remembered until there is room.
package struct WindowShares<Program: Hashable & Sendable>: Sendable {
  package enum Answer: Equatable, Sendable {
    case placed
    /// Replaces another window, which is not remembered.
    case placedInstead(of: UInt32)
    case turnedAway
  }

  private var placed: Lines<Program>
  private var turnedAway: Lines<Program>
  private let mostOfOne: Int

  /// - Parameters:
  ///   - most: The number of places.
  ///   - mostOfOne: The limit for one program.
  ///   - mostTurnedAway: The number of remembered windows.
  package init(most: Int, mostOfOne: Int, mostTurnedAway: Int) {
    placed = Lines(most: most)
    turnedAway = Lines(most: mostTurnedAway)
    self.mostOfOne = mostOfOne
  }

  /// Requests a place for a window.
  ///
  /// - Parameter mayGo: Whether a window may lose its place to this one.
  package mutating func add(
    _ window: UInt32, of program: Program, mayGo: (UInt32) -> Bool = { _ in true }
  ) -> Answer {
    remove(window)
    let count = placed.count(of: program)
    if count < mostOfOne {
      if placed.hasRoom {
        placed.append(window, of: program)
        return .placed
      }
      // Not from a program that would then have fewer than this one: the two would take the place from each other
      // forever.
      if let other = placed.last(ofMoreThan: count + 1, where: mayGo) {
        placed.remove(other)
        placed.append(window, of: program)
        return .placedInstead(of: other)
      }
    }
    remember(window, of: program)
    return .turnedAway
  }

  /// Programs have shares here, too.
  private mutating func remember(_ window: UInt32, of program: Program) {
    if !turnedAway.hasRoom {
      guard let other = turnedAway.last(ofMoreThan: turnedAway.count(of: program) + 1, where: { _ in true }) else {
        return
      }
      turnedAway.remove(other)
    }
    turnedAway.append(window, of: program)
  }

  /// A window was destroyed or needs no place any more.
  package mutating func remove(_ window: UInt32) {
    placed.remove(window)
    turnedAway.remove(window)
  }

  /// Whether there is room for a rejected window.
  package var hasNext: Bool { nextProgram != nil }

  /// Removes and returns a rejected window for which there is room now, of the program with the fewest places.
  package mutating func takeNext() -> UInt32? {
    guard let program = nextProgram, let window = turnedAway.windows[program]?.first else { return nil }
    turnedAway.remove(window)
    return window
  }

  private var nextProgram: Program? {
    guard placed.hasRoom else { return nil }
    return turnedAway.windows.keys.filter { placed.count(of: $0) < mostOfOne }.min {
      placed.count(of: $0) < placed.count(of: $1)
    }
  }
}

/// The windows of each program, in order of arrival.
private struct Lines<Program: Hashable & Sendable>: Sendable {
  let most: Int
  /// Only programs that have any.
  var windows: [Program: [UInt32]] = [:]
  var programs: [UInt32: Program] = [:]

  init(most: Int) { self.most = most }

  var hasRoom: Bool { programs.count < most }

  func count(of program: Program) -> Int { windows[program]?.count ?? 0 }

  mutating func append(_ window: UInt32, of program: Program) {
    programs[window] = program
    windows[program, default: []].append(window)
  }

  mutating func remove(_ window: UInt32) {
    guard let program = programs.removeValue(forKey: window) else { return }
    windows[program]?.removeAll { $0 == window }
    if windows[program]?.isEmpty == true { windows[program] = nil }
  }

  /// The newest window for which `mayGo` holds, of the program with the most windows that has one.
  func last(ofMoreThan count: Int, where mayGo: (UInt32) -> Bool) -> UInt32? {
    for line in windows.values.filter({ $0.count > count }).sorted(by: { $0.count > $1.count }) {
      if let window = line.last(where: mayGo) { return window }
    }
    return nil
  }
}
