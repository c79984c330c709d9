import CLinux
import CarryModel

/// A caller's string.
///
/// - Parameter what: The string's meaning, for the error's sentence.
func text(_ string: UnsafePointer<CChar>?, _ what: String) throws(Failure) -> String {
  guard let string else { throw .argument("\(what) is NULL") }
  guard let text = String(validatingCString: string) else { throw .argument("\(what) is not UTF-8") }
  return text
}

/// A caller's media type.
func mediaType(_ string: UnsafePointer<CChar>?) throws(Failure) -> String {
  let type = try text(string, "the type")
  guard SafeText.isMediaType(type) else {
    throw .argument("'\(SafeText.displayable(type))' is not a media type such as image/png")
  }
  return type
}

/// The media type of the data that a caller promises.
func promisedType(_ string: UnsafePointer<CChar>?) throws(Failure) -> String {
  let type = try mediaType(string)
  guard !MediaType.isPattern(type) else {
    throw .argument("'\(SafeText.displayable(type))' stands for many types; promise one such as image/png")
  }
  return type
}

/// A caller's bytes, copied.
func bytes(_ data: UnsafeRawPointer?, _ size: Int) throws(Failure) -> [UInt8] {
  // A size_t beyond Int's range arrives as a negative number.
  guard size >= 0, data != nil || size == 0 else {
    throw .argument("there are no \(UInt(bitPattern: size)) bytes at NULL")
  }
  return Array(UnsafeRawBufferPointer(start: data, count: size))
}

/// Copies the first `size` bytes of a caller's struct of pointers; the other members stay as in `empty`. A size that
/// ends inside a member matches no header; the incomplete member is not copied.
func callbacks<T>(_ given: UnsafePointer<T>, _ empty: T) throws(Failure) -> T {
  let word = MemoryLayout<UnsafeRawPointer>.size
  let size = UnsafeRawPointer(given).loadUnaligned(as: UInt.self)
  guard size >= UInt(word) else { throw .argument("the size of the callbacks is not set: use the initialiser macro") }
  let count = Int(min(size, UInt(MemoryLayout<T>.size))) / word * word
  var copy = empty
  withUnsafeMutableBytes(of: &copy) {
    $0.copyMemory(from: UnsafeRawBufferPointer(start: given, count: count))
  }
  return copy
}

/// A caller's pointer, retained with an item, a session or a callback.
final class UserData: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer?
  /// Set it before another thread has this object, or on the thread that created and still retains it.
  var release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?

  /// - Parameter release: Called when the pointer is no longer needed.
  init(_ pointer: UnsafeMutableRawPointer?, release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)? = nil) {
    self.pointer = pointer
    self.release = release
  }

  deinit { release?(pointer) }
}

/// Strings passed to C. Each is created once, and is valid as long as this object.
final class CStrings {
  private var made: [String: UnsafeMutablePointer<CChar>] = [:]

  deinit { for pointer in made.values { free(pointer) } }

  func pointer(_ text: String) -> UnsafePointer<CChar>? {
    if let pointer = made[text] { return UnsafePointer(pointer) }
    guard let pointer = strdup(text) else { return nil }
    made[text] = pointer
    return UnsafePointer(pointer)
  }
}
