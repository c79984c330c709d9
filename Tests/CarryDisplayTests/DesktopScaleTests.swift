import CarryModel
import CarryStage
import Testing

import CarryX

@Suite struct DesktopScaleTests {
  private func settings(_ list: [(type: UInt8, name: String, value: [UInt8])], isBig: Bool = false) -> [UInt8] {
    func number(_ n: Int, _ size: Int) -> [UInt8] {
      let little = (0..<size).map { UInt8(truncatingIfNeeded: n >> ($0 * 8)) }
      return isBig ? little.reversed() : little
    }
    func padded(_ b: [UInt8]) -> [UInt8] { b + [UInt8](repeating: 0, count: (4 - b.count % 4) % 4) }
    var bytes: [UInt8] = [isBig ? 1 : 0, 0, 0, 0] + number(7, 4) + number(list.count, 4)
    for s in list {
      bytes += [s.type, 0] + number(s.name.utf8.count, 2) + padded(Array(s.name.utf8)) + number(3, 4)
      switch s.type {
      case 0: bytes += number(s.value.reduce(0) { $0 << 8 | Int($1) }, 4)
      case 1: bytes += number(s.value.count, 4) + padded(s.value)
      default: bytes += [UInt8](repeating: 0, count: 8)
      }
    }
    return bytes
  }

  @Test("Z17: the desktop's own settings say how large it draws", arguments: [false, true])
  func Z17_theDesktopsOwnSettings(isBig: Bool) {
    let name = (type: UInt8(1), name: "Net/ThemeName", value: Array("Adwaita".utf8))
    let color = (type: UInt8(2), name: "Some/Color", value: [UInt8]())
    // 144 x 1024 and 2.
    let dpi = (type: UInt8(0), name: "Xft/DPI", value: [UInt8]([2, 0x40, 0]))
    let factor = (type: UInt8(0), name: "Gdk/WindowScalingFactor", value: [UInt8]([2]))
    #expect(DesktopScale.fromSettings(settings([name, factor, color, dpi], isBig: isBig)) == 144)
    #expect(DesktopScale.fromSettings(settings([color, factor], isBig: isBig)) == 192)
    #expect(DesktopScale.fromSettings(settings([name], isBig: isBig)) == nil)
    // Cut short anywhere it is only a wrong answer at worst.
    let whole = settings([name, color, dpi], isBig: isBig)
    for n in 0..<whole.count { #expect(DesktopScale.fromSettings(Array(whole[0..<n])) == nil) }
  }

  @Test("Z17: resources of any kind") func Z17_resourcesOfAnyKind() {
    #expect(DesktopScale.fromResources(Array("*foo: 1\nXft.dpi:\t120\n".utf8)) == 120)
    for text in ["", "Xft.dpi:", "Xft.dpi: many", "xXft.dpi: 3"] {
      #expect(DesktopScale.fromResources(Array(text.utf8)) == nil)
    }
    var seed = UInt64(7)
    for _ in 0..<2000 {
      var bytes: [UInt8] = []
      for _ in 0..<40 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes.append(UInt8(truncatingIfNeeded: seed >> 40))
      }
      bytes.replaceSubrange(8..<11, with: [0, 0, 0])
      _ = DesktopScale.fromSettings(bytes)
      _ = DesktopScale.fromResources(bytes)
    }
  }

  @Test("Z17: a desktop that draws twice as large has badges twice as large") func Z17_badgesTwiceAsLarge() {
    var stage = Stage(settings: Settings())
    stage.setScale(2)
    var list = DrawList()
    let place = Rect(x: 0, y: 0, width: 100, height: 100)
    stage.lift(
      SessionID(1), images: [ImageID(1), ImageID(2)], source: place, touch: place.center, at: .zero, duration: .zero)
    stage.frame(at: .zero, into: &list)
    #expect(list.surfaces[0].badge.radius == 2 * StageStyle().badgeRadius)
    // Not in the middle of a drag.
    stage.setScale(1)
    stage.frame(at: .zero, into: &list)
    #expect(list.surfaces[0].badge.radius == 2 * StageStyle().badgeRadius)
  }
}
