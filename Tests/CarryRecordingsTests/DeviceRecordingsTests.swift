import CarryRecordings
import CarryTesting
import CLinux
import CarryContacts
import CarryEvdev
import CarryModel
import CarrySystem
import Testing

/// Recordings of real devices: two that are kept here, and a larger collection where it is at hand.
@Suite struct DeviceRecordingsTests {
  static let fixtures = Checkout.fixtures + "/devices"
  static let collection = environment("CARRY_TRACES") ?? Checkout.root + "/../shared/traces"

  static var files: [String] {
    [fixtures, collection].flatMap { directory in
      Files.list(directory).filter { $0.hasSuffix(".events") }.map { directory + "/" + $0 }
    }
  }

  /// What a plain reading of the file says: no state machine, just what each frame shows at its end.
  struct PlainReading: Equatable {
    var contacts = 0
    var maxAtOnce = 0
    /// Microseconds that each contact was down, sorted.
    var durations: [Int] = []

    init(_ path: String) throws {
      let text = String(decoding: try Files.read(path, limit: 1 << 24), as: UTF8.self)
      let lines = text.split { $0 == "\n" || $0 == "\r\n" }.filter { $0.hasPrefix("E:") }.map { line in
        line.split { $0 == " " || $0 == "\t" }.prefix(5).map(String.init)
      }
      let isAnonymous = lines.contains { $0[2] == "0000" && $0[3] == "0002" }
      func microseconds(_ s: String) -> Int {
        let parts = s.split(separator: ".")
        return (Int(parts[0]) ?? 0) * 1_000_000 + (Int(parts[1]) ?? 0)
      }
      var slot = 0
      var down: [Int: Int] = [:]
      var pending: [(slot: Int, id: Int)] = []
      var size = 1
      var fingers = 0
      var current = 0
      var last = 0
      for line in lines {
        let value = Int(line[4]) ?? 0
        last = microseconds(line[1])
        switch line[2] + line[3] {
        case "0003002f": slot = value
        case "00030039": pending.append((slot, value))
        case "00030030": size = value
        case "00000002":
          // A finger of size zero has left the surface; a report without any finger has no position either.
          if size > 0 { fingers += 1 }
        case "00000000":
          if isAnonymous {
            // Without identities, only the number of fingers is certain.
            if fingers > current { contacts += fingers - current }
            current = fingers
            maxAtOnce = max(maxAtOnce, current)
            fingers = 0
          } else {
            for change in pending {
              if let begun = down.removeValue(forKey: change.slot) { durations.append(last - begun) }
              if change.id >= 0 {
                down[change.slot] = last
                contacts += 1
              }
            }
            pending = []
            maxAtOnce = max(maxAtOnce, down.count)
          }
        default: break
        }
      }
      durations += down.values.map { last - $0 }
      durations.sort()
    }
  }

  @Test func contactsAreThoseOfAPlainReading() throws {
    if Files.list(Self.collection).isEmpty {
      print("LEFT OUT: the collection of device recordings is not at \(Self.collection) (CARRY_TRACES names it)")
    }
    #expect(Self.files.count >= 2)
    for file in Self.files {
      let player = try RecordingPlayer(RecordingFile.load(file), startingAt: .zero, file: file)
      let plain = try PlainReading(file)
      var begun: [ContactID: Instant] = [:]
      var contacts = 0
      var most = 0
      var durations: [Int] = []
      var last = Instant.zero
      player.playAll { frame in
        #expect(frame.time >= last)
        last = frame.time
        for c in frame.contacts {
          switch c.phase {
          case .began:
            contacts += 1
            begun[c.id] = frame.time
          case .moved: #expect(begun[c.id] != nil)
          case .ended, .cancelled:
            if let start = begun.removeValue(forKey: c.id) {
              durations.append(Int((frame.time - start).microseconds))
            }
          }
        }
        most = max(most, begun.count)
      }
      #expect(begun.isEmpty, "\(file): contacts left down")
      #expect(player.isFinished)
      #expect(player.problems.isEmpty, "\(player.problems.lines(file: file))")
      #expect(contacts == plain.contacts, "\(file)")
      #expect(most == plain.maxAtOnce, "\(file)")
      if !plain.durations.isEmpty { #expect(durations.sorted() == plain.durations, "\(file)") }
    }
  }

  @Test func anOpticalPanelThatHoversReportsNoContactThen() throws {
    let file = Self.collection + "/quanta-optical.touch-hover.events"
    guard Files.exists(file) else {
      print("LEFT OUT: \(file) is not there")
      return
    }
    // The panel gives no distance: a finger that is only near has no tracking id, and BTN_TOUCH follows the id.
    let recording = try RecordingFile.load(file)
    #expect(recording.description?.hasAxis(Evdev.absMtDistance) == false)
    let player = try RecordingPlayer(recording, startingAt: .zero)
    var log: [String] = []
    player.playAll { for c in $0.contacts where c.phase != .moved { log.append("\(c.phase) \(c.x),\(c.y)") } }
    #expect(log == ["began 1041,448", "ended 1146,448"])
  }

  @Test func theFixturesShowWhatTheyAreNamedFor() throws {
    func summary(_ name: String) throws -> [String] {
      let player = try RecordingPlayer(RecordingFile.load(Self.fixtures + "/" + name), startingAt: .zero)
      var log: [String] = []
      player.playAll { frame in
        for c in frame.contacts where c.phase != .moved {
          log.append("\(Int(frame.time.seconds * 1000)) \(c.phase) \(c.id.raw)")
        }
      }
      return log
    }
    #expect(
      try summary("atmel-maxtouch.2-fingers-touch-release.events")
        == ["0 began 1", "54 began 2", "810 ended 2", "824 ended 1"])
    let taps = try summary("alps-glidepoint.double-tap.events")
    #expect(taps.count == 4 && taps[0].hasSuffix("began 1") && taps[3].hasSuffix("ended 2"))
  }
}
