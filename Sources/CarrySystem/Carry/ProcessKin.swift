import CLinux

/// The groups to which a process belongs: its control group, session, parent and program. Ordered from the widest to
/// the narrowest, since forks share the first of these longest.
///
/// The values are those at the time of reading. Reading never waits for a file system.
package struct ProcessKin: Equatable, Sendable {
  /// Nil where unknown.
  package let circles: [String?]

  package init(_ circles: [String?]) { self.circles = circles }

  package init(of pid: Int32) {
    let folder = "/proc/\(pid)"
    let group = (try? Files.readAll(folder + "/cgroup", limit: 1 << 16)).map { String(decoding: $0, as: UTF8.self) }
    // The program's name, in parentheses, may itself contain spaces and parentheses.
    let status = (try? Files.readAll(folder + "/stat", limit: 1 << 16)).map { String(decoding: $0, as: UTF8.self) }
    let fields = status?.split(separator: ")").last?.split(separator: " ").map(String.init) ?? []
    circles = [
      group, fields.count > 3 ? fields[3] : nil, fields.count > 1 ? fields[1] : nil, Files.link(folder + "/exe"),
    ]
  }

  /// Finds the crowd among the holders and the newcomer: descends into the largest group of each kind, as long as
  /// that group is larger than `few`.
  ///
  /// - Returns: The holders in the crowd, and whether the crowd makes room for the newcomer. It does not if the
  ///   newcomer belongs to it, or if the others together hold more than the crowd, because a process without kin may
  ///   well be one of many. Nil if all are of one kind, or no group is large.
  package static func crowd<T>(
    among holders: [T], and newcomer: ProcessKin, moreThan few: Int, kin: (T) -> ProcessKin
  ) -> (members: [T], makesRoom: Bool)? {
    var members = holders
    var hasNewcomer = true
    for (i, own) in newcomer.circles.enumerated() {
      let parts = Dictionary(grouping: members) { kin($0).circles[i] }
      let largest = parts.filter { $0.key != nil }.max {
        ($0.value.count, $1.key ?? "") < ($1.value.count, $0.key ?? "")
      }
      guard let largest, largest.value.count > few else { continue }
      members = largest.value
      hasNewcomer = hasNewcomer && own == largest.key
    }
    guard members.count < holders.count || !hasNewcomer else { return nil }
    return (members, !hasNewcomer && 2 * members.count >= holders.count)
  }
}
