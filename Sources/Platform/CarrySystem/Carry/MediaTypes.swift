import CarryModel

/// The ancestors of media types, from the database of shared-mime-info, which is read on first use.
///
/// Sessions carry each type's ancestors, so that destinations need no database. GIO can only test whether one type is a
/// kind of another. The database's text files `subclasses` and `aliases` list the ancestors.
package final class MediaTypes {
  /// The database's type names.
  private struct Names: Sendable {
    /// The parents of each type, and the type of each alias.
    var parents: [String: [String]] = [:]
    /// The other names of each type.
    var aliases: [String: [String]] = [:]
  }

  /// The maximum number of names listed for a type.
  private static let most = 32

  private var names: Names?
  /// The thread that reads the database; nil after reading, or if there is none.
  private var reading: AsideAnswer<Names>?
  /// Whether only a thread may read the database.
  private var isAside = false
  private static let patience = Interval.milliseconds(500)
  private var globs: [(pattern: String, type: String, weight: Int)]?
  private let directories: [String]
  /// Whether the database has been read; for tests.
  package var isLoaded: Bool { names != nil }

  /// - Parameter directories: the data directories, the most important first; nil for the XDG ones.
  package init(directories: [String]? = nil) {
    let user = environment("XDG_DATA_HOME") ?? environment("HOME").map { $0 + "/.local/share" }
    let system = (environment("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
    self.directories = directories ?? [user].compactMap { $0 } + system
  }

  /// The types to which a type conforms, without itself, nearest first, followed by all their aliases.
  package func ancestors(of type: String) -> [String] {
    let base = String(type.prefix { $0 != ";" && $0 != " " }).lowercased()
    var list: [String] = base == type ? [] : [base]
    var queue = [base]
    while !queue.isEmpty, list.count < Self.most {
      let t = queue.removeFirst()
      for parent in loaded().parents[t] ?? [] where parent != type && list.count < Self.most && !list.contains(parent) {
        list.append(parent)
        queue.append(parent)
      }
      // The specification's implicit rules.
      if t.hasPrefix("text/"), t != "text/plain", type != "text/plain", !list.contains("text/plain") {
        list.append("text/plain")
      }
    }
    // A destination that accepts an alias of a type accepts the type.
    for t in [base] + list {
      for alias in loaded().aliases[t] ?? [] where alias != type && list.count < Self.most && !list.contains(alias) {
        list.append(alias)
      }
    }
    if !base.hasPrefix("inode/"), base != "application/octet-stream", !list.contains("application/octet-stream") {
      list.append("application/octet-stream")
    }
    return list
  }

  /// Reads the database on a thread, since a user's file system may hang, and waits half a second for it. Until it
  /// has been read, types have only the ancestors that need no database.
  package func loadAside() {
    isAside = true
    guard names == nil, reading == nil else { return }
    reading = beginReading()
    names = reading?.get(within: Self.patience)
    if names != nil { reading = nil }
  }

  /// Nil if no thread can be created.
  private func beginReading() -> AsideAnswer<Names>? { try? AsideAnswer { [directories] in Self.read(directories) } }

  /// The type that a file's name suggests; `application/octet-stream` when it suggests none.
  package func type(ofFileNamed name: String) -> String {
    let lower = name.lowercased()
    var best: (type: String, length: Int, weight: Int)?
    for glob in loadedGlobs() where lower.hasSuffix(glob.pattern) && lower.utf8.count > glob.pattern.utf8.count {
      let length = glob.pattern.utf8.count
      // The specification: the longest pattern counts, then the heaviest.
      if best == nil || (length, glob.weight) > (best!.length, best!.weight) { best = (glob.type, length, glob.weight) }
    }
    return best?.type ?? "application/octet-stream"
  }

  /// Patterns of the form `*.suffix`, the most common kind.
  private func loadedGlobs() -> [(pattern: String, type: String, weight: Int)] {
    if let globs { return globs }
    var list: [(pattern: String, type: String, weight: Int)] = []
    for directory in directories {
      guard let bytes = try? Files.read("\(directory)/mime/globs2", limit: 4 << 20) else { continue }
      for line in bytes.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
        let parts = line.split(separator: UInt8(ascii: ":"))
        guard parts.count >= 3, parts[2].starts(with: Array("*.".utf8)) else { continue }
        let suffix = String(decoding: parts[2].dropFirst(), as: UTF8.self)
        guard !suffix.contains("*"), !suffix.contains("["), !suffix.contains("?") else { continue }
        let type = String(decoding: parts[1], as: UTF8.self)
        guard SafeText.isMediaType(type) else { continue }
        list.append((suffix.lowercased(), type, Int(String(decoding: parts[0], as: UTF8.self)) ?? 50))
      }
    }
    globs = list
    return list
  }

  /// Adds a name unless the list is full: the cost of a lookup must not depend on the size of a user's files.
  private static func add(_ name: String, to list: inout [String]) {
    if list.count < most, !list.contains(name) { list.append(name) }
  }

  private func loaded() -> Names {
    if let names { return names }
    if isAside {
      reading = reading ?? beginReading()
      guard let names = reading?.get() else { return Names() }
      (self.names, reading) = (names, nil)
      return names
    }
    let names = Self.read(directories)
    self.names = names
    return names
  }

  private static func read(_ directories: [String]) -> Names {
    var names = Names()
    for directory in directories {
      for file in ["subclasses", "aliases"] {
        guard let bytes = try? Files.read("\(directory)/mime/\(file)", limit: 1 << 20) else { continue }
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
          let words = line.split(separator: UInt8(ascii: " "))
          guard words.count == 2 else { continue }
          let child = String(decoding: words[0], as: UTF8.self)
          let parent = String(decoding: words[1], as: UTF8.self)
          guard SafeText.isMediaType(child), SafeText.isMediaType(parent) else { continue }
          add(parent, to: &names.parents[child, default: []])
          if file == "aliases" { add(child, to: &names.aliases[parent, default: []]) }
        }
      }
    }
    return names
  }
}
