package import CarryModel
import CarrySystem

/// The manifests of programs: `carry/apps/*.conf` in the data directories.
///
/// In the system's directories they belong to root. All others count as a user's own.
package struct ManifestFiles: Sendable {
  private static let limit = 1 << 16
  /// Maximum bytes of all manifests of a directory together. The engine reads them between two motions of a finger,
  /// and any program of the user can fill the user's own directory.
  private static let maxBytes = 1 << 19

  /// A directory of manifests.
  package struct Place: Equatable, Sendable {
    package var path: String
    /// Whether its manifests may be the system's.
    package var isSystems: Bool
    /// Whether the person who started the engine named it, so that the files may belong to that user.
    package var isNamed: Bool
  }

  package let places: [Place]

  /// The usual places, the most important first: the system's, and then the user's own.
  ///
  /// - Parameter named: a directory that replaces the system's.
  package init(named: String? = nil) {
    let system =
      named.map { [Place(path: $0, isSystems: true, isNamed: true)] }
      ?? ConfigurationFile.directories("XDG_DATA_DIRS", "/usr/local/share:/usr/share").map {
        Place(path: $0 + "/carry/apps", isSystems: true, isNamed: false)
      }
    let user = environment("XDG_DATA_HOME") ?? environment("HOME").map { $0 + "/.local/share" }
    places =
      system
      + [user].compactMap { $0 }.filter { $0.hasPrefix("/") }.map {
        Place(path: $0 + "/carry/apps", isSystems: false, isNamed: false)
      }
  }

  /// Reads all manifests. Of several with one name, the one in the most important place counts.
  ///
  /// - Returns: the manifests, and the problems of the files that were not accepted.
  package func load() -> (manifests: [ProgramManifest], problems: [FileProblem]) {
    var manifests: [ProgramManifest] = []
    var problems: [FileProblem] = []
    for place in places {
      guard Files.exists(place.path) else {
        if place.isNamed { problems.append(FileProblem(file: place.path, message: "there is no such directory")) }
        continue
      }
      let folder = GuardedFolder(path: place.path)
      do {
        let isOwn = try folder.owner() == .user
        var left = Self.maxBytes
        for name in try folder.names() {
          do {
            let (bytes, owner) = try folder.read(name, limit: Self.limit)
            left -= bytes.count
            guard left >= 0 else {
              let message = "the manifests from \(SafeText.displayable(name)) on are beyond \(Self.maxBytes) bytes"
              problems.append(FileProblem(file: place.path, message: message))
              break
            }
            let isRoots = !isOwn && owner == .root
            let manifest = try Self.parse(
              bytes, name, file: "\(place.path)/\(name)", isSystems: place.isSystems && (isRoots || place.isNamed))
            if !manifests.contains(where: { $0.program == manifest.program && $0.isSystems == manifest.isSystems }) {
              manifests.append(manifest)
            }
          } catch {
            problems.append(error)
          }
        }
      } catch {
        problems.append(error)
      }
    }
    return (manifests, problems)
  }

  static func parse(
    _ bytes: [UInt8], _ name: String, file: String, isSystems: Bool
  ) throws(FileProblem) -> ProgramManifest {
    let program = GuardedFolder.stem(name)
    guard Self.isName(program) else {
      throw FileProblem(file: file, message: "the file's name takes letters, digits, '.', '-' and '_'")
    }
    var manifest = ProgramManifest(program: program, file: file, isSystems: isSystems)
    for (number, line) in SettingLines(bytes) {
      func problem(_ message: String) -> FileProblem { FileProblem(file: file, line: number, message: message) }
      switch line {
      case .mistake(let message): throw problem(message)
      case .section(let section):
        guard section == "app" else {
          throw problem("unknown section [\(SafeText.displayable(section))]; there is [app], which may be left out")
        }
      case .setting(let key, let value):
        guard !value.isEmpty, value.utf8.count <= 4096 else { throw problem("'\(SafeText.displayable(key))' is empty") }
        switch key {
        case "executable": manifest.executable = try path(value, key, problem)
        case "script": manifest.script = try path(value, key, problem)
        case "file-provider": manifest.fileProvider = try path(value, key, problem)
        case "flatpak": manifest.sandbox = .flatpak(try word(value, key, problem))
        case "snap": manifest.sandbox = .snap(try word(value, key, problem))
        case "name": manifest.name = SafeText.displayable(value)
        case "icon": manifest.icon = SafeText.displayable(value)
        case "team": manifest.team = try word(value, key, problem)
        case "managed":
          guard value == "yes" || value == "no" else {
            throw problem("'managed' takes yes or no, not '\(SafeText.displayable(value))'")
          }
          manifest.isManaged = value == "yes"
        default:
          throw problem(
            "unknown key '\(SafeText.displayable(key))'; there are executable, script, flatpak, snap, name, icon, team, "
              + "managed, file-provider")
        }
      }
    }
    guard manifest.executable != nil || manifest.script != nil || manifest.sandbox != nil else {
      throw FileProblem(file: file, message: "names no program: executable, script, flatpak or snap is missing")
    }
    if let executable = manifest.executable, manifest.script == nil, ProgramFacts.isInterpreter(executable) {
      throw FileProblem(
        file: file, message: "\(SafeText.displayable(executable)) runs many programs: script has to name this one")
    }
    if !isSystems {
      manifest.team = nil
      manifest.isManaged = false
      manifest.fileProvider = nil
    }
    return manifest
  }

  private static func path(
    _ value: String, _ key: String, _ problem: (String) -> FileProblem
  ) throws(FileProblem) -> String {
    guard value.hasPrefix("/"), !value.utf8.contains(0) else {
      throw problem("'\(key)' takes an absolute path, not '\(SafeText.displayable(value))'")
    }
    return value
  }

  private static func word(
    _ value: String, _ key: String, _ problem: (String) -> FileProblem
  ) throws(FileProblem) -> String {
    guard isName(value) else {
      throw problem("'\(key)' takes letters, digits, '.', '-' and '_', not '\(SafeText.displayable(value))'")
    }
    return value
  }

  /// Whether a text can be the name of a program or a team.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= Limits.nameBytes
      && text.utf8.allSatisfy { b in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(b | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(b)
          || b == UInt8(ascii: ".") || b == UInt8(ascii: "-") || b == UInt8(ascii: "_")
      }
  }
}
