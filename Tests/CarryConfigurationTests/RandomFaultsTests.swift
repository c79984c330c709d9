import CarryModel
import CarryTesting
import Testing

@testable import CarryConfiguration

/// Files that decide who may see what, with random faults: none traps, and what counts of them is what they say.
@Suite struct RandomFaultsTests {
  private static let pieces = [
    "\n", "\r\n", "[", "]", "=", " ", "\t", "#", ";", "[allow]\n", "[forbid]\n", "[app]\n", "source = ", "target = ",
    "type = ",
    "managed", "anyone", "strangers", "team:", "app:", "*/*", "image/*", "image/png", "/", ".", "executable = ",
    "script = ",
    "/usr/bin/python3", "team = ", "yes", "\u{0}", "\u{202E}", "é", "flatpak = ", "file-provider = ", "icon = ",
  ].map { Array($0.utf8) }

  /// - Parameter body: gets one of the texts with one to eight faults, so many times.
  private static func damage(
    _ texts: [String], seed: UInt64, times: Int = 12_500, _ body: ([UInt8]) throws -> Void
  ) rethrows {
    var random = SeededRandom(seed: seed)
    for _ in 0..<times {
      var bytes = Array(texts[Int.random(in: 0..<texts.count, using: &random)].utf8)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let at = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.insert(UInt8.random(in: 0...255, using: &random), at: at)
        case 1: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 0...9, using: &random)))
        case 2: bytes.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &random)], at: at)
        default: if at < bytes.count { bytes[at] = UInt8.random(in: 0...255, using: &random) }
        }
      }
      try body(bytes)
    }
  }

  private static func text(_ rules: [Policy.Rule]) -> String {
    func word(_ party: Policy.Party) -> String {
      switch party {
      case .anyone: "anyone"
      case .managed: "managed"
      case .unmanaged: "unmanaged"
      case .strangers: "strangers"
      case .sandboxed: "sandboxed"
      case .team(let team): "team:" + team
      case .program(let program): "app:" + program
      }
    }
    return rules.map { rule in
      "[\(rule.verdict)]\nsource = \(rule.sources.map(word).joined(separator: " "))\n"
        + "target = \(rule.targets.map(word).joined(separator: " "))\ntype = \(rule.types.joined(separator: " "))\n"
    }.joined()
  }

  @Test(
    "G6: of 50,000 policies with random faults none traps, and what is read can be written and read the same",
    arguments: UInt64(1)...4)
  func G6_policies(seed: UInt64) throws {
    let texts = [
      "[forbid]\nsource = team:example org.example.Mail\ntarget = unmanaged strangers\ntype = image/* text/plain\n",
      "# first\n[allow]\nsource = managed\r\n\n; second\n[forbid]\ntarget = sandboxed app:chat\n",
    ]
    var (read, mistakes) = (0, 0)
    try Self.damage(texts, seed: seed) { bytes in
      var lines = 0
      let rules: [Policy.Rule]
      do throws(FileProblem) { rules = try PolicyFiles.parse(bytes, file: "f", lines: &lines) } catch {
        mistakes += 1
        #expect(error.line > 0 && !error.message.utf8.contains { $0 < 0x20 }, "\(error)")
        return
      }
      read += 1
      var again = 0
      let second = try PolicyFiles.parse(Array(Self.text(rules).utf8), file: "f", lines: &again)
      func same(_ a: Policy.Rule, _ b: Policy.Rule) -> Bool {
        a.verdict == b.verdict && a.sources == b.sources && a.targets == b.targets && a.types == b.types
      }
      if second.count != rules.count || !zip(rules, second).allSatisfy(same) {
        Issue.record("\(String(decoding: bytes, as: UTF8.self).debugDescription): \(rules), \(second)")
      }
    }
    #expect(read > 200 && mistakes > 200, "\(read) read, \(mistakes) mistakes")
  }

  @Test(
    "K6: of 50,000 manifests with random faults none traps, and a user's own never counts for more than the name",
    arguments: UInt64(1)...4)
  func K6_manifests(seed: UInt64) {
    let texts = [
      "executable = /usr/bin/mail\nname = Mail\nicon = mail\nteam = example\nmanaged = yes\n",
      "[app]\nexecutable = /usr/bin/python3\nscript = /usr/bin/notes\nfile-provider = /usr/libexec/notes\n",
      "flatpak = org.example.Photos\nsnap = photos\n",
    ]
    var (read, mistakes) = (0, 0)
    Self.damage(texts, seed: seed) { bytes in
      for isSystems in [true, false] {
        let manifest: ProgramManifest
        do throws(FileProblem) {
          manifest = try ManifestFiles.parse(bytes, "a.conf", file: "f", isSystems: isSystems)
        } catch {
          mistakes += 1
          #expect(!error.message.utf8.contains { $0 < 0x20 }, "\(error)")
          continue
        }
        read += 1
        let paths = [manifest.executable, manifest.script, manifest.fileProvider].compactMap { $0 }
        let isRight =
          paths.allSatisfy { $0.hasPrefix("/") && !$0.utf8.contains(0) }
          && (manifest.team.map(ManifestFiles.isName) ?? true)
          && (manifest.executable != nil || manifest.script != nil || manifest.sandbox != nil)
          && (isSystems || manifest.team == nil && !manifest.isManaged && manifest.fileProvider == nil)
        if !isRight { Issue.record("\(String(decoding: bytes, as: UTF8.self).debugDescription): \(manifest)") }
      }
    }
    #expect(read > 200 && mistakes > 200, "\(read) read, \(mistakes) mistakes")
  }
}
