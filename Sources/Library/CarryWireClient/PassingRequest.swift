/// A request that carries descriptors, encoded for the wire.
///
/// libwayland does not send it, for three reasons: it abandons the connection if the kernel passes no descriptors for
/// a while; it keeps duplicates of them, for which there may be no room; and it reports neither in advance nor
/// afterwards.
struct PassingRequest {
  private let opcode: UInt32
  private var arguments: [UInt8] = []

  /// - Parameter opcode: For example `CARRY_PROVISION_FILE`.
  init(_ opcode: Int32, words: [UInt32] = []) {
    self.opcode = UInt32(opcode)
    for word in words { append(word) }
  }

  /// The size in bytes.
  var size: Int { 8 + arguments.count }

  /// - Parameter object: The ID of the request's object.
  func bytes(object: UInt32) -> [UInt8] {
    var message = Self(0)
    message.append(object)
    message.append(UInt32(size) << 16 | opcode)
    return message.arguments + arguments
  }

  private mutating func append(_ word: UInt32) { withUnsafeBytes(of: word) { arguments += $0 } }

  /// Appends a NUL-terminated string, padded to whole words.
  mutating func append(_ text: String) {
    let characters = text.utf8.prefix { $0 != 0 }
    let bytes = characters.count + 1
    append(UInt32(bytes))
    arguments += characters
    arguments += repeatElement(0, count: (bytes + 3) / 4 * 4 - bytes + 1)
  }
}
