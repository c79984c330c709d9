@testable import CarryConfiguration
import CarryModel
import CarrySystem
import CarryTesting
import Testing

private func parse(_ text: String) throws(FileProblem) -> Settings {
  try ConfigurationFile.parse(Array(text.utf8), file: "carry.conf")
}

private func sentence(_ text: String) -> String {
  do { _ = try parse(text) } catch { return error.sentence }
  return ""
}

@Suite struct ConfigurationFileTests {
  /// Each key with its default, as the lines of a file: comments that are keys, and sections.
  private static func commentedKeys(_ text: String) -> [String] {
    var section = ""
    return text.split(separator: "\n").compactMap { line in
      if line.hasPrefix("[") { section = String(line.dropFirst().dropLast()) }
      guard line.hasPrefix("#"), !line.hasPrefix("# "), line.contains(" = ") else { return nil }
      return "[\(section)] " + line.dropFirst()
    }
  }

  private static let expected = ConfigurationFile.defaults.map { "[\($0.section)] \($0.name) = \($0.value)" }

  @Test func everySettingHasAKey() {
    // The file's names are not the code's; but each key sets another setting, so that as many are all.
    #expect(
      ConfigurationFile.defaults.count
        == Mirror(reflecting: Settings()).children.reduce(0) { $0 + Mirror(reflecting: $1.value).children.count })
    var changed: [Settings] = []
    for key in ConfigurationFile.defaults {
      let other =
        switch key.value {
        case "no": "yes"
        case "yes": "no"
        case "20": "21"
        case "right": "left"
        default: key.name == "pick-up" ? "Super+x" : "20"
        }
      // Between the lift's two times everything is allowed.
      let more = key.name == "completes-ms" ? "[lift]\nbegins-ms = 1\n" : ""
      let settings = try? parse("\(more)[\(key.section)]\n\(key.name) = \(key.name == "begins-ms" ? "21" : other)\n")
      guard let settings else {
        Issue.record("[\(key.section)] \(key.name) does not take \(other)")
        continue
      }
      #expect(settings != Settings() && !changed.contains(settings), "[\(key.section)] \(key.name)")
      changed.append(settings)
    }
  }

  @Test func theInstalledFileHasEveryKeyWithItsDefault() throws {
    let bytes = try Files.read(Checkout.root + "/Sources/Install/carry.conf", limit: 1 << 16)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(Self.commentedKeys(text) == Self.expected)
    #expect(try ConfigurationFile.parse(bytes, file: "carry.conf") == Settings())
    // With the comments taken away it still means the same.
    let keys = text.split(separator: "\n").filter { !$0.hasPrefix("# ") }.map {
      $0.hasPrefix("#") ? $0.dropFirst() : $0
    }
    #expect(try parse(keys.joined(separator: "\n")) == Settings())
  }

  @Test func theManualPageHasEveryKeyWithItsDefault() throws {
    let bytes = try Files.read(Checkout.root + "/docs/man/carry.conf.5", limit: 1 << 16)
    var section = ""
    var found: [String] = []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      if line.hasPrefix(".Ss [") { section = String(words[1]) }
      if line.hasPrefix(".It Li "), words.count >= 5, words[3] == "No" {
        found.append("\(section) \(words[2]) = \(words[4...].joined(separator: " ").dropFirst().dropLast())")
      }
    }
    #expect(found == Self.expected)
  }

  @Test("Z23: applications are names between commas, and none switches lifting out of them off")
  func Z23_applications() throws {
    func applications(_ value: String) throws -> [String] {
      try parse("[lift]\napplications = \(value)\n").lift.applications
    }
    #expect(try applications("Thunar ,  xterm,My Program").elementsEqual(["Thunar", "xterm", "My Program"]))
    #expect(try applications("").isEmpty)
    let most = Array(repeating: "a", count: Limits.liftApplications).joined(separator: ",")
    #expect(try applications(most).count == Limits.liftApplications)
    let longest = String(repeating: "a", count: Limits.applicationNameBytes)
    #expect(try applications(longest) == [longest])
    for bad in [",", "a,", "a,,b", most + ",a", longest + "a"] {
      #expect(sentence("[lift]\napplications = \(bad)\n").contains("at most 32 names"), "\(bad)")
    }
  }

  @Test func aMistakeIsNamedWithItsLine() {
    for (text, words) in [
      ("[lift]\n\nbegins-ms = soon\n", ["carry.conf:3:", "'begins-ms'", "0 to 10000", "'soon'"]),
      ("begins-ms = 1\n", ["carry.conf:1:", "[lift]"]), ("[flight]\n", ["carry.conf:1:", "[flight]", "[spring]"]),
      ("[lift]\nspeed = 1\n", ["carry.conf:2:", "'speed'", "completes-ms"]), ("[lift\n", ["carry.conf:1:", "bracket"]),
      ("[tap]\nslop-px\n", ["carry.conf:2:", "key = value"]), ("[tap]\nslop-px = nan\n", ["carry.conf:2:"]),
      ("[tap]\nslop-px = 1e999\n", ["carry.conf:2:"]),
      ("[lift]\nbegins-ms = 600\n\n[tap]\n", ["carry.conf:2:", "less than begins-ms"]),
    ] {
      for word in words { #expect(sentence(text).contains(word), "\(text): \(sentence(text))") }
    }
    #expect(throws: FileProblem.self) { try ConfigurationFile.parse([0xFF, 0xFE], file: "x") }
  }

  @Test func theFirstPlaceThatHasAFileCounts() {
    #expect(ConfigurationFile.found(in: ["/nonexistent/a", "/etc/passwd", "/etc/hostname"]) == "/etc/passwd")
    #expect(ConfigurationFile.found(in: ["/nonexistent/a"]) == nil)
    let places = ConfigurationFile.places()
    #expect(places.allSatisfy { $0.hasSuffix("/carry/carry.conf") })
  }
}
