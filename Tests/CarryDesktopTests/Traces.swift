import CarrySystem
import CarryTesting
import CLinux
import Testing

/// The project's own recordings: fingers on a touchscreen of 1280×800, over a source at 50,250 and a target at 850,250
/// of 300×300 each. The files in Tests/Fixtures/traces are what these scripts write.
enum Traces {
  static let all: [(name: String, script: FingerScript)] = [
    ("press-drag-drop", pressDragDrop), ("two-items-by-tap", twoItemsByTap), ("two-at-once", twoAtOnce),
    ("tap", tap), ("fast-swipe", fastSwipe), ("released-too-early", releasedTooEarly), ("demo", demo),
    ("demo-213", demo213), ("demo-227-attachment", demo227.attachment), ("demo-227-search", demo227.search),
    ("demo-227-slow", demo227.slow), ("demo-227-map", demo227.map), ("demo-227-folder", demo227.folder),
    ("demo-toolkits", demoToolkits), ("clickpad-drag", clickpadDrag), ("tap-and-hold", tapAndHold(.plainPad)),
  ]

  static var screen: FingerScript { FingerScript(width: 1280, height: 800) }

  /// Press until it lifts, carry to the target, let go.
  static var pressDragDrop: FingerScript {
    var s = screen
    s.carry(from: (200, 400), at: 0, .to(1000, 400, 650...1400), upAt: 1600)
    return s
  }

  /// The same, with a second finger that taps the source on the way.
  static var twoItemsByTap: FingerScript {
    var s = screen
    s.carry(
      from: (200, 400), at: 0, .to(600, 300, 650...1000), .tap(180, 480, at: 1200), .to(1000, 400, 1700...2100),
      upAt: 2300)
    return s
  }

  /// Two sources and two targets, above one another; both drags go on at the same time, each with a tap that adds.
  static var twoAtOnce: FingerScript {
    var s = screen
    let a = s.down(200, 200, at: 0)
    let b = s.down(200, 600, at: 40)
    s.move(a, to: 600, 150, from: 650, until: 1000)
    s.move(b, to: 620, 650, from: 700, until: 1050)
    s.tap(180, 240, at: 1200)
    s.tap(180, 640, at: 1230)
    s.move(a, to: 1000, 200, from: 1700, until: 2200)
    s.move(b, to: 1000, 600, from: 1700, until: 2240)
    s.up(a, at: 2400)
    s.up(b, at: 2440)
    return s
  }

  static var tap: FingerScript {
    var s = screen
    s.tap(200, 400, at: 0)
    return s
  }

  static var fastSwipe: FingerScript {
    var s = screen
    s.carry(from: (200, 400), at: 0, .to(1000, 400, 30...230), upAt: 250)
    return s
  }

  static var releasedTooEarly: FingerScript {
    var s = screen
    let f = s.down(200, 400, at: 0)
    s.up(f, at: 380)
    return s
  }

  /// What `make demo` plays: a photo is lifted, carried about, joined by two more with a second finger's taps, held
  /// across the edges of two windows, and dropped.
  static var demo: FingerScript {
    var s = screen
    s.carry(
      from: (217, 310), at: 0, .to(400, 330, 700...1150), .tap(500, 300, at: 1500), .tap(217, 500, at: 2000),
      .to(668, 420, 2700...3400), .to(900, 430, 5200...5900), upAt: 6200)
    return s
  }

