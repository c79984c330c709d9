import Carry
import DemoKit

/// The zone below the gallery, and the bin in it.
struct Bin {
  /// 1.25 while something falls in.
  var scale = Animation(1)
  /// Up while images of the gallery are carried.
  var emphasis = Animation(0)
  /// Up while they are above it.
  var glow = Animation(0)

  func isMoving(at now: Double) -> Bool { ![scale, emphasis, glow].allSatisfy { $0.isOver(at: now) } }

  /// The bin's middle: where images that are deleted go.
  static func center(in zone: Box) -> Point { Point(x: zone.center.x, y: zone.y + 44) }

  func draw(on c: Canvas, in zone: Box, now: Double) {
    let (strong, light) = (emphasis.value(at: now), glow.value(at: now))
    let ink = Color(0x8C877D).mixed(with: Color(0xC4402F), strong)
    c.fill(zone, radius: 16, Color(0xFFFFFF, 0.5).mixed(with: Color(0xFBE3DE), max(strong * 0.55, light)))
    c.stroke(zone.inset(1), radius: 15, ink.faded(0.55 + 0.45 * light), width: 1.6 + light, dashes: [8, 6])
    c.saved {
      let p = Self.center(in: zone)
      c.translate(p.x, p.y)
      c.scale(scale.value(at: now))
      drawBin(on: c, ink)
    }
    c.draw(
      "Drop here to delete", TextStyle(13, .medium, color: ink.mixed(with: .black, 0.1)),
      centeredIn: Box(zone.x, zone.maxY - 38, zone.width, 22))
  }

  private func drawBin(on c: Canvas, _ ink: Color) {
    c.move(-14, -12)
    c.line(14, -12)
    c.line(11, 20)
    c.line(-11, 20)
    c.fillPath(ink.faded(0.18))
    c.move(-14, -12)
    c.line(-11.4, 17)
    c.curve(Point(x: -11.2, y: 20), Point(x: -9.5, y: 21), Point(x: -8, y: 21))
    c.line(8, 21)
    c.curve(Point(x: 9.5, y: 21), Point(x: 11.2, y: 20), Point(x: 11.4, y: 17))
    c.line(14, -12)
    c.strokePath(ink, width: 2.4)
    c.move(-19, -13)
    c.line(19, -13)
    c.strokePath(ink, width: 2.6)
    c.move(-6, -13)
    c.line(-6, -18)
    c.line(6, -18)
    c.line(6, -13)
    c.strokePath(ink, width: 2.4)
    for x in [-5.0, 0, 5] {
      c.move(x, -4)
      c.line(x * 0.85, 13)
      c.strokePath(ink, width: 2)
    }
  }
}
