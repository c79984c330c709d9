import CarryContacts
import CarryModel
import Testing

@Suite struct DeviceTests {
  @Test func protocolAndKindFollowAxesPropertiesAndKeys() {
    var d = panel()
    #expect(d.protocol == .slotted && d.kind == .touchscreen && !d.isSemiMultitouch)
    d.properties.insert(UInt16(Evdev.propPointer))
    #expect(d.kind == .trackpad)  // Both properties: a touchpad.
    d.properties = CodeSet([UInt16(Evdev.propSemiMT)])
    #expect(d.kind == .trackpad && d.isSemiMultitouch)
    d.properties = CodeSet()
    #expect(d.kind == .touchscreen)
    d.codes[Evdev.key] = CodeSet([Evdev.btnTouch, Evdev.btnToolFinger])
    #expect(d.kind == .trackpad)
    d.axes[Evdev.absMtSlot] = nil
    #expect(d.protocol == .anonymous)
    d.axes[Evdev.absMtPositionX] = nil
    #expect(d.protocol == .none && d.kind == .other)
    d.axes[Evdev.absX] = AxisRange(0, 9)
    d.axes[Evdev.absY] = AxisRange(0, 9)
    #expect(d.protocol == .singleTouch && d.slotCount == 1)
    d.codes[Evdev.key] = CodeSet([0x120])
    #expect(d.protocol == .none)  // A joystick has no BTN_TOUCH.
  }

  @Test("slot counts are clamped") func slotCountsAreClamped() {
    for (maximum, count) in [(Int32(0), 1), (9, 10), (63, 64), (64, 64), (.max, 64), (-1, 1), (.min, 1)] {
      var d = panel()
      d.axes[Evdev.absMtSlot] = AxisRange(0, maximum)
      #expect(d.slotCount == count)
    }
  }

  @Test func positionsAreNormalisedCalibratedAndTurned() {
    let screen = Rect(x: 100, y: 50, width: 1000, height: 500)
    let d = panel()  // 1000 × 500 units.
    let plain = ScreenMapping(d, screen: screen)
    #expect(plain.point(x: 0, y: 0) == Point(x: 100, y: 50))
    #expect(abs(plain.point(x: 999, y: 499).x - 1099) < 1e-9)
    let turned = ScreenMapping(d, screen: screen, coordinateTransformation: Transform([0, -1, 1, 1, 0, 0]))
    #expect(turned.point(x: 0, y: 0) == Point(x: 1100, y: 50))
    #expect(abs(turned.point(x: 500, y: 0).y - 300) < 1e-9)
    let flipped = ScreenMapping(
      d, screen: screen, calibration: Transform([-1, 0, 1, 0, 1, 0]),
      coordinateTransformation: Transform([0.5, 0, 0.5, 0, 1, 0]))
    #expect(flipped.point(x: 0, y: 0).x == 1100)
    #expect(flipped.point(x: 500, y: 0).x == 850)
  }

  @Test("no mapping divides by zero") func noMappingDividesByZero() {
    for range in [AxisRange(5, 5), AxisRange(9, 0), AxisRange(.min, .max), AxisRange(0, 0)] {
      var d = panel()
      d.axes[Evdev.absMtPositionX] = range
      let mapping = ScreenMapping(
        d, screen: Rect(x: 0, y: 0, width: 100, height: 100),
        coordinateTransformation: Transform([0, 0, 0, 0, 0, 0, 0, 0, 0]))
      for v: Int32 in [.min, 0, .max] {
        let p = mapping.point(x: v, y: v)
        #expect(p.x.isFinite && p.y.isFinite)
      }
    }
    var d = panel()
    d.axes[Evdev.absMtPositionX] = AxisRange(0, 999, resolution: -3)
    #expect(d.axes[Evdev.absMtPositionX]?.plausibleMillimetres == nil)
  }

  @Test func densityComesFromTheDeviceThenTheOutputThenTheNominal() {
    let screen = Rect(x: 0, y: 0, width: 1000, height: 500)
    var d = panel()
    #expect(ScreenMapping(d, screen: screen).pixelsPerMillimetre == 96 / 25.4)
    #expect(ScreenMapping(d, screen: screen).scale == 1)
    let output = Size(width: 250, height: 125)
    #expect(ScreenMapping(d, screen: screen, outputMillimetres: output).pixelsPerMillimetre == 4)
    #expect(
      ScreenMapping(d, screen: screen, outputMillimetres: Size(width: 160, height: 90)).pixelsPerMillimetre
        == 96 / 25.4)
    d.axes[Evdev.absMtPositionX] = AxisRange(0, 1000, resolution: 10)
    d.axes[Evdev.absMtPositionY] = AxisRange(0, 500, resolution: 10)
    #expect(abs(ScreenMapping(d, screen: screen, outputMillimetres: output).pixelsPerMillimetre - 10) < 1e-9)
    let turned = ScreenMapping(d, screen: screen, coordinateTransformation: Transform([0, -1, 1, 1, 0, 0]))
    #expect(abs(turned.pixelsPerMillimetre - (5.0 + 20) / 2) < 1e-9)
    // 1 unit a millimetre on a 32767 units wide axis is a driver's fancy.
    d.axes[Evdev.absMtPositionX] = AxisRange(0, 32767, resolution: 1)
    #expect(ScreenMapping(d, screen: screen, outputMillimetres: output).pixelsPerMillimetre == 4)
  }
}
