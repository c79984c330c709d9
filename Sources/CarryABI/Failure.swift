import CCarry
import CarryModel
import CLinux
import Carry

/// Why a call fails: what becomes its status and `carry_last_error()`.
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

/// Runs the body of a function that returns a number, negative when it fails.
func value<T: FixedWidthInteger>(or other: T?, _ body: () throws(Failure) -> T) -> T {
  do { return try body() } catch {
    LastError.set(error.message)
    return other ?? T(error.status)
  }
}

/// Runs the body of a function that returns a pointer, NULL when it fails.
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
      pointer == nil ? "the handle is NULL" : "the handle was destroyed, or is of another type")
  }
  return found
}

/// The last failure's sentence, one for each thread.
enum LastError {
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key) { free($0) } == 0 ? key : nil
  }()
  private static let none: StaticString = ""

  static func set(_ message: String) {
    guard let key else { return }
    free(pthread_getspecific(key))
    pthread_setspecific(key, strdup(message))
  }

  static var pointer: UnsafePointer<CChar> {
    if let key, let text = pthread_getspecific(key) { return UnsafePointer(text.assumingMemoryBound(to: CChar.self)) }
    return none.cString
  }
}

extension StaticString {
  /// Ends with a zero byte and lasts for ever.
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
