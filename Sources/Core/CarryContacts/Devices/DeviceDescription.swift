package import CarryModel

/// The range of one axis, from EVIOCGABS or an `A:` line.
package struct AxisRange: Equatable, Sendable {
  package var minimum: Int32
  package var maximum: Int32
  package var fuzz: Int32
  package var flat: Int32
  /// Units per millimetre, 0 when unknown.
  package var resolution: Int32

  package init(_ minimum: Int32, _ maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0) {
    self.minimum = minimum
    self.maximum = maximum
    self.fuzz = fuzz
    self.flat = flat
    self.resolution = resolution
  }

  /// Whether the range can hold a position at all.
  package var isSane: Bool { minimum < maximum }

  /// The axis's length in millimetres; nil if the resolution is missing or implies an implausible size: many drivers
  /// report 1 unit per millimetre for an axis of 32767 units.
  package var plausibleMillimetres: Double? {
    guard isSane, resolution > 0 else { return nil }
    let length = (Double(maximum) - Double(minimum)) / Double(resolution)
    return (50...2000).contains(length) ? length : nil
  }
}

/// A set of event codes, as the kernel's bit masks hold them.
package struct CodeSet: Equatable, Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package init(_ codes: [UInt16]) { for code in codes { insert(code) } }

  package func contains(_ code: UInt16) -> Bool {
    let i = Int(code / 8)
    return i < bytes.count && bytes[i] & (1 << (code % 8)) != 0
  }

  /// The codes, in order.
  package var codes: [UInt16] {
    (0..<UInt16(bytes.count * 8)).filter { contains($0) }
  }

  package mutating func insert(_ code: UInt16) {
    let i = Int(code / 8)
    while bytes.count <= i { bytes.append(0) }
    bytes[i] |= 1 << (code % 8)
  }

  /// Appends the next eight codes to the mask, up to the kernel's largest mask (KEY_CNT, 768 codes).
  package mutating func appendMask(_ byte: UInt8) { if bytes.count < 96 { bytes.append(byte) } }
}

/// A device's description of itself, from its node or from a recording.
package struct DeviceDescription: Equatable, Sendable {
  package enum ContactProtocol: String, Sendable {
    /// Protocol B: the kernel identifies contacts by slots.
    case slotted
    /// Protocol A: every frame lists all contacts, without identity. Must be converted before it can be tracked.
    case anonymous
    /// BTN_TOUCH with ABS_X and ABS_Y.
    case singleTouch
    case none
  }

  package enum Kind: String, Sendable {
    case touchscreen
    case trackpad
    case other
  }

  /// Repaired to valid UTF-8, but not made safe for a terminal.
  package var name = ""
  package var bus: UInt16 = 0
  package var vendor: UInt16 = 0
  package var product: UInt16 = 0
  package var version: UInt16 = 0
  /// INPUT_PROP bits by number.
  package var properties = CodeSet()
  /// Axes by EV_ABS code.
  package var axes: [UInt16: AxisRange] = [:]
  /// Supported codes by event type; a type is missing if the mask is unknown.
  package var codes: [UInt16: CodeSet] = [:]
  /// libinput's calibration matrix, if a recording has one. For a device it comes from udev.
  package var calibration = Transform.identity

  package init(name: String = "") { self.name = name }

  package func hasAxis(_ code: UInt16) -> Bool { axes[code] != nil }

  /// Nil if the device's keys are unknown.
  package func hasKey(_ code: UInt16) -> Bool? { codes[Evdev.key]?.contains(code) }

  package func hasProperty(_ number: Int) -> Bool { properties.contains(UInt16(clamping: number)) }

  package var `protocol`: ContactProtocol {
    if hasAxis(Evdev.absMtSlot), !hasAxis(Evdev.absReserved) { return .slotted }
    if hasAxis(Evdev.absMtPositionX), hasAxis(Evdev.absMtPositionY) {
      return hasAxis(Evdev.absMtSlot) ? .none : .anonymous
    }
    if hasAxis(Evdev.absX), hasAxis(Evdev.absY), hasKey(Evdev.btnTouch) ?? true { return .singleTouch }
    return .none
  }

  /// How many fingers the device can distinguish, clamped to 1…64.
  package var slotCount: Int {
    guard self.protocol == .slotted, let range = axes[Evdev.absMtSlot] else { return 1 }
    return Int(max(0, min(63, range.maximum))) + 1
  }

  /// INPUT_PROP_SEMI_MT: the two contacts are the corners of a box around the fingers, so they locate one finger at
  /// most.
  package var isSemiMultitouch: Bool { hasProperty(Evdev.propSemiMT) }

  /// INPUT_PROP_BUTTONPAD: the pad itself is the button.
  package var isClickpad: Bool { hasProperty(Evdev.propButtonPad) }

  /// The properties decide; if a driver sets none, the keys and axes do, by the rules that udev uses.
  package var kind: Kind {
    let touch = self.protocol
    if touch == .none { return .other }
    if touch == .singleTouch, hasKey(Evdev.btnToolPen) ?? false { return .other }
    // A device with both properties is a touchpad: POINTER means that it needs a cursor.
    if hasProperty(Evdev.propPointer) || hasProperty(Evdev.propButtonPad) || isSemiMultitouch { return .trackpad }
    if hasProperty(Evdev.propDirect) { return .touchscreen }
    if hasKey(Evdev.btnToolFinger) ?? false { return .trackpad }
    return .touchscreen
  }

  /// The axes for positions.
  package var positionAxes: (x: AxisRange, y: AxisRange)? {
    let multitouch = self.protocol != .singleTouch
    guard let x = axes[multitouch ? Evdev.absMtPositionX : Evdev.absX],
      let y = axes[multitouch ? Evdev.absMtPositionY : Evdev.absY]
    else { return nil }
    return (x, y)
  }

  /// Why a device is not a touch device, after "the device".
  package var reasonForNoTouch: String {
    guard self.protocol == .none, hasAxis(Evdev.absX), hasAxis(Evdev.absY) else { return "has no touch axes" }
    let means =
      hasKey(Evdev.btnLeft) ?? false
      ? ": it reports touches as BTN_LEFT" : hasAxis(Evdev.absPressure) ? ": it reports touches by ABS_PRESSURE" : ""
    return "has ABS_X and ABS_Y, but no BTN_TOUCH\(means)"
  }

  /// The name of an axis for positions whose minimum is not below its maximum; nil if both axes can hold positions.
  package var axisWithoutRange: String? {
    guard let axes = positionAxes else { return nil }
    let prefix = self.protocol == .singleTouch ? "ABS_" : "ABS_MT_POSITION_"
    return axes.x.isSane ? axes.y.isSane ? nil : prefix + "Y" : prefix + "X"
  }

  /// Millimetres per device unit on each axis; nil unless both sizes are plausible.
  package var millimetresPerUnit: (x: Double, y: Double)? {
    guard let axes = positionAxes, axes.x.plausibleMillimetres != nil, axes.y.plausibleMillimetres != nil else {
      return nil
    }
    return (1 / Double(axes.x.resolution), 1 / Double(axes.y.resolution))
  }
}
