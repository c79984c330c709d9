import CarryContacts
import CarryModel
import CarryTesting
import Testing

@Suite struct ContactTrackerTests {
  @Test func slotZeroIsImpliedAndAFrameReportsWhatChanged() {
    let rig = Rig()
    rig.id(7)
    rig.x(10)
    rig.y(20)
    #expect(rig.log.isEmpty)
    rig.report()
    #expect(rig.take() == ["began 1 10,20"])
    rig.slot(1)
    rig.id(8)
    rig.x(30)
    rig.y(40)
    rig.report()
    #expect(rig.take() == ["began 2 30,40"])
    rig.y(41)
    rig.slot(0)
    rig.x(11)
    rig.report()
    #expect(rig.take() == ["moved 1 11,20", "moved 2 30,41"])
    rig.report()
    #expect(rig.take() == [])
    rig.id(-1)
    rig.report()
    #expect(rig.take() == ["ended 1 11,20"])
    #expect(rig.tracker.liveCount == 1)
    #expect(rig.frame.time == rig.time)
  }

  @Test func aCoordinateThatTheSlotHadBeforeIsNotSentAgain() {
    let rig = Rig()
    rig.id(1)
    rig.x(10)
    rig.y(20)
    rig.report()
    rig.id(-1)
    rig.report()
    rig.id(2)
    rig.y(25)
    rig.report()
    #expect(rig.take() == ["began 1 10,20", "ended 1 10,20", "began 2 10,25"])
  }

  @Test("a replaced id ends one contact and begins another in the frame")
  func aReplacedIdEndsOneContactAndBeginsAnotherInTheFrame() {
    let rig = Rig()
    rig.id(1)
    rig.x(10)
    rig.y(20)
    rig.report()
    rig.id(2)
    rig.x(500)
    rig.report()
    #expect(rig.take() == ["began 1 10,20", "ended 1 10,20", "began 2 500,20"])
    rig.id(-1)
    rig.id(2)  // The same number again is another finger when a -1 came between.
    rig.report()
    #expect(rig.take() == ["ended 2 500,20", "began 3 500,20"])
    rig.id(2)
    rig.report()
    #expect(rig.take() == ["moved 3 500,20"])
  }

  @Test("slots out of range are ignored with their values and counted")
  func slotsOutOfRangeAreIgnoredWithTheirValuesAndCounted() {
    let rig = Rig()
    rig.id(1)
    rig.x(10)
    rig.y(20)
    for bad: Int32 in [5, 64, .max, -1, .min] {
      rig.slot(bad)
      rig.id(9)
      rig.x(99)
    }
    rig.report()
    #expect(rig.take() == ["began 1 10,20"])
    #expect(rig.tracker.problems.count(of: .slotOutOfRange) == 5)
    #expect(rig.tracker.problems.entries.first?.first == 4)
    rig.slot(0)
    rig.x(11)
    rig.report()
    #expect(rig.take() == ["moved 1 11,20"])
  }

  @Test("values are clamped to a range that makes sense") func valuesAreClampedToARangeThatMakesSense() {
    let rig = Rig()
    rig.id(1)
    rig.x(.max)
    rig.y(.min)
    rig.report()
    #expect(rig.take() == ["began 1 999,0"])
    var broken = panel()
    broken.axes[Evdev.absMtPositionX] = AxisRange(7, 7)
    broken.axes[Evdev.absMtSlot] = AxisRange(0, .max)
    let other = Rig(broken)
    other.slot(63)
    other.id(1)
    other.x(.max)
    other.y(3)
    other.report()
    #expect(other.take() == ["began 1 2147483647,3"])
    let mapping = ScreenMapping(broken, screen: Rect(x: 0, y: 0, width: 100, height: 100))
    let p = mapping.point(x: .max, y: 3)
    #expect(p.x.isFinite && p.y.isFinite)
  }

  @Test("a contact waits for its position") func aContactWaitsForItsPosition() {
    let rig = Rig()
    rig.id(1)
    rig.x(10)
    rig.report()
    #expect(rig.take() == [])
    rig.y(20)
    rig.report()
    #expect(rig.take() == ["began 1 10,20"])
    rig.slot(1)
    rig.id(2)
    rig.report()
    rig.id(-1)
    rig.report()
    #expect(rig.take() == [])
    #expect(rig.tracker.problems.count(of: .contactWithoutPosition) == 1)
  }

