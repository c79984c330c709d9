/// MD5 of a text, which names the thumbnails in the desktop's cache. Not for security. RFC 1321.
package enum MD5 {
  /// The digest as 32 hexadecimal digits.
  package static func text(_ message: String) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let bytes = digest(Array(message.utf8)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The 16 bytes of the digest.
  static func digest(_ message: [UInt8]) -> [UInt8] {
    var padded = message + [0x80]
    padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
    let bits = UInt64(message.count) &* 8
    padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
    var state: (UInt32, UInt32, UInt32, UInt32) = (0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476)
    for start in stride(from: 0, to: padded.count, by: 64) { mix(padded[start..<start + 64], into: &state) }
    return [state.0, state.1, state.2, state.3].flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
  }

  private static func mix(_ block: ArraySlice<UInt8>, into state: inout (UInt32, UInt32, UInt32, UInt32)) {
    let words = (0..<16).map { i in
      (0..<4).reduce(UInt32(0)) { $0 | UInt32(block[block.startIndex + 4 * i + $1]) << UInt32(8 * $1) }
    }
    var (a, b, c, d) = state
    for i in 0..<64 {
      let (mixed, word) =
        switch i / 16 {
        case 0: (b & c | ~b & d, i)
        case 1: (d & b | ~d & c, (5 * i + 1) % 16)
        case 2: (b ^ c ^ d, (3 * i + 5) % 16)
        default: (c ^ (b | ~d), 7 * i % 16)
        }
      let sum = a &+ mixed &+ constants[i] &+ words[word]
      let turn = turns[i / 16][i % 4]
      (a, d, c, b) = (d, c, b, b &+ (sum << turn | sum >> (32 - turn)))
    }
    state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d)
  }

  private static let turns: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]
  private static let constants: [UInt32] = [
    0xD76AA478, 0xE8C7B756, 0x242070DB, 0xC1BDCEEE, 0xF57C0FAF, 0x4787C62A, 0xA8304613, 0xFD469501,
    0x698098D8, 0x8B44F7AF, 0xFFFF5BB1, 0x895CD7BE, 0x6B901122, 0xFD987193, 0xA679438E, 0x49B40821,
    0xF61E2562, 0xC040B340, 0x265E5A51, 0xE9B6C7AA, 0xD62F105D, 0x02441453, 0xD8A1E681, 0xE7D3FBC8,
    0x21E1CDE6, 0xC33707D6, 0xF4D50D87, 0x455A14ED, 0xA9E3E905, 0xFCEFA3F8, 0x676F02D9, 0x8D2A4C8A,
    0xFFFA3942, 0x8771F681, 0x6D9D6122, 0xFDE5380C, 0xA4BEEA44, 0x4BDECFA9, 0xF6BB4B60, 0xBEBFBC70,
    0x289B7EC6, 0xEAA127FA, 0xD4EF3085, 0x04881D05, 0xD9D4D039, 0xE6DB99E5, 0x1FA27CF8, 0xC4AC5665,
    0xF4292244, 0x432AFF97, 0xAB9423A7, 0xFC93A039, 0x655B59C3, 0x8F0CCC92, 0xFFEFF47D, 0x85845DD1,
    0x6FA87E4F, 0xFE2CE6E0, 0xA3014314, 0x4E0811A1, 0xF7537E82, 0xBD3AF235, 0x2AD7D2BB, 0xEB86D391,
  ]
}
