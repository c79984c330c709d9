import CLinux
import CarryContacts
import CarryEvdev
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// Which nodes are opened at all: sysfs as the kernel shows it for real devices, without one.
@Suite struct DeviceChoiceTests {
  /// Properties, keys and absolute axes as in sysfs.
  private static let devices: [(name: String, properties: String, keys: String, axes: String, String)] = [
    ("AT Translated Set 2 keyboard", "0", "402000000 3803078f800d001 feffffdfffefffff fffffffffffffffe", "0", "other"),
    ("Logitech USB Optical Mouse", "0", "ff0000 0 0 0 0", "0", "other"),
    ("Logitech Wireless Touch Keyboard K400", "0", "ffff0000 0 0 0 0", "0", "other"),
    ("Wacom Intuos Pen", "1", "1c03 0 0 0 0 0", "1000f000003", "other"),
    ("SynPS/2 Synaptics TouchPad", "5", "e520 10000 0 0 0 0", "660800011000003", "trackpad"),
    ("ELAN Touchpad with buttons", "1", "e520 630000 0 0 0 0", "661800011000003", "trackpad"),
    ("AlpsPS/2 ALPS GlidePoint", "8", "6420 70000 0 0 0 0", "260800001000003", "trackpad"),
    ("Atmel maXTouch Touchscreen", "2", "400 0 0 0 0 0", "671800001000003", "touchscreen"),
  ]

  @Test("Z6: touchscreens and trackpads are told apart, and from keyboards, mice and pens")
  func Z6_kindsFromSysfs() throws {
    let folder = try TestFolder("choice")
    for (i, device) in Self.devices.enumerated() {
      try folder.makeFolder("event\(i)/device/capabilities")
      for (file, text) in [
        ("name", device.name), ("properties", device.properties), ("capabilities/key", device.keys),
        ("capabilities/abs", device.axes),
      ] {
        try folder.write(text + "\n", to: "event\(i)/device/" + file)
      }
      let kind = DeviceScanner.kind(of: "/dev/input/event\(i)", classes: folder.path)
      #expect(kind.rawValue == device.4, "\(device.name)")
    }
  }

  @Test("Z6: udev's judgement comes first, and what is to be ignored is nothing") func Z6_verdicts() {
    typealias Verdict = DeviceMonitor.Verdict
    #expect(Verdict().kind(ours: .other) == .other)
    #expect(Verdict().kind(ours: .trackpad) == .trackpad)
    #expect(Verdict(isTouchscreen: true).kind(ours: .other) == .touchscreen)
    #expect(Verdict(isTrackpad: true).kind(ours: .touchscreen) == .trackpad)
    #expect(Verdict(isTouchscreen: true, isTrackpad: true).kind(ours: .other) == .trackpad)
    #expect(Verdict(isTouchscreen: true, isIgnored: true).kind(ours: .touchscreen) == .other)
  }

  @Test("Z6: the advice for a trackpad is not the touchscreens' rule") func Z6_advice() {
    let error = DeviceError(
      node: "/dev/input/event3", reason: .noPermission, explanation: "no", advice: "70-carry.rules")
    #expect(error.of(.touchscreen) == error)
    #expect(error.of(.trackpad).advice.contains("carryd(1)"))
    #expect(!error.of(.trackpad).advice.contains("70-carry"))
  }

  @Test("what to do names the rule that lies where the program was installed, and reading is enough")
  func advice() throws {
    let place = try TestFolder("prefix")
    let root = place.path
    for name in ["bin", "lib/udev/rules.d"] { try place.makeFolder(name) }
    #expect(
      DeviceAccess.installing(besides: root + "/bin/carry") == "install udev/70-carry.rules into /etc/udev/rules.d")
    let rule = root + "/lib/udev/rules.d/70-carry.rules"
    _ = try Descriptor.open(rule, O_CREAT | O_WRONLY, mode: 0o600)
    #expect(
      DeviceAccess.installing(besides: root + "/bin/carry") == "run: sudo install -m 644 \(rule) /etc/udev/rules.d/")
    let error = DeviceError(node: "/dev/input/event3", reason: .noPermission, explanation: "no", advice: "")
    #expect(error.of(.trackpad).advice.contains("setfacl -m u:$USER:r /dev"))
    #expect(
      DeviceAccess.advice(for: "/dev/input/event3", rule: nil, isTagged: nil).contains("setfacl -m u:$USER:r /dev"))
  }
}
