import CarryContacts
package import CarryModel

extension GestureScript {
  /// The script as a recording of a touchscreen, on which its pixels are the device's units.
  ///
  /// - Throws: for labels and expectations, which need an engine with applications.
  package func recording(file: String) throws(FileProblem) -> Recording {
    var playback = GesturePlayback(self, file: file)
    var events: [EvdevEvent] = []
    var down: Set<Int> = []
    var touches: UInt32 = 0
    var slot = -1
    var time = Interval.zero
    func add(_ type: UInt16, _ code: UInt16, _ value: Int32) {
      events.append(EvdevEvent(time: Instant.zero + time, type: type, code: code, value: value))
    }
    while true {
      let event = try playback.next { place throws(Problem) in
        switch place {
        case .pixels(let point): return point
        case .fraction(let part): return Point(x: part.x * screen.width, y: part.y * screen.height)
        case .region(let label, _):
          throw Problem("\"\(label)\": labels of regions are known to carry play and carry test only")
        }
      }
      switch event {
      case .end: return Recording(description: try Self.touchscreen(screen), events: events)
      case .lift: continue
      case .expectation(_, _, let line):
        throw FileProblem(file: file, line: line, message: "expectations are for carry play and carry test only")
      case .touch(let at, let finger, let phase, let point):
        time = at
        if slot != finger - 1 {
          slot = finger - 1
          add(Evdev.abs, Evdev.absMtSlot, Int32(slot))
        }
        if down.insert(finger).inserted {
          touches += 1
          add(Evdev.abs, Evdev.absMtTrackingID, Int32(touches))
        }
        switch phase {
        case .began, .moved:
          add(Evdev.abs, Evdev.absMtPositionX, Self.unit(point.x, screen.width))
          add(Evdev.abs, Evdev.absMtPositionY, Self.unit(point.y, screen.height))
        case .ended, .cancelled:
          down.remove(finger)
          add(Evdev.abs, Evdev.absMtTrackingID, -1)
        }
        add(Evdev.syn, Evdev.synReport, 0)
        guard events.count < Self.maxEvents else {
          throw FileProblem(file: file, message: "plays for too long: it makes more than \(Self.maxEvents) events")
        }
      }
    }
  }

  /// Some hours of moving fingers.
  private static let maxEvents = 4_000_000

  private static func unit(_ value: Double, _ size: Double) -> Int32 { Int32(max(0, min(size - 1, value.rounded()))) }

  private static func touchscreen(_ screen: Size) throws(FileProblem) -> DeviceDescription {
    let header = """
      N: A touchscreen
      I: 0003 0000 0000 0000
      P: 02 00 00 00 00 00 00 00
      B: 00 0b 00 00 00 00 00 00 00
      B: 01 00 00 00 00 00 00 00 00
      B: 03 00 00 00 00 00 80 60 02
      A: 2f 0 9 0 0 0
      A: 35 0 \(Int(screen.width) - 1) 0 0 0
      A: 36 0 \(Int(screen.height) - 1) 0 0 0
      A: 39 0 65535 0 0 0

      """
    return try EvemuParser.parse(Array(header.utf8), file: "").description ?? DeviceDescription()
  }
}
