import CarryModel
import Testing

@testable import CarryDaemon

@Suite struct FingerTableTests {
  private func touch(_ id: UInt32, _ phase: Touch.Phase, _ device: DeviceID, at time: Instant) -> Touch {
    Touch(id: ContactID(id), phase: phase, point: .zero, device: device, time: time)
  }

  @Test("Z20: what a finger is on is known while it is down, and long after") func Z20_theDevice() {
    var table = FingerTable()
    let (panel, pad) = (table.addDevice("panel"), table.addDevice("pad"))
    #expect(panel != pad)
    table.update(with: touch(1, .began, panel, at: ms(0)))
    table.update(with: touch(2, .began, pad, at: ms(1)))
    table.update(with: touch(1, .moved, panel, at: ms(2)))
    table.update(with: touch(1, .ended, panel, at: ms(3)))
    #expect(table.deviceName(of: ContactID(1)) == "panel")
    #expect(table.deviceName(of: ContactID(2)) == "pad")
    #expect(table.deviceName(of: ContactID(3)).isEmpty)
    // Ten minutes later another one comes; the one that is down all the time is known, the other is not.
    table.update(with: touch(3, .began, panel, at: ms(600_004)))
    #expect(table.deviceName(of: ContactID(1)).isEmpty)
    #expect(table.deviceName(of: ContactID(2)) == "pad")
    #expect(table.count == 2)
  }

  @Test("Z5: a device that goes takes the fingers along that are down, and those that went up")
  func Z5_aDeviceThatGoes() {
    var table = FingerTable()
    let (panel, pad) = (table.addDevice("panel"), table.addDevice("pad"))
    for id in UInt32(1)...3 { table.update(with: touch(id, .began, panel, at: ms(0))) }
    table.update(with: touch(4, .began, pad, at: ms(0)))
    table.update(with: touch(2, .ended, panel, at: ms(5)))
    table.update(with: touch(3, .cancelled, panel, at: ms(5)))
    let lost = table.removeDevice(panel)
    #expect(lost == [ContactID(1), ContactID(2)])
    for id in lost { table.update(with: touch(id.raw, .cancelled, panel, at: ms(6))) }
    #expect(table.removeDevice(panel).isEmpty)
    // Its name is known for as long as its fingers are.
    #expect(table.deviceName(of: ContactID(1)) == "panel")
    table.update(with: touch(5, .began, pad, at: ms(600_007)))
    #expect(table.deviceName(of: ContactID(1)).isEmpty)
    #expect(table.deviceCount == 1)
  }

  @Test("however many fingers come, it stays small, and forgets those first that are up") func itIsBounded() {
    var table = FingerTable()
    let panel = table.addDevice("panel")
    table.update(with: touch(1, .began, panel, at: ms(0)))
    for id in UInt32(2)..<10_000 {
      table.update(with: touch(id, .began, panel, at: ms(1)))
      table.update(with: touch(id, .ended, panel, at: ms(1)))
    }
    #expect(table.count <= Touch.most)
    #expect(table.deviceName(of: ContactID(1)) == "panel")
    #expect(table.deviceName(of: ContactID(9999)) == "panel")
    // And if none of them ever goes up, the oldest.
    for id in UInt32(10_000)..<20_000 { table.update(with: touch(id, .began, panel, at: ms(2))) }
    #expect(table.count <= Touch.most)
    #expect(table.deviceName(of: ContactID(19_999)) == "panel")
  }

  @Test("devices that come and go leave nothing behind") func devicesLeaveNothing() {
    var table = FingerTable()
    for _ in 0..<1000 {
      let device = table.addDevice("panel")
      _ = table.removeDevice(device)
    }
    #expect(table.deviceCount == 0)
  }
}
