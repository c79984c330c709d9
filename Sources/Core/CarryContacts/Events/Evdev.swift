/// The constants of linux/input-event-codes.h that touch input needs.
package enum Evdev {
  // Event types.
  package static let syn: UInt16 = 0x00
  package static let key: UInt16 = 0x01
  package static let abs: UInt16 = 0x03

  // EV_SYN.
  package static let synReport: UInt16 = 0
  package static let synMtReport: UInt16 = 2
  package static let synDropped: UInt16 = 3

  // EV_KEY.
  package static let btnLeft: UInt16 = 0x110
  package static let btnToolPen: UInt16 = 0x140
  package static let btnToolFinger: UInt16 = 0x145
  package static let btnToolQuintTap: UInt16 = 0x148
  package static let btnTouch: UInt16 = 0x14a
  package static let btnToolDoubleTap: UInt16 = 0x14d
  package static let btnToolTripleTap: UInt16 = 0x14e
  package static let btnToolQuadTap: UInt16 = 0x14f

  // EV_ABS.
  package static let absX: UInt16 = 0x00
  package static let absY: UInt16 = 0x01
  package static let absPressure: UInt16 = 0x18
  package static let absDistance: UInt16 = 0x19
  /// The code below ABS_MT_SLOT. A device with this code is a joystick with every axis set, not a touch device.
  package static let absReserved: UInt16 = 0x2e
  package static let absMtSlot: UInt16 = 0x2f
  package static let absMtTouchMajor: UInt16 = 0x30
  package static let absMtPositionX: UInt16 = 0x35
  package static let absMtPositionY: UInt16 = 0x36
  package static let absMtToolType: UInt16 = 0x37
  package static let absMtTrackingID: UInt16 = 0x39
  package static let absMtPressure: UInt16 = 0x3a
  package static let absMtDistance: UInt16 = 0x3b
  package static let absMax: UInt16 = 0x3f

  // INPUT_PROP, as bit numbers.
  package static let propPointer = 0
  package static let propDirect = 1
  package static let propButtonPad = 2
  package static let propSemiMT = 3
}
