import CCarry
import CarryModel
import CLinux
import Carry

/// Why a call fails: the returned status, and the sentence for `carry_last_error()`.
struct Failure: Error {
  let status: Int32
  let message: String

  init(_ status: carry_status, _ message: String) {
    self.status = status.rawValue
    self.message = message
  }

  init(_ error: LoadError) {
    status = Failure.status(of: error.code)
    message = error.description
  }

  static func status(of code: LoadError.Code) -> Int32 {
    code == .local ? CARRY_ERROR_LOCAL.rawValue : -100 - Int32(truncatingIfNeeded: code.rawValue)
  }

  static func argument(_ message: String) -> Failure { Failure(CARRY_ERROR_INVALID_ARGUMENT, message) }
}

/// Runs the body of a function that returns a status.
func status(_ body: () throws(Failure) -> Void) -> Int32 {
  value(or: nil) { () throws(Failure) -> Int32 in
    try body()
    return CARRY_OK.rawValue
  }
}

/// Runs the body of a function that returns a number, negative on failure.
func value<T: FixedWidthInteger>(or other: T?, _ body: () throws(Failure) -> T) -> T {
  do { return try body() } catch {
    LastError.set(error.message)
    return other ?? T(error.status)
  }
}

/// Runs the body of a function that returns a pointer, NULL on failure.
func pointer<T>(_ body: () throws(Failure) -> T?) -> T? {
  do { return try body() } catch {
    LastError.set(error.message)
    return nil
  }
}

/// The object behind a handle.
func object<T: Handle>(_ pointer: OpaquePointer?, _ type: T.Type = T.self) throws(Failure) -> T {
  guard let found = Handles.find(pointer, type) else {
    throw Failure(
      CARRY_ERROR_INVALID_HANDLE,
      pointer == nil
        ? "a \(type.cName) is NULL: the call that makes it has failed, or was not made"
        : "this is no \(type.cName), or none any more: it was destroyed, or is of another type")
  }
  return found
}

/// The last failure's sentence, one for each thread, always in the same memory. A caller may evaluate it before the
/// call that fails, for example in the arguments of one printf; at worst, it reads an old sentence.
enum LastError {
  private static let size = 1024
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key) { free($0) } == 0 ? key : nil
  }()
  private static let none: StaticString = ""

  private static var buffer: UnsafeMutablePointer<CChar>? {
    guard let key else { return nil }
    if let memory = pthread_getspecific(key) { return memory.assumingMemoryBound(to: CChar.self) }
    guard let memory = calloc(1, size) else { return nil }
    pthread_setspecific(key, memory)
    return memory.assumingMemoryBound(to: CChar.self)
  }

  static func set(_ message: String) {
    guard let buffer else { return }
    var message = message
    message.withUTF8 { text in
      var count = min(text.count, size - 1)
      // Truncated only at the beginning of a character.
      while count < text.count, count > 0, text[count] & 0xC0 == 0x80 { count -= 1 }
      if let from = text.baseAddress { memcpy(buffer, from, count) }
      buffer[count] = 0
    }
  }

  static var pointer: UnsafePointer<CChar> { buffer.map { UnsafePointer($0) } ?? none.cString }
}

extension StaticString {
  /// The string for C: NUL-terminated and valid forever.
  var cString: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}

/// See carry.h.
@c @implementation
public func carry_last_error() -> UnsafePointer<CChar> { LastError.pointer }

/// See carry.h.
@c @implementation
public func carry_version() -> UnsafePointer<CChar> {
  let version = Version.text
  return version.cString
}
