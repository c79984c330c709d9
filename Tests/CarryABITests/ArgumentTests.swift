import CCarry
import CCarryProbe
import CarrySystem
import CarryTesting
import Testing

private var lastError: String { String(cString: carry_last_error()) }

@Suite struct ArgumentTests {
  /// NULL, small and large numbers, and memory that is none of the library's.
  static let handles: [UInt] = [0, 1, 8, 4096, 0x8000_0000_0000_0000, UInt.max, UInt(Int.max)]
  static let strings: [[UInt8]?] = [
    nil, [0], [0xC3, 0x28, 0], [0xFF, 0xFE, 0], Array(repeating: 0x61, count: 100_000) + [0],
    Array("../../etc/passwd".utf8) + [0], Array("%s%n\u{202E}".utf8) + [0],
  ]

  @Test("garbage is refused by every function", arguments: handles) func garbageIsRefusedByEveryFunction(
    handle: UInt
  ) {
    for string in Self.strings {
      for number: Int32 in [.min, -1, 0, 1, 1000, .max] {
        let failed =
          string.map { bytes in
            bytes.withUnsafeBufferPointer { b in
              b.withMemoryRebound(to: CChar.self) {
                ccarryprobe_refuse(UnsafeMutableRawPointer(bitPattern: handle), $0.baseAddress, number)
              }
            }
          } ?? ccarryprobe_refuse(UnsafeMutableRawPointer(bitPattern: handle), nil, number)
        #expect(failed == nil, "\(failed.map { String(cString: $0) } ?? "") took it")
      }
    }
  }

  @Test("Z21: what is wrong with a handle is said in the words of carry.h") func Z21_theWordsOfTheHeader() {
    let item = carry_item_create()
    #expect(carry_drag_session_item_count(item) < 0)
    #expect(lastError == "this is no carry_drag_session, or none any more: it was destroyed, or is of another type")
    carry_item_destroy(item)
  }

  @Test("Z21: a handle that was destroyed is refused for ever") func Z21_aHandleThatWasDestroyedIsRefusedForEver() {
    let old = carry_item_create()
    carry_item_destroy(old)
    carry_item_destroy(old)
    #expect(carry_item_set_name(old, "name") == CARRY_ERROR_INVALID_HANDLE.rawValue)
    // Also when others have been made since.
    let new = (0..<100).map { _ in carry_item_create() }
    #expect(!new.contains(old))
    #expect(carry_item_add_text(old, "text") == CARRY_ERROR_INVALID_HANDLE.rawValue)
    // And one of another type.
    #expect(carry_client_fd(new[0]) == CARRY_ERROR_INVALID_HANDLE.rawValue)
    carry_region_destroy(new[0])
    #expect(carry_item_add_text(new[0], "text") == CARRY_OK.rawValue)
    for item in new { carry_item_destroy(item) }
  }

  @Test("Z21: failures say what is wrong") func Z21_failuresSayWhatIsWrong() {
    let item = carry_item_create()
    defer { carry_item_destroy(item) }
    #expect(carry_item_add_data(item, "no media type", nil, 0) == CARRY_ERROR_INVALID_ARGUMENT.rawValue)
    #expect(lastError == "'no media type' is not a media type such as image/png")
    #expect(carry_item_add_data(item, "image/*", nil, 0) == CARRY_ERROR_INVALID_ARGUMENT.rawValue)
    #expect(lastError == "'image/*' stands for many types; promise one such as image/png")
    #expect(carry_item_add_data(item, "text/plain", nil, 5) == CARRY_ERROR_INVALID_ARGUMENT.rawValue)
    #expect(lastError == "there are no 5 bytes at NULL")
    #expect(
      carry_item_add_data(item, "text/plain", "x", Int(bitPattern: UInt.max)) == CARRY_ERROR_INVALID_ARGUMENT.rawValue)
    #expect(carry_item_set_name(item, "a/b") == CARRY_ERROR_INVALID_ARGUMENT.rawValue)
    #expect(lastError.contains("slash"))
    #expect(carry_item_add_data(item, "text/plain", "x", 1) == CARRY_OK.rawValue)
    #expect(carry_item_add_data(item, "text/plain", "x", 1) == CARRY_ERROR_STATE.rawValue)
    #expect(carry_client_create("test", "/nonexistent/socket") == nil)
    #expect(lastError.contains("/nonexistent/socket"))
    #expect(lastError.contains("start carryd"))
  }

  @Test("an item takes so many types and no more") func anItemTakesSoManyTypesAndNoMore() {
    let item = carry_item_create()
    defer { carry_item_destroy(item) }
    for i in 0..<32 { #expect(carry_item_add_data(item, "application/x-\(i)", nil, 0) == CARRY_OK.rawValue) }
    #expect(carry_item_add_data(item, "application/x-32", nil, 0) == CARRY_ERROR_LIMIT.rawValue)
  }

  @Test("Z21: user data is released once when nothing needs it") func Z21_userDataIsReleasedOnceWhenNothingNeedsIt() {
    let released = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    released.initialize(to: 0)
    defer { released.deallocate() }
    let item = carry_item_create()
    let release: carry_release_func = { $0?.assumingMemoryBound(to: Int32.self).pointee += 1 }
    #expect(carry_item_add_callback(item, "a/b", { _, _, _ in }, released, release) == CARRY_OK.rawValue)
    // A registration that fails takes nothing over.
    #expect(carry_item_add_callback(item, "a/b", { _, _, _ in }, released, release) < 0)
    #expect(carry_item_add_stream(item, "a/c", { _, _ in 0 }, released, release) == CARRY_OK.rawValue)
    #expect(released.pointee == 0)
    carry_item_destroy(item)
    #expect(released.pointee == 2)
  }

  @Test("Z21: the version is the headers") func Z21_theVersionIsTheHeaders() {
    #expect(
      String(cString: carry_version())
        == "\(CARRY_VERSION_MAJOR).\(CARRY_VERSION_MINOR).\(CARRY_VERSION_PATCH)")
  }
}
