import Carry
import DemoKit

/// What the map shows: Lake Bled in Slovenia, with its island, roads and woods, drawn from memory and not to be travelled by.
enum Landscape {
  /// The map's middle, in degrees.
  private static let middle = (latitude: 46.3639, longitude: 14.0952)
  /// The sheet, of which a map shows what there is room for.
  private static let sheet = (width: 600.0, height: 520.0)
  /// How much of the earth is in the sheet's height.
  private static let degrees = 0.026

  /// Where a place is on a map that fills a box. What lies outside of the map is shown at its edge.
  static func point(of place: Place, in box: Box) -> Point {
    let k = scale(in: box) * sheet.height / degrees
    // A degree of longitude is shorter than one of latitude here.
    let x = box.center.x + (place.longitude - middle.longitude) * k * 0.69
    let y = box.center.y - (place.latitude - middle.latitude) * k
    return Point(
      x: max(box.x + 20, min(box.maxX - 20, x)), y: max(box.y + 50, min(box.maxY - 12, y)))
  }

  private static func scale(in box: Box) -> Double { max(box.width / sheet.width, box.height / sheet.height) }

  private static let water = Color(0x9CCBE8)
  private static let shore = Color(0x7FB4D6)
  private static let wood = Color(0xC4DDB2)

  /// The middle of the sheet, as much as fits the box.
  static func draw(on c: Canvas, in box: Box) {
    c.saved {
      c.clip(box)
      c.fill(box, Color(0xF2EFE6))
      let k = scale(in: box)
      c.translate(box.center.x, box.center.y)
      c.scale(k)
      c.translate(-sheet.width / 2, -sheet.height / 2)
      woods(on: c)
      lake(on: c)
      river(on: c)
      roads(on: c)
      town(on: c)
      names(on: c)
      compass(on: c)
    }
  }

  private static func woods(on c: Canvas) {
    blob([(-20, -20), (190, -20), (215, 70), (130, 120), (95, 215), (40, 260), (-20, 250)], on: c)
    c.fillPath(wood)
    blob([(-20, 330), (60, 345), (150, 420), (265, 440), (290, 540), (-20, 540)], on: c)
    c.fillPath(wood)
    blob([(455, 400), (520, 370), (620, 390), (620, 540), (430, 540)], on: c)
    c.fillPath(wood)
    blob([(500, 40), (560, 25), (600, 70), (575, 120), (515, 105)], on: c)
    c.fillPath(wood.mixed(with: Color(0xF2EFE6), 0.25))
    // Hills, as lighter and darker rings.
    for (x, y, r) in [(88.0, 90.0, 62.0), (105, 485, 46), (545, 470, 48)] {
      for i in 0..<3 {
        c.circle(Point(x: x, y: y), radius: r * (1 - Double(i) * 0.3))
        c.strokePath(Color(0x9DBE86, 0.5), width: 1)
      }
    }
  }

  private static func lake(on c: Canvas) {
    let outline = [
      (150.0, 245.0), (185, 190), (260, 178), (335, 182), (410, 200), (432, 250), (405, 310),
      (345, 330), (280, 318),
      (215, 335), (162, 310),
    ]
    blob(outline, on: c)
    c.fillPath(water)
    blob(outline, on: c)
    c.strokePath(shore, width: 2)
    for (i, inset) in [10.0, 20].enumerated() {
      blob(outline.map { ($0 + (291 - $0) * inset / 160, $1 + (256 - $1) * inset / 90) }, on: c)
      c.strokePath(Color.white.faded(0.28 - Double(i) * 0.1), width: 1.2)
    }
    // The island, with its church.
    blob([(214, 262), (228, 252), (244, 258), (246, 272), (230, 278), (216, 273)], on: c)
    c.fillPath(Color(0xB7D3A0))
    c.fill(Box(227, 262, 7, 9), Color(0xFDFBF6))
    c.fill(Box(229, 255, 3, 8), Color(0xB5604C))
  }

  private static func river(on c: Canvas) {
    func path() {
      c.move(620, 205)
      c.curve(Point(x: 560, y: 190), Point(x: 540, y: 260), Point(x: 512, y: 300))
      c.curve(Point(x: 480, y: 350), Point(x: 420, y: 380), Point(x: 400, y: 430))
      c.curve(Point(x: 385, y: 470), Point(x: 340, y: 480), Point(x: 330, y: 540))
    }
    path()
    c.strokePath(shore, width: 12)
    path()
    c.strokePath(water, width: 9)
  }

