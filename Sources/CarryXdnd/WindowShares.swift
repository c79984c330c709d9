/// Which windows have a place, where there are more windows than places.
///
/// A program has its share at the most. Once all places are taken, a program with few windows gets a place of the one that
/// has most: neither one program nor many of them keep others out. Windows without a place are remembered until there is
/// room.
package struct WindowShares<Program: Hashable & Sendable>: Sendable {
  package enum Answer: Equatable, Sendable {
    case placed
    /// In the place of another window, which has none any more, and is not remembered.
    case placedInstead(of: UInt32)
    case turnedAway
  }

  private var placed: Lines<Program>
  private var turnedAway: Lines<Program>
  private let mostOfOne: Int

  /// - Parameters:
  ///   - most: windows that have a place.
  ///   - mostOfOne: of one program.
  ///   - mostTurnedAway: windows that are remembered.
  package init(most: Int, mostOfOne: Int, mostTurnedAway: Int) {
    placed = Lines(most: most)
    turnedAway = Lines(most: mostTurnedAway)
    self.mostOfOne = mostOfOne
  }

  /// A window wants a place.
  ///
  /// - Parameter mayGo: whether a window may lose its place to this one.
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
      // Not of one that has as many then as this one: the two would take the place from each other for ever.
      if let other = placed.last(ofMoreThan: count + 1, where: mayGo) {
        placed.remove(other)
        placed.append(window, of: program)
        return .placedInstead(of: other)
      }
    }
    remember(window, of: program)
    return .turnedAway
  }

  /// Here, too, no program takes the room of others.
  private mutating func remember(_ window: UInt32, of program: Program) {
    if !turnedAway.hasRoom {
      guard let other = turnedAway.last(ofMoreThan: turnedAway.count(of: program) + 1, where: { _ in true }) else {
        return
      }
      turnedAway.remove(other)
    }
    turnedAway.append(window, of: program)
  }

  /// A window is gone, or wants no place any more.
  package mutating func remove(_ window: UInt32) {
    placed.remove(window)
    turnedAway.remove(window)
  }

  /// Whether there is room for a window that was turned away.
  package var hasNext: Bool { nextProgram != nil }

  /// Of the windows that were turned away, and for which there is room now, one of the program with the fewest places. It
  /// is not remembered any more.
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

/// The windows of each program, in the order in which they came.
private struct Lines<Program: Hashable & Sendable>: Sendable {
  let most: Int
  /// Without the programs that have none.
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

  /// The window that came last, among those for which something holds, of the program that has most and has one of these.
  func last(ofMoreThan count: Int, where mayGo: (UInt32) -> Bool) -> UInt32? {
    for line in windows.values.filter({ $0.count > count }).sorted(by: { $0.count > $1.count }) {
      if let window = line.last(where: mayGo) { return window }
    }
    return nil
  }
}
