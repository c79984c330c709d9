import CarryContacts
package import CarryModel

/// Writes a recording as a gesture script, with the fingers' paths as straight lines.
package enum GestureScriptWriter {
  /// How far a path may be from the recorded one, in pixels.
  static let tolerance = 1.5
  /// How many samples one line may stand for: each is compared with each longer line.
  private static let maxSamples = 256

  private struct Sample {
    var time: Interval
    var point: Point
  }

  private struct Line {
    var time: Interval
    var text: String
  }

  /// - Parameters:
  ///   - recording: of a touchscreen, with its description; times begin at 0.
  ///   - screen: the screen that it covers; nil for the size that the axes tell, where that looks like pixels.
  package static func text(_ recording: Recording, screen: Size? = nil, file: String) throws(FileProblem) -> String {
    guard let description = recording.description, description.kind == .touchscreen,
      let (across, down) = description.positionAxes
    else { throw FileProblem(file: file, message: "is no recording of a touchscreen, and only those become scripts") }
    let own = Size(width: Double(across.maximum) + 1, height: Double(down.maximum) + 1)
    let looksLikePixels = across.minimum == 0 && down.minimum == 0 && own.width <= 8192 && own.height <= 8192
    let screen = screen ?? (looksLikePixels ? own : Size(width: 1920, height: 1080))
    let mapping = ScreenMapping(description, screen: Rect(origin: .zero, size: screen))
    let player = try RecordingPlayer(recording, startingAt: .zero, file: file)
    var lines: [Line] = []
    var fingers: [ContactID: (number: Int, path: [Sample])] = [:]
    var hasTooMany = false
    player.advance(to: .distantFuture) { frame in
      for contact in frame.contacts {
        let sample = Sample(time: frame.time - .zero, point: mapping.point(x: contact.x, y: contact.y))
        switch contact.phase {
        case .began:
          let used = Set(fingers.values.map(\.number))
          guard let number = GestureScript.fingers.first(where: { !used.contains($0) }) else {
            hasTooMany = true
            continue
          }
          fingers[contact.id] = (number, [sample])
          lines.append(Line(time: sample.time, text: "down \(number) \(words(sample.point))"))
        case .moved: fingers[contact.id]?.path.append(sample)
        case .ended, .cancelled:
          guard let (number, path) = fingers.removeValue(forKey: contact.id) else { continue }
          lines += moves(path, of: number)
          let word = contact.phase == .ended ? "up" : "cancel"
          lines.append(Line(time: sample.time, text: "\(word) \(number)"))
        }
      }
    }
    guard !hasTooMany else {
      throw FileProblem(file: file, message: "has more than \(GestureScript.fingers.count) contacts at once")
    }
    for (number, path) in fingers.values.sorted(by: { $0.number < $1.number }) { lines += moves(path, of: number) }
    // Stable: of two lines at one time, the one that was written first stays first.
    let ordered = lines.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
    return "screen \(Int(screen.width))x\(Int(screen.height))\n"
      + ordered.map { "\(seconds($0.element.time)) \($0.element.text)\n" }.joined()
  }

  /// The path in as few straight lines at constant speed as follow it.
  private static func moves(_ path: [Sample], of finger: Int) -> [Line] {
    var samples: [Sample] = []
    for sample in path {
      // A device is silent while a finger rests: it rested until just before the next sample.
      if let last = samples.last, sample.time - last.time > .milliseconds(50) {
        samples.append(Sample(time: sample.time - GestureScript.reportInterval, point: last.point))
      }
      samples.append(sample)
    }
    return lines(samples, of: finger)
  }

  private static func lines(_ path: [Sample], of finger: Int) -> [Line] {
    var lines: [Line] = []
    var first = 0
    while first < path.count - 1 {
      var last = first + 1
      while last + 1 < path.count, last - first < maxSamples, follows(path, first, last + 1) { last += 1 }
      if path[last].point != path[first].point {
        let milliseconds = (path[last].time - path[first].time).microseconds / 1000
        lines.append(
          Line(
            time: path[first].time,
            text: "move \(finger) to \(words(path[last].point)) in \(milliseconds)ms"))
      }
      first = last
    }
    return lines
  }

  /// Whether the samples between two lie where a finger would be that moves straight from one to the other.
  private static func follows(_ path: [Sample], _ first: Int, _ last: Int) -> Bool {
    let (a, b) = (path[first], path[last])
    let duration = max(1, Double((b.time - a.time).microseconds))
    return path[first...last].allSatisfy { sample in
      let part = Double((sample.time - a.time).microseconds) / duration
      let x = a.point.x + (b.point.x - a.point.x) * part - sample.point.x
      let y = a.point.y + (b.point.y - a.point.y) * part - sample.point.y
      return x * x + y * y <= tolerance * tolerance
    }
  }

  private static func words(_ point: Point) -> String { "\(Int(point.x.rounded())),\(Int(point.y.rounded()))" }

  private static func seconds(_ time: Interval) -> String {
    let milliseconds = String(time.microseconds / 1000 % 1000)
    return "\(time.microseconds / 1_000_000).\(String(repeating: "0", count: 3 - milliseconds.count))\(milliseconds)s"
  }
}
