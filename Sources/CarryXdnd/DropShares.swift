/// Which drop has to end, where more of them wait for their data than there may be.
package enum DropShares {
  /// The oldest one of the program that has the most, so that nobody's drops push out another's. Of several programs with as
  /// many, the one whose drop is the oldest.
  ///
  /// - Parameters:
  ///   - programs: whose each drop is, from the oldest on.
  ///   - most: how many drops there may be.
  /// - Returns: which of them; nil while there is room.
  package static func excess(of programs: [some Hashable], most: Int) -> Int? {
    guard programs.count > most else { return nil }
    let counts = Dictionary(programs.map { ($0, 1) }, uniquingKeysWith: +)
    let largest = counts.values.max()
    return programs.firstIndex { counts[$0] == largest }
  }
}
