/// The shape of the shared memory that generated bulk travels in; part of the wire protocol.
package enum RingLayout {
  package static let slotSize = 262_144
  package static let slots = 4
  package static let size = slotSize * slots
  /// In the place of a slot's length: all is sent.
  package static let end: UInt32 = 0xFFFF_FFFF
}
