/// Chooses the drop to end if too many wait for their data.
package enum DropShares {
  /// Ends the oldest drop of the program with the most, so that no program's drops displace another's. If several
  /// programs have equally many, the oldest drop among them ends.
  ///
  /// - Parameters:
  ///   - programs: The program of each drop, the oldest first.
  ///   - most: The maximum number of drops.
  /// - Returns: The index of the drop; nil while there is room.
  package static func excess(of programs: [some Hashable], most: Int) -> Int? {
    guard programs.count > most else { return nil }
    let counts = Dictionary(programs.map { ($0, 1) }, uniquingKeysWith: +)
    let largest = counts.values.max()
    return programs.firstIndex { counts[$0] == largest }
  }
}
