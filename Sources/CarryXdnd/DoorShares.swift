/// Which windows have side doors, where there are more windows than there may be doors.
package enum DoorShares {
  /// The programs choose in turns, one window each, so that no program takes what another has not had yet.
  ///
  /// - Parameters:
  ///   - most: of all programs together.
  ///   - mostOfOne: of one program.
  ///   - turn: counts on with each drag. Another program chooses first each time, as there may be more of them than doors.
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