  @Test func hoveringIsNotTouching() {
    let rig = Rig()
    rig.id(1)
    rig.x(10)
    rig.y(20)
    rig.distance(3)
    rig.report()
    #expect(rig.take() == [])
    rig.x(12)
    rig.distance(0)
    rig.report()
    #expect(rig.take() == ["began 1 12,20"])
    rig.distance(1)
    rig.report()
    #expect(rig.take() == ["ended 1 12,20"])
    rig.distance(0)
    rig.report()
    rig.id(-1)
    rig.report()
    #expect(rig.take() == ["began 2 12,20", "ended 2 12,20"])
  }

  @Test func aPalmIsCancelledAndSilentUntilItGoes() {
    let rig = Rig()
    rig.id(1)
    rig.x(10)
    rig.y(20)
    rig.report()
    rig.tool(2)
    rig.report()
    rig.tool(0)
    rig.x(50)
    rig.report()
    rig.id(-1)
    rig.report()
    #expect(rig.take() == ["began 1 10,20", "cancelled 1 10,20"])
    rig.id(2)
    rig.tool(1)
    rig.report()
    #expect(rig.frame.contacts.first?.tool == .pen)
    #expect(rig.take() == ["began 2 50,20"])
  }

  @Test func oneTouchWithoutSlots() {
    var d = DeviceDescription(name: "resistive")
    d.axes = [Evdev.absX: AxisRange(0, 100), Evdev.absY: AxisRange(0, 100), Evdev.absPressure: AxisRange(0, 255)]
    d.codes[Evdev.key] = CodeSet([Evdev.btnTouch])
    #expect(d.protocol == .singleTouch)
    #expect(d.kind == .touchscreen)
    let rig = Rig(d)
    rig.send(Evdev.abs, Evdev.absX, 5)
    rig.send(Evdev.abs, Evdev.absY, 6)
    rig.report()
    #expect(rig.take() == [])
    rig.send(Evdev.key, Evdev.btnTouch, 1)
    rig.send(Evdev.abs, Evdev.absPressure, 80)
    rig.report()
    #expect(rig.frame.contacts.first?.pressure == 80)
    rig.send(Evdev.abs, Evdev.absX, 500)
    rig.report()
    rig.send(Evdev.key, Evdev.btnTouch, 0)
    rig.report()
    #expect(rig.take() == ["began 1 5,6", "moved 1 100,6", "ended 1 100,6"])
  }

