import CarryModel
import CarryRecordings

@testable import CarryCommand
@testable import CarryConfiguration
@testable import CarryRecordings

/// Files: recordings, and what decides what the engine does.
extension Main {
  /// All formats, each played to its end.
  static func recordings(_ bytes: [UInt8]) {
    play { () throws(FileProblem) in try EvemuParser.parse(bytes, file: "fuzz") }
    play { () throws(FileProblem) in try EvtestParser.parse(bytes, file: "fuzz") }
    play { () throws(FileProblem) in try GeteventParser.parse(bytes, file: "fuzz") }
    play { () throws(FileProblem) in try GestureScriptParser.parse(bytes, file: "fuzz").recording(file: "fuzz") }
    play { () throws(FileProblem) in try LibinputRecordParser.parse(bytes, file: "fuzz") }
  }

  private static func play(_ read: () throws(FileProblem) -> Recording) {
    guard let recording = try? read(), recording.events.count < 5000,
      let player = try? RecordingPlayer(recording, startingAt: .zero)
    else { return }
    let printer = Printer(capturing: true)
    let report = ReplayReport(
      player.description, screen: Rect(x: 0, y: 0, width: 1280, height: 800), settings: Settings(), json: true, printer)
    player.playAll { report.frame($0) }
    report.finish()
    check(player.isFinished && player.nextTime == nil, "the recording does not end")
  }

  static func settings(_ bytes: [UInt8]) { _ = try? ConfigurationFile.parse(bytes, file: "fuzz") }

  static func programs(_ bytes: [UInt8]) {
    for isSystems in [true, false] {
      guard let manifest = try? ManifestFiles.parse(bytes, "letters.conf", file: "fuzz", isSystems: isSystems) else {
        continue
      }
      check(manifest.program == "letters", "the program is \(manifest.program)")
    }
  }

  static func policies(_ bytes: [UInt8]) {
    var lines = 0
    guard let rules = try? PolicyFiles.parse(bytes, file: "fuzz", lines: &lines) else { return }
    check(rules.count <= lines, "\(rules.count) rules in \(lines) lines")
  }

  static func thumbnails(_ bytes: [UInt8]) { _ = ThumbnailCache.isCurrent(bytes, for: "/tmp/fuzz.png", modified: 7) }
}
