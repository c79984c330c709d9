package import CarryModel
import CarrySystem

/// The policy of the organisation: `/etc/carry/policy.d/*.conf`, in the order of the files' names (G6).
///
/// From a file that cannot be trusted or parsed on, every drag between different processes is forbidden. Otherwise a
/// typing mistake would allow what the organisation means to forbid.
package enum PolicyFiles {
  package static let place = "/etc/carry/policy.d"
  /// Maximum lines of all files together, without comments.
  package static let maxLines = 10_000
  /// Maximum bytes of all files together, with comments: the engine reads them between two motions of a finger.
  package static let maxBytes = 1 << 20
  private static let maxWords = 64

  /// - Returns: the policy, and the mistakes in the files.
  package static func load(_ path: String = place) -> (policy: Policy, problems: [FileProblem]) {
    var rules: [Policy.Rule] = []
    var lines = 0
    var left = maxBytes
    func forbid(_ problem: FileProblem) -> (Policy, [FileProblem]) {
      let place = problem.line > 0 ? "\(problem.file):\(problem.line)" : problem.file
      rules.append(Policy.Rule(.forbid, place: place, mistake: problem.message))
      return (Policy(rules), [problem])
    }
    let folder = GuardedFolder(path: path)
    do throws(FileProblem) {
      guard try folder.isThere() else { return (Policy(), []) }
      _ = try folder.owner()
      for name in try folder.names() {
        let file = "\(path)/\(name)"
        let bytes = try folder.read(name, limit: maxBytes).bytes
        left -= bytes.count
        guard left >= 0 else {
          throw FileProblem(file: file, message: "more than \(maxBytes) bytes in the policy's files")
        }
        rules += try parse(bytes, file: file, lines: &lines)
      }
    } catch {
      return forbid(error)
    }
    return (Policy(rules), [])
  }

  /// - Parameter lines: the number of lines in the previous files; incremented.
  static func parse(_ bytes: [UInt8], file: String, lines: inout Int) throws(FileProblem) -> [Policy.Rule] {
    var rules: [Policy.Rule] = []
    for (number, line) in SettingLines(bytes) {
      func problem(_ message: String) -> FileProblem { FileProblem(file: file, line: number, message: message) }
      lines += 1
      guard lines <= maxLines else { throw problem("more than \(maxLines) lines in the policy's files") }
      switch line {
      case .mistake(let message): throw problem(message)
      case .section(let section):
        guard let verdict = Policy.Verdict(rawValue: section) else {
          throw problem("unknown section [\(SafeText.displayable(section))]; there are [allow] and [forbid]")
        }
        rules.append(Policy.Rule(verdict, place: "\(file):\(number)"))
      case .setting(let key, let value):
        guard !rules.isEmpty else { throw problem("a key before the first rule; put [allow] or [forbid] above it") }
        let words = value.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
        guard (1...maxWords).contains(words.count) else {
          throw problem("'\(SafeText.displayable(key))' takes one to \(maxWords) words")
        }
        switch key {
        case "source": rules[rules.count - 1].sources = try parties(words, problem)
        case "target": rules[rules.count - 1].targets = try parties(words, problem)
        case "type":
          for word in words where !SafeText.isMediaType(word) {
            throw problem("'\(SafeText.displayable(word))' is no media type such as image/png, image/* or */*")
          }
          rules[rules.count - 1].types = words
        default:
          throw problem("unknown key '\(SafeText.displayable(key))'; there are source, target, type")
        }
      }
    }
    return rules
  }

  private static func parties(
    _ words: [String], _ problem: (String) -> FileProblem
  ) throws(FileProblem) -> [Policy.Party] {
    var parties: [Policy.Party] = []
    for word in words {
      guard let party = party(word) else {
        throw problem(
          "'\(SafeText.displayable(word))' is not a program; use anyone, managed, unmanaged, strangers, sandboxed, "
            + "team:NAME, and a program's name with a dot in it or as app:NAME")
      }
      parties.append(party)
    }
    return parties
  }

  private static func party(_ word: String) -> Policy.Party? {
    switch word {
    case "anyone": return .anyone
    case "managed": return .managed
    case "unmanaged": return .unmanaged
    case "strangers": return .strangers
    case "sandboxed": return .sandboxed
    default: break
    }
    func name(after prefix: String) -> String? {
      guard word.hasPrefix(prefix) else { return nil }
      let name = String(word.dropFirst(prefix.count))
      return ManifestFiles.isName(name) ? name : nil
    }
    if let team = name(after: "team:") { return .team(team) }
    if let program = name(after: "app:") { return .program(program) }
    return word.contains(".") && ManifestFiles.isName(word) ? .program(word) : nil
  }
}
