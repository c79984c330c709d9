import CLinux
import CarrySystem

/// The watched directories by the kernel's numbers, with the names that matter in each; an empty set means all names.
typealias WatchedNames = [CInt: Set<String>]

extension WatchedNames {
  /// Adds a watch of `Inotify`.
  mutating func insert(_ watched: Inotify.Watched) {
    // In a directory that is watched itself, every name matters.
    let isWhole = watched.name.isEmpty || self[watched.number]?.isEmpty == true
    self[watched.number] = isWhole ? [] : (self[watched.number] ?? []).union([watched.name])
  }
}

extension Inotify {
  /// A watch for a path.
  struct Watched {
    /// The kernel's number.
    var number: CInt
    /// The name in the watched directory that matters; empty for the directory itself.
    var name: String
  }

  /// All changes of a directory's entries and of the directory.
  static let changes = UInt32(
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)

  /// Maximum number of symbolic links followed, as many as the kernel follows on the way to a file
  /// (path_resolution(7)).
  private static let maxLinks = 40

  /// Watches a directory, or the nearest existing one above it.
  ///
  /// - Parameter levels: how many directories above it may be watched in its place.
  /// - Returns: nil if none of them exists.
  func watchDirectory(_ path: String, orAbove levels: Int = .max) -> Watched? {
    var (directory, below, left) = (path, [String](), levels)
    var number = watchOne(directory)
    while number < 0 {
      guard left > 0, !directory.isEmpty, directory != "/" else { return nil }
      let slash = directory.lastIndex(of: "/") ?? directory.startIndex
      below.append(String(directory[slash...].drop { $0 == "/" }))
      directory = String(directory[..<slash])
      left -= 1
      number = watchOne(directory)
    }
    // The next directory below may have been created before the one above was watched.
    while let name = below.last {
      directory += "/" + name
      let next = watchOne(directory)
      guard next >= 0 else { break }
      number = next
      below.removeLast()
    }
    return Watched(number: number, name: below.last ?? "")
  }

  private func watchOne(_ directory: String) -> CInt {
    watch(directory.isEmpty ? "/" : directory, Self.changes | UInt32(IN_ONLYDIR))
  }

  /// Watches the way to a path: each symbolic link on it, in the directory that contains the link. Retargeting a link
  /// causes no event in its old target.
  ///
  /// - Parameter isWhole: whether the directories on the way are watched as well, because any of them may be
  ///   replaced.
  /// - Returns: the path without links, as far as it exists, and the watches.
  func watchWay(to path: String, isWhole: Bool = false) -> (resolved: String, watched: [Watched]) {
    var (resolved, watched, links) = ("", [Watched](), 0)
    var rest = Array(path.split(separator: "/").map(String.init).reversed())
    func watchEntry(_ name: String) {
      let number = watchOne(resolved)
      if number >= 0 { watched.append(Watched(number: number, name: name)) }
    }
    while let name = rest.popLast() {
      let place = resolved + "/" + name
      switch name {
      case ".": continue
      case "..": resolved = String(resolved[..<(resolved.lastIndex(of: "/") ?? resolved.startIndex)])
      default:
        // Watch before looking: the entry may change in between.
        if isWhole { watchEntry(name) }
        guard var target = Files.link(place), links < Self.maxLinks else {
          resolved = place
          continue
        }
        links += 1
        if !isWhole {
          watchEntry(name)
          target = Files.link(place) ?? target
        }
        if target.hasPrefix("/") { resolved = "" }
        rest += target.split(separator: "/").map(String.init).reversed()
      }
      // Longer than any path that the kernel follows.
      guard resolved.utf8.count + rest.count < PATH_MAX else { break }
    }
    return (resolved.isEmpty ? "/" : resolved, watched)
  }

  /// Watches a directory, or the nearest existing one above it, and the way there.
  ///
  /// - Parameters:
  ///   - levels: how many directories above it may be watched in its place.
  ///   - isWhole: as in `watchWay`.
  func watchPlace(_ path: String, orAbove levels: Int = .max, isWhole: Bool = false) -> [Watched] {
    let path = Files.absolute(path)
    var (resolved, watched) = watchWay(to: path, isWhole: isWhole)
    // The kernel also follows links whose text is not valid UTF-8.
    for directory in Set([path, resolved]) {
      if let found = watchDirectory(directory, orAbove: levels) { watched.append(found) }
    }
    return watched
  }
}