  /// What `make demo-213` plays, with Drag Source on the left and Drop Destination on the right: ten images are taken
  /// from four stacks, another hand takes two codes, both are in the air at once and dropped; then far images, and an
  /// image that goes into the bin while they come.
  static var demo213: FingerScript {
    var s = screen
    let f = s.down(104, 188, at: 0)
    s.move(f, to: 420, 290, from: 800, until: 1300)
    for (i, x) in [250, 392, 530].enumerated() { s.tap(x, 188, at: 1700 + i * 500) }
    s.move(f, to: 800, 330, from: 3300, until: 4100)
    let g = s.down(252, 469, at: 3600)
    s.move(g, to: 640, 560, from: 4600, until: 5200)
    s.move(f, to: 930, 330, from: 6200, until: 6500)
    s.up(f, at: 6800)
    s.move(g, to: 900, 480, from: 6700, until: 7100)
    s.up(g, at: 7300)
    s.carry(from: (132, 680), at: 8000, .to(900, 400, 8800...9200), .tap(508, 680, at: 9500), upAt: 10_200)
    s.carry(from: (771, 230), at: 10_700, .to(930, 680, 11_500...11_900), upAt: 12_400)
    s.tap(1275, 5, at: 14_500)
    return s
  }

  /// What `make demo-toolkits` plays: one hand takes two photos into an album that springs open, the other puts a colour
  /// into another place.
  static var demoToolkits: FingerScript {
    var s = screen
    let f = s.down(325, 160, at: 0)
    let g = s.down(930, 130, at: 500)
    s.move(f, to: 480, 330, from: 800, until: 1300)
    s.move(g, to: 1100, 270, from: 1400, until: 2000)
    s.tap(525, 160, at: 2200)
    s.move(f, to: 250, 250, from: 2500, until: 3000)
    s.move(f, to: 75, 215, from: 4200, until: 4500)
    s.up(g, at: 4800)
    s.move(f, to: 500, 380, from: 6400, until: 6900)
    s.up(f, at: 7400)
    s.tap(1275, 795, at: 9000)
    return s
  }

  /// What `make demo-227` plays: scenes of data, each with apps of its own.
  enum demo227 {
    /// A customer's picture, which rests above the editor while Customers is closed.
    static var attachment: FingerScript {
      var s = screen
      s.carry(from: (423, 219), at: 0, .to(790, 330, 800...1500), .to(880, 380, 4200...4500), upAt: 5000)
      s.tap(1275, 5, at: 9500)
      return s
    }

    /// The third result of a search, which goes into a letter.
    static var search: FingerScript {
      var s = screen
      s.carry(from: (200, 366), at: 0, .to(960, 470, 800...1600), .to(1000, 330, 3600...4000), upAt: 4600)
      s.tap(1275, 5, at: 7500)
      return s
    }

    /// Two images from far away, one after the other; a finger cancels the second.
    static var slow: FingerScript {
      var s = screen
      s.carry(from: (92, 670), at: 0, .to(1000, 300, 800...1400), upAt: 1900)
      s.carry(from: (240, 670), at: 2300, .to(1000, 340, 3100...3600), upAt: 4100)
      s.tap(1132, 426, at: 7800)
      s.tap(1275, 5, at: 12_500)
      return s
    }

    /// A photo that knows its place, and a map.
    static var map: FingerScript {
      var s = screen
      s.carry(from: (460, 440), at: 0, .to(1120, 560, 800...1500), upAt: 3200)
      s.tap(1275, 5, at: 6500)
      return s
    }

    /// A drawing above a folder that is read-only, and into one that is not.
    static var folder: FingerScript {
      var s = screen
      s.carry(
        from: (280, 345), at: 0, .to(900, 250, 800...1500), .to(900, 600, 4500...5200), upAt: 5900)
      s.tap(1275, 5, at: 9000)
      return s
    }
  }
}

@Suite struct TraceFileTests {
  /// Set CARRY_WRITE_TRACES=1 to write the files instead of comparing them.
  @Test(arguments: Traces.all.map(\.name)) func theFilesAreWhatTheScriptsWrite(name: String) throws {
    let script = try #require(Traces.all.first { $0.name == name }).script
    let path = Checkout.fixtures + "/traces/\(name).events"
    if environment("CARRY_WRITE_TRACES") != nil {
      let fd = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
      Output.write(String(decoding: script.text, as: UTF8.self), to: fd.raw)
    }
    #expect(try Files.read(path, limit: 1 << 20) == script.text)
  }
}
