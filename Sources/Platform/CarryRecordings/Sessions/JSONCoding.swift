/// Codes values as JSON, as the standard library's synthesised `Codable` asks for it. Foundation's coders would bring
/// Foundation into the engine.
enum JSONCoding {
  static func encode(_ value: some Encodable) throws -> JSONValue {
    let writer = JSONWriter()
    try value.encode(to: writer)
    return writer.value
  }

  static func decode<T: Decodable>(_ type: T.Type, from value: JSONValue, at path: [any CodingKey] = []) throws -> T {
    try T(from: JSONReader(value, path))
  }

  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }
    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) { stringValue = String(intValue) }
  }
}

// MARK: Writing

private final class JSONWriter: Encoder {
  private enum Kind { case leaf, array, object }

  private var kind = Kind.leaf
  var leaf = JSONValue.null
  private(set) var elements: [JSONWriter] = []
  private var members: [(key: String, writer: JSONWriter)] = []
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  var value: JSONValue {
    switch kind {
    case .leaf: leaf
    case .array: .array(elements.map(\.value))
    case .object: .object(members.map { ($0.key, $0.writer.value) })
    }
  }

  func member(_ key: any CodingKey) -> JSONWriter {
    members.append((key.stringValue, JSONWriter()))
    return members[members.count - 1].writer
  }

  func element() -> JSONWriter {
    elements.append(JSONWriter())
    return elements[elements.count - 1]
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    kind = .object
    return KeyedEncodingContainer(Keyed<Key>(writer: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    kind = .array
    return Unkeyed(writer: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(writer: self) }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: JSONWriter
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { _ = writer.member(key) }
    func encode(_ value: some Encodable, forKey key: Key) throws { try value.encode(to: writer.member(key)) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<
      Nested
    > { writer.member(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      writer.member(key).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { writer }
    func superEncoder(forKey key: Key) -> any Encoder { writer.member(key) }
  }

  private struct Unkeyed: UnkeyedEncodingContainer {
    let writer: JSONWriter
    var codingPath: [any CodingKey] { [] }
    var count: Int { writer.elements.count }

    func encodeNil() { _ = writer.element() }
    func encode(_ value: some Encodable) throws { try value.encode(to: writer.element()) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
      writer.element().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { writer.element().unkeyedContainer() }
    func superEncoder() -> any Encoder { writer }
  }

  private struct Single: SingleValueEncodingContainer {
    let writer: JSONWriter
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { writer.leaf = .null }
    func encode(_ value: Bool) { writer.leaf = .bool(value) }
    func encode(_ value: String) { writer.leaf = .string(value) }
    func encode(_ value: Double) { encodeNumber(value, isFinite: value.isFinite) }
    func encode(_ value: Float) { encodeNumber(value, isFinite: value.isFinite) }
    func encode(_ value: Int) { encodeNumber(value) }
    func encode(_ value: Int8) { encodeNumber(value) }
    func encode(_ value: Int16) { encodeNumber(value) }
    func encode(_ value: Int32) { encodeNumber(value) }
    func encode(_ value: Int64) { encodeNumber(value) }
    func encode(_ value: UInt) { encodeNumber(value) }
    func encode(_ value: UInt8) { encodeNumber(value) }
    func encode(_ value: UInt16) { encodeNumber(value) }
    func encode(_ value: UInt32) { encodeNumber(value) }
    func encode(_ value: UInt64) { encodeNumber(value) }
    func encode(_ value: some Encodable) throws { try value.encode(to: writer) }

    /// JSON has no infinity and nothing that is not a number; as strings they keep.
    private func encodeNumber(_ value: some LosslessStringConvertible, isFinite: Bool = true) {
      writer.leaf = isFinite ? .number(value.description) : .string(value.description)
    }
  }
}

// MARK: Reading

private struct JSONReader: Decoder {
  let value: JSONValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ value: JSONValue, _ path: [any CodingKey]) { (self.value, codingPath) = (value, path) }

  private func mismatch(_ what: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: "is no \(what)"))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch("object") }
    return KeyedDecodingContainer(
      Keyed(members: Dictionary(members.map { ($0.key, $0.value) }) { _, last in last }, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let values) = value else { throw mismatch("list") }
    return Unkeyed(values: values, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(reader: self) }

  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSONValue]
    let codingPath: [any CodingKey]
    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    private func reader(_ key: Key) throws -> JSONReader {
      guard let value = members[key.stringValue] else {
        throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "is missing"))
      }
      return JSONReader(value, codingPath + [key])
    }

    func decodeNil(forKey key: Key) throws -> Bool { try reader(key).value == .null }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try T(from: reader(key)) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
      -> KeyedDecodingContainer<Nested>
    { try reader(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try reader(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { JSONReader(.null, codingPath) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try reader(key) }
  }

  private struct Unkeyed: UnkeyedDecodingContainer {
    let values: [JSONValue]
    let codingPath: [any CodingKey]
    var currentIndex = 0
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    init(values: [JSONValue], codingPath: [any CodingKey]) { (self.values, self.codingPath) = (values, codingPath) }

    private mutating func next() throws -> JSONReader {
      let path = codingPath + [JSONCoding.Key(intValue: currentIndex)]
      guard !isAtEnd else {
        throw DecodingError.valueNotFound(Any.self, .init(codingPath: path, debugDescription: "is missing"))
      }
      defer { currentIndex += 1 }
      return JSONReader(values[currentIndex], path)
    }

    mutating func decodeNil() throws -> Bool {
      guard !isAtEnd, values[currentIndex] == .null else { return false }
      currentIndex += 1
      return true
    }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: next()) }
    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested>
    { try next().container(keyedBy: type) }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try next() }
  }

  private struct Single: SingleValueDecodingContainer {
    let reader: JSONReader
    var codingPath: [any CodingKey] { reader.codingPath }

    func decodeNil() -> Bool { reader.value == .null }
    func decode(_ type: Bool.Type) throws -> Bool {
      guard case .bool(let value) = reader.value else { throw reader.mismatch("truth value") }
      return value
    }
    func decode(_ type: String.Type) throws -> String {
      guard case .string(let value) = reader.value else { throw reader.mismatch("text") }
      return value
    }
    /// No pixel and no time is beyond a thousand million, and much arithmetic ends there.
    func decode(_ type: Double.Type) throws -> Double {
      let value = try number(type)
      guard abs(value) <= 1e9 else { throw reader.mismatch("number within a thousand million") }
      return value
    }
    func decode(_ type: Float.Type) throws -> Float { try number(type) }
    func decode(_ type: Int.Type) throws -> Int { try number(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try number(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try number(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try number(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try number(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try number(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try number(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try number(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try number(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try number(type) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: reader) }

    private func number<T: LosslessStringConvertible>(_ type: T.Type) throws -> T {
      switch reader.value {
      case .number(let text), .string(let text):
        if let value = T(text) { return value }
      default: break
      }
      throw reader.mismatch("\(type)")
    }
  }
}
