import CCarry
import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// What a C source hears of a load, and says to it.
@Suite(.serialized) struct RequestTests {
  private final class Story {
    var statuses: [String: Int32] = [:]
    var request: OpaquePointer?
    var cancelled = 0
    let path: String
    init(_ path: String) { self.path = path }

    static func of(_ data: UnsafeMutableRawPointer?) -> Story {
      Unmanaged<Story>.fromOpaque(data!).takeUnretainedValue()
    }
  }

  @Test(
    "M16, M20, R8: a request says that nobody waits, and is told of the work; a file answers; a stream stays alive, or fails"
  )
  func M16_M20_R8_requests() throws {
    let engine = try Engine("press-drag-drop")
    let source = try App(engine, name: "C source", x: 50)
    let target = try App(engine, name: "C target", x: 850)
    let path = engine.folder.path + "/answer"
    do {
      let fd = try Descriptor.open(path, O_CREAT | O_WRONLY, mode: 0o600)
      Output.write("from a file", to: fd.raw)
    }
    let story = Story(path)
    let data = Unmanaged.passUnretained(story).toOpaque()
    source.items = {
      let item = carry_item_create()
      carry_item_add_callback(
        item, "a/file",
        {
          carry_request_answer_file($1, Story.of($0).path); _ = $2
        }, data, nil)
      carry_item_add_callback(
        item, "a/slow",
        { data, request, _ in
          let story = Story.of(data)
          story.request = request
          story.statuses["cancelled"] = carry_request_set_cancelled(request, { Story.of($0).cancelled += 1 }, data)
          story.statuses["progress"] = carry_request_progress(request, 4096, 8192)
        }, data, nil)
      carry_item_add_stream(
        item, "a/stream",
        { _, stream in
          guard carry_stream_keep_alive(stream) == 0, carry_stream_is_cancelled(stream) == 0 else { return 1 }
          return carry_stream_write(stream, "alive", 5)
        }, nil, nil)
      carry_item_add_stream(
        item, "a/broken",
        { _, stream in
          carry_stream_write(stream, "half", 4)
          // Also a writer that forgets to return an error has failed.
          return carry_stream_fail(stream, "out of paper")
        }, nil, nil)
      return [item]
    }
    var slow: OpaquePointer?
    target.perform = { session in
      for (i, type) in ["a/file", "a/stream", "a/broken"].enumerated() {
        #expect(carry_drop_session_load(session, 0, type, 0, App.loaded, target.ticket(i)) != nil)
      }
      slow = carry_drop_session_load(session, 0, "a/slow", 0, App.loaded, target.ticket(3))
    }
    #expect(
      carry_region_set_touch_cancelled(source.region, { _, _ in }, nil) == CARRY_OK.rawValue
        && carry_region_set_touch_cancelled(source.region, nil, nil) == CARRY_OK.rawValue)
    source.setDrag()
    target.setDrop()
    #expect(
      App.run([target, source]) {
        if story.request != nil { carry_load_cancel(slow) }
        return story.cancelled > 0 && source.calls.last == "did_transfer"
      }, "\(source.calls) \(target.calls) \(story.statuses)")
    #expect(story.statuses == ["cancelled": 0, "progress": 0])
    #expect(story.cancelled == 1)
    // Its handle ended with it.
    #expect(carry_request_answer_data(story.request, "late", 4) == CARRY_ERROR_INVALID_HANDLE.rawValue)
    #expect(target.results[3]?.status == CARRY_ERROR_CANCELLED.rawValue)
    #expect(target.results[2]?.status == CARRY_ERROR_SOURCE_FAILED.rawValue && target.messages[2] == "out of paper")
    func text(_ i: Int) -> String { String(decoding: target.results[i]?.bytes ?? [], as: UTF8.self) }
    #expect([0, 1].map(text) == ["from a file", "alive"])
  }
}