  @Test func eventsAreIgnoredFromSynDroppedToTheNextReport() {
    let rig = Rig()
    for (slot, id) in [(0, 1), (1, 2), (2, 3)] as [(Int32, Int32)] {
      rig.slot(slot)
      rig.id(id)
      rig.x(slot * 10)
      rig.y(5)
    }
    rig.report()
    _ = rig.take()
    rig.send(Evdev.syn, Evdev.synDropped, 0)
    rig.id(-1)
    rig.x(900)
    #expect(!rig.tracker.needsResynchronisation)
    rig.report()
    #expect(rig.take() == [])
    #expect(rig.tracker.needsResynchronisation)
    // In truth the first finger moved, the second was replaced, the third is gone and a fourth came.
    let truth = [
      SlotState(trackingID: 1, x: 1, y: 6), SlotState(trackingID: 9, x: 300, y: 300),
      SlotState(trackingID: -1, x: 20, y: 5), SlotState(trackingID: 10, x: 40, y: 5),
    ]
    if rig.tracker.resynchronise(slots: truth, currentSlot: 3, time: rig.time, into: &rig.frame) { rig.note() }
    #expect(rig.take() == ["moved 1 1,6", "ended 2 10,5", "began 4 300,300", "ended 3 20,5", "began 5 40,5"])
    rig.x(41)
    rig.report()
    #expect(rig.take() == ["moved 5 41,5"])
    #expect(
      !rig.tracker.resynchronise(
        slots: [truth[0], truth[1], truth[2], SlotState(trackingID: 10, x: 41, y: 5)], currentSlot: 3, time: rig.time,
        into: &rig.frame))
  }

  @Test func withoutADeviceToAskFingersStayUntilContradicted() {
    let rig = Rig()
    rig.id(1)
    rig.x(10)
    rig.y(20)
    rig.report()
    rig.send(Evdev.syn, Evdev.synDropped, 0)
    rig.id(-1)
    rig.report()
    rig.x(11)
    rig.report()
    #expect(rig.take() == ["began 1 10,20", "moved 1 11,20"])
    rig.id(5)
    rig.report()
    #expect(rig.take() == ["ended 1 11,20", "began 2 11,20"])
    #expect(rig.tracker.endAll(.ended, time: rig.time, into: &rig.frame))
    rig.note()
    #expect(rig.take() == ["ended 2 11,20"])
    #expect(!rig.tracker.endAll(.ended, time: rig.time, into: &rig.frame))
  }

  @Test func fingersDownBeforeTheDeviceWasOpenedStaySilentUntilTheyLift() {
    let rig = Rig()
    rig.tracker.adopt(slots: [SlotState(trackingID: 4, x: 100, y: 200)], currentSlot: 0)
    rig.x(101)
    rig.report()
    rig.id(-1)
    rig.report()
    #expect(rig.take() == [])
    rig.id(5)
    rig.x(90)
    rig.report()
    #expect(rig.take() == ["began 1 90,200"])
  }

  @Test("a million events without a report change nothing but the state")
  func aMillionEventsWithoutAReportChangeNothingButTheState() {
    let rig = Rig()
    rig.id(1)
    rig.y(20)
    for i in 0..<1_000_000 { rig.x(Int32(i % 1000)) }
    #expect(rig.log.isEmpty)
    rig.report()
    #expect(rig.take() == ["began 1 999,20"])
    #expect(rig.tracker.problems.count(of: .frameWithoutEnd) == 1)
  }

  @Test("frame times never go back or beyond the clock") func frameTimesNeverGoBackOrBeyondTheClock() {
    let rig = Rig()
    rig.time = .init(microseconds: 5_000_000)
    rig.id(1)
    rig.x(10)
    rig.y(20)
    rig.report()
    let first = rig.frame.time
    rig.time = .init(microseconds: .min)
    rig.x(11)
    rig.report()
    #expect(rig.frame.time == first)
    #expect(rig.tracker.problems.count(of: .timeWentBackwards) == 1)
    rig.tracker.latestTime = .init(microseconds: 6_000_000)
    rig.time = .distantFuture
    rig.x(12)
    rig.report()
    #expect(rig.frame.time == .init(microseconds: 6_000_000))
  }

  @Test("no sequence of events traps and every contact ends") func noSequenceOfEventsTrapsAndEveryContactEnds() {
    var random = SeededRandom(seed: 27)
    let codes: [UInt16] = [
      Evdev.absMtSlot, Evdev.absMtTrackingID, Evdev.absMtPositionX, Evdev.absMtPositionY, Evdev.absMtToolType,
      Evdev.absMtDistance, Evdev.absMtPressure, Evdev.absMtTouchMajor, Evdev.absX, 0xFFFF,
    ]
    let values: [Int32] = [-1, 0, 1, 2, 3, 4, 5, 100, .min, .max]
    for _ in 0..<50 {
      let rig = Rig()
      var down: Set<ContactID> = []
      var wrong = 0
      func check() {
        for c in rig.frame.contacts {
          switch c.phase {
          case .began: if !down.insert(c.id).inserted { wrong += 1 }
          case .moved: if !down.contains(c.id) { wrong += 1 }
          case .ended, .cancelled: if down.remove(c.id) == nil { wrong += 1 }
          }
        }
      }
      for _ in 0..<2000 {
        let syn = Int.random(in: 0..<6, using: &random) == 0
        let code = syn ? UInt16(Int.random(in: 0..<4, using: &random)) : codes.randomElement(using: &random) ?? 0
        let event = EvdevEvent(
          time: Instant(microseconds: Int64(truncatingIfNeeded: random.next())), type: syn ? Evdev.syn : Evdev.abs,
          code: code, value: values.randomElement(using: &random) ?? 0)
        if rig.tracker.handle(event, into: &rig.frame) { check() }
      }
      if rig.tracker.endAll(.ended, time: .zero, into: &rig.frame) { check() }
      #expect(wrong == 0)
      #expect(down.isEmpty)
    }
  }
}
