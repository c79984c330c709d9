/// Chooses the windows that get side doors if there are more windows than doors.
package enum DoorShares {
  /// Programs choose in turns, one window each, so that no program gets another window before all others have had a
  /// choice.
  ///
  /// - Parameters:
  ///   - most: The limit for all programs together.
  ///   - mostOfOne: The limit for one program.
  ///   - turn: Increases with each drag. A different program chooses first each time, as there may be more programs
  ///     than doors.
  package static func windows(
    of programs: [some Hashable: [UInt32]], most: Int, mostOfOne: Int, turn: Int
  ) -> [UInt32] {
    let sorted = programs.values.map { $0.sorted() }.sorted { ($0.first ?? 0) < ($1.first ?? 0) }
    let first = sorted.isEmpty ? 0 : turn * most % sorted.count
    let lines = sorted[first...] + sorted[..<first]
    return Array(
      (0..<mostOfOne).lazy.flatMap { turn in lines.lazy.filter { turn < $0.count }.map { $0[turn] } }.prefix(most))
  }
}
