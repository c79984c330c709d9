import Carry
import DemoKit

/// The model: areas of one colour each, with round outlines, on a sheet of 400 by 320 points.
struct Drawing: Equatable {
  struct Area: Equatable {
    /// 0xRRGGBB.
    var color: UInt32
    var start: [Double]
    /// Curves: six numbers each, for two control points and the end.
    var curves: [[Double]]
  }

  static let width = 400.0
  static let height = 320.0
  private static let maxAreas = 1000
  private static let maxCurves = 1000

  var areas: [Area]

  func draw(on c: Canvas) {
    for area in areas {
      c.move(area.start[0], area.start[1])
      for v in area.curves { c.curve(Point(x: v[0], y: v[1]), Point(x: v[2], y: v[3]), Point(x: v[4], y: v[5])) }
      c.fillPath(Color(area.color))
    }
  }

  /// Twice as fine as a screen.
  var picture: Picture? {
    Picture(width: Int(Self.width) * 2, height: Int(Self.height) * 2) { c in
      c.scale(2)
      draw(on: c)
    }
  }

  /// The same with its colours changed in a circle: red becomes green, green blue, blue red.
  var recolored: Drawing {
    Drawing(
      areas: areas.map { Area(color: ($0.color >> 8) | ($0.color & 0xFF) << 16, start: $0.start, curves: $0.curves) })
  }
}

/// As an item: what keeps most of it comes first.
extension Drawing: ItemProviderWriting {
  static let native = "application/vnd.carry.drawing"
  static let writableTypesForItemProvider = [native, "application/pdf", "image/png", "image/jpeg"]

  private struct NoMemory: Error {}

  func loadRepresentation(forType type: String) throws -> [UInt8] {
    switch type {
    case Self.native: return Array(text.utf8)
    case "application/pdf": return Picture.pdf(width: Self.width, height: Self.height) { draw(on: $0) }
    case "image/png": return picture?.png() ?? []
    default: return picture?.jpeg() ?? []
    }
  }

  /// A line for each area: its colour, its start, its curves.
  private var text: String {
    "drawing 1\n"
      + areas.map { area in
        let hex = String(area.color, radix: 16)
        let numbers = (area.start + area.curves.flatMap { $0 }).map { "\($0)" }
        return String(repeating: "0", count: 6 - hex.count) + hex + " " + numbers.joined(separator: " ") + "\n"
      }.joined()
  }
}

extension Drawing: ItemProviderReading {
  static let readableTypesForItemProvider = [native]

  private struct NoDrawing: Error, CustomStringConvertible { let description = "It is no drawing that can be read" }

  init(itemProviderData data: [UInt8], type: String) throws {
    guard data.count <= 1 << 20, let text = String(validating: data, as: UTF8.self) else { throw NoDrawing() }
    let lines = text.split(separator: "\n")
    guard lines.first == "drawing 1", lines.count <= Self.maxAreas + 1 else { throw NoDrawing() }
    areas = try lines.dropFirst().map { line in
      let words = line.split(separator: " ")
      let numbers = words.dropFirst().compactMap { Double($0) }.filter { abs($0) <= 10_000 }
      guard words.count == numbers.count + 1, let color = UInt32(words[0], radix: 16), color <= 0xFF_FFFF,
        numbers.count >= 2, (numbers.count - 2) % 6 == 0, numbers.count <= 2 + 6 * Self.maxCurves
      else { throw NoDrawing() }
      return Area(
        color: color, start: Array(numbers[0..<2]),
        curves: stride(from: 2, to: numbers.count, by: 6).map { Array(numbers[$0..<$0 + 6]) })
    }
  }
}

/// The drawing from the start: a lighthouse in the evening.
extension Drawing {
  /// Areas with straight sides, and round ones.
  private static func polygon(_ color: UInt32, _ points: [(Double, Double)]) -> Area {
    var curves: [[Double]] = []
    var last = points[0]
    for p in points.dropFirst() + [points[0]] {
      curves.append([last.0, last.1, p.0, p.1, p.0, p.1])
      last = p
    }
    return Area(color: color, start: [points[0].0, points[0].1], curves: curves)
  }

  private static func disc(_ color: UInt32, _ x: Double, _ y: Double, _ r: Double) -> Area {
    let k = r * 0.5523
    return Area(
      color: color, start: [x + r, y],
      curves: [
        [x + r, y + k, x + k, y + r, x, y + r], [x - k, y + r, x - r, y + k, x - r, y],
        [x - r, y - k, x - k, y - r, x, y - r], [x + k, y - r, x + r, y - k, x + r, y],
      ])
  }

  /// Land or water below a line of waves.
  private static func swell(_ color: UInt32, _ y: Double, _ height: Double, _ phase: Double) -> Area {
    var curves: [[Double]] = []
    var x = -phase
    while x < width {
      curves.append([x + 20, y - height, x + 40, y - height, x + 50, y])
      curves.append([x + 60, y + height * 0.7, x + 80, y + height * 0.7, x + 100, y])
      x += 100
    }
    curves.append([x, y, x, height + 400, x, Self.height])
    curves.append([x, Self.height, -phase, Self.height, -phase, Self.height])
    return Area(color: color, start: [-phase, y], curves: curves)
  }

  static let lighthouse = Drawing(areas: [
    polygon(0x2B3A67, [(0, 0), (400, 0), (400, 320), (0, 320)]),
    polygon(0x4A4E8A, [(0, 70), (400, 50), (400, 320), (0, 320)]),
    polygon(0x8A5C94, [(0, 130), (400, 112), (400, 320), (0, 320)]),
    polygon(0xD9788A, [(0, 175), (400, 165), (400, 320), (0, 320)]),
    polygon(0xF6AE84, [(0, 205), (400, 200), (400, 320), (0, 320)]),
    disc(0xFFE9B8, 92, 206, 27),
    polygon(0xF9E7A0, [(262, 86), (400, 34), (400, 92), (262, 96)]),
    polygon(0xF9E7A0, [(262, 86), (60, 20), (60, 84), (262, 96)]),
    swell(0x35507F, 232, 7, 30),
    Area(
      color: 0x1F2B45, start: [180, 250],
      curves: [
        [200, 212, 225, 204, 250, 200], [285, 196, 320, 206, 350, 226], [372, 238, 392, 240, 400, 252],
        [400, 252, 400, 320, 400, 320], [400, 320, 180, 320, 180, 320],
      ]),
    polygon(0xF5EFE4, [(248, 206), (276, 206), (271, 108), (253, 108)]),
    polygon(0xD34F45, [(249.2, 182), (274.8, 182), (273.6, 158), (250.4, 158)]),
    polygon(0xD34F45, [(251.5, 136), (272.5, 136), (271.3, 114), (252.7, 114)]),
    polygon(0x2A3247, [(247, 108), (277, 108), (277, 103), (247, 103)]),
    polygon(0xFFE08A, [(253, 103), (271, 103), (271, 84), (253, 84)]),
    polygon(0x2A3247, [(249, 84), (275, 84), (262, 68)]),
    polygon(0x2A3247, [(258, 206), (266, 206), (266, 194), (258, 194)]),
    swell(0x27406E, 262, 6, 0), swell(0x1C3059, 288, 7, 55),
  ])
}
