/// The layout of the shared memory for generated data; part of the wire protocol.
package enum RingLayout {
  package static let slotSize = 262_144
  package static let slots = 4
  package static let size = slotSize * slots
  /// Replaces a slot's length when all data has been sent.
  package static let end: UInt32 = 0xFFFF_FFFF
  /// Replaces a slot's length when the source has failed. The reason may follow in the same packet: UTF-8, at most
  /// `Limits.nameBytes` long.
  package static let failed: UInt32 = 0xFFFF_FFFE
}
