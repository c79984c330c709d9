import CarryContacts
import CarryGestures
import CarryModel
import CarryRecordings

/// A recording as one picture: the paths of its contacts on the screen, and below them when each was down, with the
/// gestures that they make.
struct RecordingPicture {
  private struct Path {
    let id: ContactID
    let color: String
    var samples: [(time: Double, point: Point)]
    var isOver = false
  }

  private struct Mark {
    let time: Double
    let contact: ContactID
    let point: Point
    let name: String
  }

  /// Told apart by people who see colours otherwise, on white and on black.
  private static let colors = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b58900", "#56b4e9", "#6a51a3", "#8c564b", "#e7298a", "#66a61e",
  ]
  /// A contact that is back this soon and this near was never away: the panel lost it for a moment.
  private static let flicker = (seconds: 0.15, pixels: 60.0)
  private static let width = 960.0
  private static let margin = 24.0
  private static let rowHeight = 26.0

  private let title: String
  private let screen: Size
  private let unit: String
  private let seconds: Double
  private var paths: [Path] = []
  private var marks: [Mark] = []
  /// When the kernel had lost events.
  private let drops: [Double]
  private let problems: [String]

  /// - Parameter screen: the screen that a touchscreen covers; a trackpad is drawn as it is.
  init(_ recording: Recording, file: String, screen: Size, settings: Settings = Settings()) throws(FileProblem) {
    let player = try RecordingPlayer(recording, startingAt: .zero, file: file)
    let isPad = player.description.kind == .trackpad
    let axes = player.description.positionAxes
    let pad = axes.map {
      Size(width: Double($0.x.maximum - $0.x.minimum) + 1, height: Double($0.y.maximum - $0.y.minimum) + 1)
    }
    self.screen = isPad ? pad ?? screen : screen
    unit = isPad ? "units" : "px"
    let mapping = ScreenMapping(player.description, screen: Rect(origin: .zero, size: self.screen))
    drops = recording.rebased().events.filter { $0.type == Evdev.syn && $0.code == Evdev.synDropped }
      .map(\.time.seconds)
    seconds = max(player.duration.seconds, 0.1)
    title = SafeText.displayable(file.split(separator: "/").last.map(String.init) ?? file, limit: 200)
    var engine = GestureEngine(settings: settings)
    var events: [GestureEvent] = []
    var paths: [Path] = []
    player.playAll { frame in
      engine.advance(to: frame.time, into: &events)
      for contact in frame.contacts {
        let point = mapping.point(x: contact.x, y: contact.y)
        let sample = (time: frame.time.seconds, point: point)
        if contact.phase == .began {
          paths.append(Path(id: contact.id, color: Self.colors[paths.count % Self.colors.count], samples: [sample]))
        } else if let i = paths.lastIndex(where: { $0.id == contact.id }) {
          paths[i].samples.append(sample)
          paths[i].isOver = contact.phase != .moved
        }
        // A pad's gestures are made at a pointer, not where its fingers are.
        guard !isPad else { continue }
        engine.handle(
          Touch(id: contact.id, phase: contact.phase, point: point, scale: mapping.scale, time: frame.time),
          into: &events)
      }
    }
    self.paths = paths
    marks = events.compactMap { event in
      let name: String
      switch event.kind {
      case .lifted: name = "lifted"
      case .liftReversed: name = "reversed"
      case .dragBegan: name = "drag"
      case .tapped: name = "tap"
      case .pressFailed: name = "no press"
      default: return nil
      }
      return Mark(time: event.time.seconds, contact: event.contact, point: event.point, name: name)
    }
    problems = player.problems.lines(file: "").map { String($0.drop { $0 == ":" || $0 == " " }) }
  }

  // MARK: SVG

  var svg: String {
    let scale = min(Self.width / screen.width, 600 / screen.height)
    let (w, h) = (screen.width * scale, screen.height * scale)
    let rows = Double(paths.count) * Self.rowHeight
    let timeline = Self.margin * 3 + h
    let notes = timeline + rows + 44
    let height = notes + Double(problems.count) * 18 + Self.margin / 2
    var out = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(n(Self.width + Self.margin * 2))" height="\(n(height))" \
      font-family="sans-serif" font-size="12">
      <style>
      svg { background: #fff; color: #222 } .ink { fill: currentColor } .paper { fill: #fff } .line { stroke: currentColor }
      .word { paint-order: stroke; stroke: #fff; stroke-width: 4px; stroke-linejoin: round }
      @media (prefers-color-scheme: dark) { svg { background: #1b1d21; color: #e4e6ea } .word { stroke: #1b1d21 } .paper { fill: #1b1d21 } }
      </style>
      <text class="ink" x="\(n(Self.margin))" y="20" font-size="15" font-weight="bold">\(escape(title))</text>
      <text class="ink" x="\(n(Self.margin + w))" y="20" text-anchor="end" fill-opacity=".7">\
      ○ down &#160; × up &#160; • each 0.1 s &#160; \(Int(screen.width)) × \(Int(screen.height)) \(unit)</text>
      <g transform="translate(\(n(Self.margin)) \(n(Self.margin * 1.5)))">
      <rect class="line" width="\(n(w))" height="\(n(h))" rx="6" fill="none" stroke-opacity=".35"/>

      """
    // Words have a halo, which must not cover the marks.
    for path in paths { out += line(of: path, scale) }
    for mark in marks { out += word(of: mark, scale) }
    for path in paths { out += ends(of: path, scale) }
    for mark in marks { out += circle(mark.point, scale, radius: 4, "fill=\"\(color(of: mark.contact))\"") }
    out += "</g>\n<g transform=\"translate(\(n(Self.margin)) \(n(timeline)))\">\n" + timelineDrawing(rows) + "</g>\n"
    for (i, problem) in problems.enumerated() {
      out +=
        "<text x=\"\(n(Self.margin))\" y=\"\(n(notes + Double(i) * 18))\" fill=\"#d33\">\(escape(problem))</text>\n"
    }
    return out + "</svg>\n"
  }

  private func line(of path: Path, _ scale: Double) -> String {
    let points = path.samples.map { "\(n($0.point.x * scale)),\(n($0.point.y * scale))" }.joined(separator: " ")
    var out =
      "<polyline points=\"\(points)\" fill=\"none\" stroke=\"\(path.color)\" stroke-width=\"2\" stroke-linejoin=\"round\"/>\n"
    // A dot each tenth of a second: where they are close, the finger was slow.
    var next = path.samples[0].time
    for sample in path.samples where sample.time >= next {
      out += circle(sample.point, scale, radius: 2.2, "fill=\"\(path.color)\"")
      next = sample.time + 0.1
    }
    return out
  }

  private func ends(of path: Path, _ scale: Double) -> String {
    let begin = path.samples[0].point
    var out = circle(begin, scale, radius: 8, "class=\"paper\" stroke=\"\(path.color)\" stroke-width=\"2\"")
    // Beside it: a gesture may be marked where the finger came down.
    out += number(path, x: begin.x * scale - 13, y: begin.y * scale - 8)
    if let last = path.samples.last, path.isOver {
      let (x, y) = (last.point.x * scale, last.point.y * scale)
      out += "<path d=\"M\(n(x - 5)) \(n(y - 5))l10 10m0 -10l-10 10\" stroke=\"\(path.color)\" stroke-width=\"2\"/>\n"
    }
    return out
  }

  private func number(_ path: Path, x: Double, y: Double) -> String {
    "<text x=\"\(n(x))\" y=\"\(n(y + 3.5))\" font-size=\"10\" font-weight=\"bold\" text-anchor=\"middle\" "
      + "fill=\"\(path.color)\">\(path.id.raw)</text>\n"
  }

  private func word(of mark: Mark, _ scale: Double) -> String {
    let color = self.color(of: mark.contact)
    let (x, y) = (mark.point.x * scale, mark.point.y * scale)
    // Where several things happen in one place, their words stand below each other.
    let above = marks.filter { other in
      other.time < mark.time && abs(other.point.x - mark.point.x) * scale < 60
        && abs(other.point.y - mark.point.y) * scale < 14
    }.count
    let isAtRight = x > screen.width * scale - 90
    return "<text class=\"word\" x=\"\(n(x + (isAtRight ? -12 : 12)))\" y=\"\(n(y + 18 + Double(above) * 14))\" "
      + "fill=\"\(color)\""
      + "\(isAtRight ? " text-anchor=\"end\"" : "")>\(mark.name) \(time(mark.time))</text>\n"
  }

  private func timelineDrawing(_ rows: Double) -> String {
    let x = { (time: Double) in time / seconds * Self.width }
    var out = ""
    // Ten to twenty lines, at round times.
    let step = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800].first { seconds / $0 <= 16 } ?? 7200
    for i in 0...Int(seconds / step) {
      let at = x(Double(i) * step)
      out += "<path class=\"line\" d=\"M\(n(at)) 0v\(n(rows))\" stroke-opacity=\".18\"/>"
      out += "<text class=\"ink\" x=\"\(n(at))\" y=\"\(n(rows + 16))\" text-anchor=\"middle\" fill-opacity=\".7\">"
      out += "\(Decimal.text(Double(i) * step)) s</text>\n"
    }
    for (row, path) in paths.enumerated() {
      let y = (Double(row) + 0.5) * Self.rowHeight
      let (first, last) = (path.samples[0].time, path.samples.last?.time ?? 0)
      out += number(path, x: -Self.margin / 2, y: y)
      out += "<path d=\"M\(n(x(first))) \(n(y))H\(n(max(x(last), x(first) + 1)))\" stroke=\"\(path.color)\" "
      out += "stroke-width=\"8\" stroke-opacity=\".3\" stroke-linecap=\"round\"/>\n"
      out +=
        path.samples.map { "<path d=\"M\(n(x($0.time))) \(n(y - 4))v8\" stroke=\"\(path.color)\"/>" }.joined() + "\n"
      if let before = flickered(path) {
        out += "<path d=\"M\(n(x(before))) \(n(y))H\(n(x(first)))\" stroke=\"#d33\" stroke-width=\"2\" "
        out += "stroke-dasharray=\"3 3\"/><text x=\"\(n(x(before) - 6))\" y=\"\(n(y + 4))\" fill=\"#d33\" "
        out += "text-anchor=\"end\">lost for \(Int(((first - before) * 1000).rounded())) ms</text>\n"
      }
      for mark in marks where mark.contact == path.id {
        out += "<circle cx=\"\(n(x(mark.time)))\" cy=\"\(n(y))\" r=\"4\" fill=\"\(path.color)\"/>"
        out +=
          "<text class=\"ink\" x=\"\(n(x(mark.time) + 6))\" y=\"\(n(y - 5))\" font-size=\"10\">\(mark.name)</text>\n"
      }
    }
    for drop in drops {
      out += "<path d=\"M\(n(x(drop))) -6V\(n(rows))\" stroke=\"#d33\" stroke-width=\"2\"/>"
      out += "<text x=\"\(n(x(drop) + 4))\" y=\"-2\" fill=\"#d33\">events lost</text>\n"
    }
    return out
  }

  /// When another contact ended, shortly before this one began in its place.
  private func flickered(_ path: Path) -> Double? {
    let begin = path.samples[0]
    for other in paths where other.id != path.id && other.isOver {
      guard let end = other.samples.last, begin.time >= end.time, begin.time - end.time < Self.flicker.seconds else {
        continue
      }
      let (dx, dy) = (begin.point.x - end.point.x, begin.point.y - end.point.y)
      if dx * dx + dy * dy < Self.flicker.pixels * Self.flicker.pixels { return end.time }
    }
    return nil
  }

  private func color(of contact: ContactID) -> String { paths.first { $0.id == contact }?.color ?? "#888" }

  private func circle(_ point: Point, _ scale: Double, radius: Double, _ style: String) -> String {
    "<circle cx=\"\(n(point.x * scale))\" cy=\"\(n(point.y * scale))\" r=\"\(n(radius))\" \(style)/>\n"
  }

  private func time(_ seconds: Double) -> String { "\(Decimal.fixed(seconds, places: 2)) s" }

  private func n(_ value: Double) -> String { Decimal.fixed(value, places: 1) }

  private func escape(_ text: String) -> String {
    text.reduce(into: "") { out, c in
      switch c {
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "&": out += "&amp;"
      case "\"": out += "&quot;"
      default: out.append(c)
      }
    }
  }
}
