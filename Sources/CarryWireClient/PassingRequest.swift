/// A request that carries descriptors, as bytes of the wire.
///
/// libwayland does not send it. If the kernel passes no descriptors on for a while, libwayland gives the connection up; it
/// keeps duplicates of them, for which there may be no room; and it says neither before nor afterwards.
struct PassingRequest {
  private let opcode: UInt32
  private var arguments: [UInt8] = []

  /// - Parameter opcode: such as `CARRY_PROVISION_FILE`.
  init(_ opcode: Int32, words: [UInt32] = []) {
    self.opcode = UInt32(opcode)
    for word in words { append(word) }
  }

  /// How many bytes it has.
  var size: Int { 8 + arguments.count }

  /// - Parameter object: the number of the object that the request is made on.
  func bytes(object: UInt32) -> [UInt8] {
    var message = Self(0)
    message.append(object)
    message.append(UInt32(size) << 16 | opcode)
    return message.arguments + arguments
  }

  private mutating func append(_ word: UInt32) { withUnsafeBytes(of: word) { arguments += $0 } }

  /// Adds a text, which ends with a zero byte and is padded to whole words.
  mutating func append(_ text: String) {
    let characters = text.utf8.prefix { $0 != 0 }
    let bytes = characters.count + 1
    append(UInt32(bytes))
    arguments += characters
    arguments += repeatElement(0, count: (bytes + 3) / 4 * 4 - bytes + 1)
  }
}
