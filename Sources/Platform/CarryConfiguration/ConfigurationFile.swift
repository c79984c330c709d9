import CLinux
package import CarryModel
import CarrySystem

/// `carry.conf`: an INI file whose keys are the constants of `Settings`.
package enum ConfigurationFile {
  private static let limit = 1 << 20

  /// A key of the file: the setting, and the range of its values.
  struct Key {
    enum Target {
      case milliseconds(any WritableKeyPath<Settings, Interval> & Sendable, ClosedRange<Int>)
      case number(any WritableKeyPath<Settings, Double> & Sendable, ClosedRange<Double>)
      case count(any WritableKeyPath<Settings, Int> & Sendable, ClosedRange<Int>)
      case flag(any WritableKeyPath<Settings, Bool> & Sendable)
      case chord(any WritableKeyPath<Settings, KeyChord?> & Sendable)
      case names(any WritableKeyPath<Settings, [String]> & Sendable)
      case edge(any WritableKeyPath<Settings, ShelfPlace.Edge?> & Sendable)
    }
    var section: String
    var name: String
    var target: Target
  }

  static let keys: [Key] = [
    Key(section: "lift", name: "enabled", target: .flag(\.lift.isEnabled)),
    Key(section: "lift", name: "begins-ms", target: .milliseconds(\.lift.begins, 0...10_000)),
    Key(section: "lift", name: "completes-ms", target: .milliseconds(\.lift.completes, 1...10_000)),
    Key(section: "lift", name: "press-slop-px", target: .number(\.lift.pressSlop, 0...500)),
    Key(section: "lift", name: "drag-slop-px", target: .number(\.lift.dragSlop, 0...500)),
    Key(section: "lift", name: "applications", target: .names(\.lift.applications)),
    Key(section: "tap", name: "longest-ms", target: .milliseconds(\.tap.longest, 0...10_000)),
    Key(section: "tap", name: "slop-px", target: .number(\.tap.slop, 0...500)),
    Key(section: "spring", name: "delay-ms", target: .milliseconds(\.spring.delay, 0...60_000)),
    Key(section: "spring", name: "flash-ms", target: .milliseconds(\.spring.flash, 0...10_000)),
    Key(section: "spring", name: "flashes", target: .count(\.spring.flashes, 0...100)),
    Key(section: "spring", name: "slop-px", target: .number(\.spring.slop, 0...500)),
    Key(section: "spring", name: "windows", target: .flag(\.spring.raisesWindows)),
    Key(section: "spring", name: "window-delay-ms", target: .milliseconds(\.spring.windowDelay, 0...60_000)),
    Key(section: "drop", name: "target-settles-ms", target: .milliseconds(\.drop.targetSettles, 0...10_000)),
    Key(section: "drop", name: "highlight", target: .flag(\.drop.highlightsTargets)),
    Key(section: "drop", name: "edge-dwell-ms", target: .milliseconds(\.drop.edgeDwell, 0...10_000)),
    Key(section: "drop", name: "precision-offset-px", target: .number(\.drop.precisionOffset, 0...500)),
    Key(
      section: "drop", name: "own-application-below-px", target: .number(\.drop.staysInApplicationBelow, 0...100_000)),
    Key(section: "animation", name: "cancel-ms", target: .milliseconds(\.animation.cancel, 0...10_000)),
    // Longer animations would outlast the engine's wait for their end.
    Key(section: "animation", name: "drop-ms", target: .milliseconds(\.animation.drop, 0...1500)),
    Key(section: "animation", name: "few-items", target: .count(\.animation.fewItems, 0...32)),
    Key(section: "animation", name: "reduced", target: .flag(\.animation.isReduced)),
    Key(section: "contacts", name: "flicker-wait-ms", target: .milliseconds(\.contacts.flickerWait, 0...1000)),
    Key(section: "contacts", name: "flicker-distance-mm", target: .number(\.contacts.flickerMillimetres, 0...100)),
    Key(section: "keyboard", name: "pick-up", target: .chord(\.keyboard.pickUp)),
    Key(section: "bridge", name: "enabled", target: .flag(\.bridge.isEnabled)),
    Key(section: "shelf", name: "edge", target: .edge(\.shelf.edge)),
    Key(section: "pointer", name: "enabled", target: .flag(\.pointer.isEnabled)),
    Key(section: "pointer", name: "drag-slop-px", target: .number(\.pointer.dragSlop, 0...500)),
    Key(section: "trackpad", name: "enabled", target: .flag(\.trackpad.isEnabled)),
    Key(section: "trackpad", name: "drag-slop-px", target: .number(\.trackpad.dragSlop, 0...500)),
    Key(section: "trackpad", name: "regrip-ms", target: .milliseconds(\.trackpad.regrip, 0...5000)),
    Key(section: "trackpad", name: "tap-again-ms", target: .milliseconds(\.trackpad.tapAgain, 0...2000)),
    Key(section: "trackpad", name: "replay-px-per-mm", target: .number(\.trackpad.pixelsPerMillimetre, 1...200)),
  ]

  /// Reads a file's settings over the defaults.
  package static func load(_ path: String) throws(FileProblem) -> Settings {
    let bytes: [UInt8]
    do { bytes = try Files.read(path, limit: limit) } catch {
      // "Invalid argument" does not help a person who named a device or a pipe.
      throw FileProblem(file: path, line: 0, message: error.code == EINVAL ? "not a regular file" : error.reason)
    }
    return try parse(bytes, file: path)
  }

  /// The places where the file is looked for if none is given, the most important first: the user's, the system's,
  /// and the commented default that is installed with the programs.
  package static func places() -> [String] {
    let user = environment("XDG_CONFIG_HOME") ?? environment("HOME").map { $0 + "/.config" }
    let system = directories("XDG_CONFIG_DIRS", "/etc/xdg")
    let data = directories("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
    return ([user].compactMap { $0 } + system + data).map { $0 + "/carry/carry.conf" }
  }

  /// Paths that are not absolute are ignored, as the specification of these variables demands.
  static func directories(_ variable: String, _ fallback: String) -> [String] {
    (environment(variable) ?? fallback).split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
  }

  /// The first of the places with a file, even if the file cannot be read; nil if there is none.
  package static func found(in places: [String] = places()) -> String? { places.first { Files.exists($0) } }

  private static func plain(_ number: Double) -> String {
    let text = String(number)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Every key of the file as `[section] name`, with its default as written in the file, in the file's order.
  package static var defaults: [(section: String, name: String, value: String)] {
    let settings = Settings()
    return keys.map { key in
      let value =
        switch key.target {
        case .milliseconds(let path, _): String(settings[keyPath: path].microseconds / 1000)
        case .number(let path, _): plain(settings[keyPath: path])
        case .count(let path, _): String(settings[keyPath: path])
        case .flag(let path): settings[keyPath: path] ? "yes" : "no"
        case .chord(let path): settings[keyPath: path]?.text ?? "none"
        case .names(let path): settings[keyPath: path].joined(separator: ", ")
        case .edge(let path): settings[keyPath: path]?.name ?? "none"
        }
      return (key.section, key.name, value)
    }
  }

  package static func parse(_ bytes: [UInt8], file: String) throws(FileProblem) -> Settings {
    var settings = Settings()
    var section = ""
    var lastLiftLine = 0
    for (number, line) in SettingLines(bytes) {
      func problem(_ message: String) -> FileProblem { FileProblem(file: file, line: number, message: message) }
      let name: String
      let value: String
      switch line {
      case .mistake(let message): throw problem(message)
      case .section(let another):
        section = another
        guard keys.contains(where: { $0.section == section }) else {
          throw problem(
            "unknown section [\(SafeText.displayable(section))]; there are "
              + sections.map { "[\($0)]" }.joined(separator: ", "))
        }
        continue
      case .setting(let key, let text): (name, value) = (key, text)
      }
      guard let key = keys.first(where: { $0.section == section && $0.name == name }) else {
        let known = keys.filter { $0.section == section }.map(\.name).joined(separator: ", ")
        throw problem(
          section.isEmpty
            ? "a key before the first section; put [lift] or another one above it"
            : "unknown key '\(SafeText.displayable(name))' in [\(section)]; there are \(known)")
      }
      guard set(key.target, to: value, in: &settings) else {
        throw problem("'\(name)' takes \(range(key.target)), not '\(SafeText.displayable(value))'")
      }
      if section == "lift" { lastLiftLine = number }
    }
    if settings.lift.completes < settings.lift.begins {
      throw FileProblem(
        file: file, line: lastLiftLine, message: "[lift] completes-ms is less than begins-ms")
    }
    return settings
  }

  private static var sections: [String] {
    keys.reduce(into: []) { if !$0.contains($1.section) { $0.append($1.section) } }
  }

  private static func set(_ target: Key.Target, to value: String, in settings: inout Settings) -> Bool {
    switch target {
    case .milliseconds(let path, let range):
      guard let n = Int(value), range.contains(n) else { return false }
      settings[keyPath: path] = .milliseconds(n)
    case .number(let path, let range):
      guard let n = Double(value), range.contains(n) else { return false }
      settings[keyPath: path] = n
    case .count(let path, let range):
      guard let n = Int(value), range.contains(n) else { return false }
      settings[keyPath: path] = n
    case .flag(let path):
      guard value == "yes" || value == "no" else { return false }
      settings[keyPath: path] = value == "yes"
    case .chord(let path):
      let chord = value == "none" ? nil : KeyChord(value)
      guard chord != nil || value == "none" else { return false }
      settings[keyPath: path] = chord
    case .names(let path):
      guard let names = names(value) else { return false }
      settings[keyPath: path] = names
    case .edge(let path):
      let edge = ShelfPlace.Edge.names.first { $0.name == value }?.edge
      guard edge != nil || value == "none" else { return false }
      settings[keyPath: path] = edge
    }
    return true
  }

  /// The names between commas; nil if one is empty or too long, or if there are too many. `none` and an empty value
  /// are no names.
  private static func names(_ value: String) -> [String]? {
    if value.isEmpty || value == "none" { return [] }
    let names = value.split(separator: ",", omittingEmptySubsequences: false).map {
      String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    let isGood = names.allSatisfy { !$0.isEmpty && $0.utf8.count <= Limits.applicationNameBytes }
    return isGood && names.count <= Limits.liftApplications ? names : nil
  }

  private static func range(_ target: Key.Target) -> String {
    switch target {
    case .milliseconds(_, let r): "whole milliseconds from \(r.lowerBound) to \(r.upperBound)"
    case .number(_, let r): "a number from \(Int(r.lowerBound)) to \(Int(r.upperBound))"
    case .flag: "yes or no"
    case .chord: "none, or a key as X names it with Ctrl, Alt, Super or Shift before it, such as Super+Shift+d"
    case .names:
      "none, or at most \(Limits.liftApplications) names with commas between them, of at most \(Limits.applicationNameBytes) bytes each"
    case .edge: ShelfPlace.Edge.names.map(\.name).joined(separator: ", ") + " or none"
    case .count(_, let r): "a whole number from \(r.lowerBound) to \(r.upperBound)"
    }
  }
}
