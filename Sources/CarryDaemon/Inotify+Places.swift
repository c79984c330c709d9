import CLinux
import CarrySystem

/// What is watched, by the kernel's numbers: the names that matter in a directory; none: all of them.
typealias WatchedNames = [CInt: Set<String>]

extension WatchedNames {
  /// Adds what `Inotify` has begun to watch.
  mutating func insert(_ watched: Inotify.Watched) {
    // Of the directory itself everything matters.
    let isWhole = watched.name.isEmpty || self[watched.number]?.isEmpty == true
    self[watched.number] = isWhole ? [] : (self[watched.number] ?? []).union([watched.name])
  }
}

extension Inotify {
  /// What is watched in the place of a path.
  struct Watched {
    /// The kernel's number.
    var number: CInt
    /// The name in the watched directory that matters; empty for the directory itself.
    var name: String
  }

  /// All that happens to a directory's entries and to the directory.
  static let changes = UInt32(
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)

  /// More symbolic links than the kernel follows on the way to a file (path_resolution(7)).
  private static let mostLinks = 40

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
    // The next one below may have come to be before the one above was watched.
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

  /// Watches each symbolic link on the way to a path, by the directory that it stands in: a link that is made to lead
  /// elsewhere changes nothing in what it led to.
  ///
  /// - Returns: the path without links, as far as it exists, and what is watched.
  func watchLinks(on path: String) -> (resolved: String, links: [Watched]) {
    var (resolved, links) = ("", [Watched]())
    var rest = Array(path.split(separator: "/").map(String.init).reversed())
    while let name = rest.popLast() {
      switch name {
      case ".": continue
      case "..": resolved = String(resolved[..<(resolved.lastIndex(of: "/") ?? resolved.startIndex)])
      default:
        let place = resolved + "/" + name
        guard links.count < Self.mostLinks, Files.link(place) != nil else {
          resolved = place
          continue
        }
        let number = watchOne(resolved)
        if number >= 0 { links.append(Watched(number: number, name: name)) }
        // Read again: it may have changed before it was watched.
        guard let target = Files.link(place) else {
          resolved = place
          continue
        }
        if target.hasPrefix("/") { resolved = "" }
        rest += target.split(separator: "/").map(String.init).reversed()
      }
    }
    return (resolved.isEmpty ? "/" : resolved, links)
  }
}