  private static func roads(on c: Canvas) {
    let around: [(Double, Double)] = [
      (140, 250), (176, 178), (258, 162), (340, 166), (424, 186), (450, 250), (420, 322),
      (350, 348), (280, 336),
      (210, 352), (150, 322),
    ]
    let small: [() -> Void] = [
      {
        c.move(424, 186)
        c.line(455, 130)
        c.line(450, 60)
        c.line(480, -10)
      },
      {
        c.move(400, 120)
        c.line(560, 150)
      },
      {
        c.move(210, 352)
        c.curve(Point(x: 180, y: 400), Point(x: 220, y: 440), Point(x: 200, y: 530))
      },
      {
        c.move(176, 178)
        c.curve(Point(x: 150, y: 140), Point(x: 230, y: 90), Point(x: 240, y: -10))
      },
      {
        c.move(470, 95)
        c.line(560, 60)
      },
      {
        c.move(505, 138)
        c.line(520, 215)
      },
    ]
    func big() {
      c.move(620, 330)
      c.curve(Point(x: 560, y: 320), Point(x: 500, y: 240), Point(x: 450, y: 236))
    }
    func main() {
      c.move(350, -10)
      c.curve(Point(x: 345, y: 60), Point(x: 380, y: 110), Point(x: 440, y: 128))
      c.curve(Point(x: 520, y: 150), Point(x: 560, y: 180), Point(x: 620, y: 150))
    }
    let edge = Color(0xCFC9BB)
    for road in small {
      road()
      c.strokePath(edge, width: 6)
    }
    blob(around, on: c)
    c.strokePath(edge, width: 7)
    big()
    c.strokePath(edge, width: 8)
    main()
    c.strokePath(Color(0xDDB65C), width: 10)
    for road in small {
      road()
      c.strokePath(.white, width: 4)
    }
    blob(around, on: c)
    c.strokePath(.white, width: 5)
    big()
    c.strokePath(.white, width: 6)
    main()
    c.strokePath(Color(0xFBDD8A), width: 7.5)
  }

  private static func town(on c: Canvas) {
    let house = Color(0xDDD3C2)
    for (x, y, w, h) in [
      (462.0, 146.0, 16.0, 10.0), (484, 150, 12, 12), (466, 166, 11, 14), (484, 170, 20, 9),
      (462, 188, 14, 10),
      (484, 188, 10, 16), (506, 160, 0, 0), (528, 168, 14, 11), (532, 188, 18, 9),
      (556, 172, 11, 15),
      (418, 142, 14, 9), (410, 158, 11, 11), (470, 66, 12, 10), (490, 106, 15, 10),
      (512, 90, 11, 13),
      (556, 98, 14, 9), (540, 118, 11, 11), (468, 270, 13, 10), (478, 290, 10, 13),
      (458, 310, 14, 9),
    ] where w > 0 { c.fill(Box(x, y, w, h), radius: 1.5, house) }
    // The castle on its rock.
    c.circle(Point(x: 352, y: 146), radius: 15)
    c.fillPath(Color(0xD9D2C4))
    c.fill(Box(344, 142, 16, 8), Color(0xA88F72))
    for x in [343.0, 356] { c.fill(Box(x, 137, 5, 13), Color(0x8F7658)) }
  }

  private static func names(on c: Canvas) {
    func name(_ text: String, _ x: Double, _ y: Double, _ style: TextStyle) {
      let layout = TextLayout(text, style)
      c.draw(layout, at: Point(x: x - layout.size.width / 2, y: y - layout.size.height / 2))
    }
    name("Lake Bled", 325, 292, TextStyle(13, isItalic: true, color: Color(0x4683A8)))
    name("Bled", 545, 134, TextStyle(16, .semibold, color: Color(0x4B4740)))
    name("Castle", 352, 122, TextStyle(10.5, color: Color(0x756D60)))
    name("Straža", 105, 486, TextStyle(10.5, isItalic: true, color: Color(0x6F9158)))
    name("Sava Dolinka", 452, 408, TextStyle(10.5, isItalic: true, color: Color(0x4683A8)))
    name("Mlino", 318, 366, TextStyle(11.5, color: Color(0x5E594F)))
  }

  private static func compass(on c: Canvas) {
    let p = Point(x: 46, y: 470)
    c.circle(p, radius: 19)
    c.fillPath(Color.white.faded(0.8))
    for (tip, color) in [(-13.0, Color(0xD8483A)), (13.0, Color(0x9AA2A8))] {
      c.move(p.x - 4.5, p.y)
      c.line(p.x + 4.5, p.y)
      c.line(p.x, p.y + tip)
      c.fillPath(color)
    }
  }

  /// A round outline through points.
  private static func blob(_ points: [(Double, Double)], on c: Canvas) {
    let n = points.count
    func p(_ i: Int) -> Point { Point(x: points[(i + n) % n].0, y: points[(i + n) % n].1) }
    c.move(p(0).x, p(0).y)
    for i in 0..<n {
      // Catmull and Rom's way through the points, as curves.
      c.curve(
        p(i) + (p(i + 1) - p(i - 1)) * (1.0 / 6), p(i + 1) - (p(i + 2) - p(i)) * (1.0 / 6), p(i + 1)
      )
    }
  }
}
