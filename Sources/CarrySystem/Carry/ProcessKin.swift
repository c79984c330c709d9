import CLinux

/// What a process belongs to: its control group, its session, its parent, its program. From the widest to the narrowest,
/// as programs that fork share the first ones longest.
///
/// It is as it was when it was asked. No question to the kernel for it waits for a file system.
package struct ProcessKin: Equatable, Sendable {
  /// Nil for what cannot be told.
  package let circles: [String?]

  package init(_ circles: [String?]) { self.circles = circles }

  package init(of pid: Int32) {
    let folder = "/proc/\(pid)"
    let group = (try? Files.readAll(folder + "/cgroup", limit: 1 << 16)).map { String(decoding: $0, as: UTF8.self) }
    // The name of the program, in parentheses, may have spaces and parentheses of its own.
    let status = (try? Files.readAll(folder + "/stat", limit: 1 << 16)).map { String(decoding: $0, as: UTF8.self) }
    let fields = status?.split(separator: ")").last?.split(separator: " ").map(String.init) ?? []
    circles = [
      group, fields.count > 3 ? fields[3] : nil, fields.count > 1 ? fields[1] : nil, Self.link(folder + "/exe"),
    ]
  }

  /// The corresponding C function is `readlink`: the file itself is not touched.
  private static func link(_ path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let n = bytes.withUnsafeMutableBytes {
      readlink(path, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
    }
    return n > 0 ? String(decoding: bytes[..<n], as: UTF8.self) : nil
  }

  /// Finds the crowd among those who hold something and the one who comes: goes from circle to circle into the largest
  /// part, as long as that is larger than `few`.
  ///
  /// - Returns: who of the holders is in it, and whether it makes room for the newcomer, which is so unless that is one of
  ///   them, or the others have more than they: who has no kin may well be one of many. Nil where all are of one kind, or nobody is many.
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
