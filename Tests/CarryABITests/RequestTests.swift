import CCarry
import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Synchronization
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
    "R8: a request says that nobody waits, and is told of the work; a file answers; a stream stays alive, or fails"
  )
  func R8_requests() throws {
    let desktop = try Desktop("press-drag-drop")
    let source = try App(desktop, name: "C source", x: 50)
    let target = try App(desktop, name: "C target", x: 850)
    let path = desktop.folder + "/answer"
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

  @Test("R8: an answer by pipe arrives when it is finished, and fails when the source says so after the last byte")
  func R8_pipes() throws {
    let desktop = try Desktop("press-drag-drop")
    let source = try App(desktop, name: "C source", x: 50)
    let target = try App(desktop, name: "C target", x: 850)
    /// Opens the pipe of an answer, and writes `half` into it.
    func half(_ request: OpaquePointer) {
      var end: Int32 = -1
      #expect(carry_request_finish(request) == CARRY_ERROR_STATE.rawValue)
      let statuses = [carry_request_answer_pipe(request, &end), carry_request_answer_pipe(request, &end)]
      #expect(statuses == [CARRY_OK.rawValue, CARRY_ERROR_STATE.rawValue])
      #expect(carry_request_answer_data(request, "other", 5) == CARRY_ERROR_STATE.rawValue)
      Output.write("half", to: end)
      close(end)
    }
    let writing = Writing(half)
    let data = Unmanaged.passUnretained(writing).toOpaque()
    source.items = {
      let item = carry_item_create()
      for type in ["a/whole", "a/failed"] {
        carry_item_add_callback(
          item, type,
          {
            Writing.of($0).begin($1)
            Writing.of($0).requests[String(cString: $2)] = $1
          }, data, nil)
      }
      return [item]
    }
    target.perform = { session in
      for (i, type) in ["a/whole", "a/failed"].enumerated() {
        #expect(carry_drop_session_load(session, 0, type, 0, App.loaded, target.ticket(i)) != nil)
      }
    }
    source.setDrag()
    target.setDrop()
    #expect(
      App.run([target, source]) {
        if writing.requests.count == 2 {
          // The pipes are at their end, as far as the program is concerned.
          carry_request_finish(writing.requests["a/whole"])
          carry_request_fail(writing.requests["a/failed"], "the server has hung up")
          writing.requests = [:]
        }
        return source.calls.last == "did_transfer"
      }, "\(source.calls) \(target.calls)")
    #expect(target.results[0].map { String(decoding: $0.bytes, as: UTF8.self) } == "half")
    #expect(target.results[1]?.status == CARRY_ERROR_SOURCE_FAILED.rawValue)
    #expect(target.messages[1] == "the server has hung up")
  }

  @Test("R8: writes into the pipe of an answer fail when the destination has cancelled, before the source has finished")
  func R8_pipeCancelled() throws {
    let desktop = try Desktop("press-drag-drop")
    let source = try App(desktop, name: "C source", x: 50)
    let target = try App(desktop, name: "C target", x: 850)
    var end = pollfd(fd: -1, events: Int16(POLLOUT), revents: 0)
    var load: OpaquePointer?
    let writing = Writing { request in
      #expect(carry_request_answer_pipe(request, &end.fd) == CARRY_OK.rawValue)
      Output.write("half", to: end.fd)
    }
    let data = Unmanaged.passUnretained(writing).toOpaque()
    source.items = {
      let item = carry_item_create()
      carry_item_add_callback(
        item, "a/cancelled",
        {
          Writing.of($0).begin($1)
          Writing.of($0).requests[String(cString: $2)] = $1
        }, data, nil)
      return [item]
    }
    target.perform = { load = carry_drop_session_load($0, 0, "a/cancelled", 0, App.loaded, target.ticket(0)) }
    source.setDrag()
    target.setDrop()
    #expect(
      App.run([target, source]) {
        guard end.fd >= 0 else { return false }
        carry_load_cancel(load)
        load = nil
        // As the program's event loop learns that nobody reads any more.
        return poll(&end, 1, 0) == 1 && end.revents & Int16(POLLERR) != 0
      }, "\(source.calls) \(target.calls)")
    #expect(target.results[0]?.status == CARRY_ERROR_CANCELLED.rawValue)
    #expect(carry_request_finish(writing.requests["a/cancelled"]) == CARRY_OK.rawValue)
    close(end.fd)
  }

  private final class Writing {
    var requests: [String: OpaquePointer] = [:]
    let begin: (OpaquePointer) -> Void
    init(_ begin: @escaping (OpaquePointer) -> Void) { self.begin = begin }
    static func of(_ data: UnsafeMutableRawPointer?) -> Writing {
      Unmanaged<Writing>.fromOpaque(data!).takeUnretainedValue()
    }
  }

  @Test("R4: a drop's progress counts all loads, and cancels those that are left, also when the session has ended")
  func R4_wholeDrop() throws {
    let desktop = try Desktop("press-drag-drop")
    let source = try App(desktop, name: "C source", x: 50)
    let target = try App(desktop, name: "C target", x: 850)
    source.items = {
      let item = carry_item_create()
      carry_item_add_data(item, "a/done", "done", 4)
      // It is never answered.
      for type in ["a/slow", "a/slower"] { carry_item_add_callback(item, type, { _, _, _ in }, nil, nil) }
      return [item]
    }
    let seen = Seen()
    target.perform = { session in
      seen.progress = carry_progress_create(
        session, { data, _, completed, total, fraction in Seen.of(data).reports.append((completed, total, fraction)) },
        Unmanaged.passUnretained(seen).toOpaque())
      #expect(seen.progress != nil)
      for (i, type) in ["a/done", "a/slow", "a/slower"].enumerated() {
        #expect(carry_drop_session_load(session, 0, type, 0, App.loaded, target.ticket(i)) != nil)
      }
    }
    source.setDrag()
    target.setDrop()
    var before: (completed: Int64, total: Int64, fraction: Double)?
    var statuses: [Int32?] = []
    #expect(
      App.run([target, source]) {
        if target.calls.last?.hasPrefix("did_end") == true, target.results[0] != nil, target.results[1] == nil {
          before = seen.reports.last
          carry_progress_cancel(seen.progress)
          statuses = [1, 2].map { target.results[$0]?.status }
        }
        return source.calls.last == "did_transfer"
      }, "\(source.calls) \(target.calls)")
    #expect(before.map { abs($0.fraction - 1 / 3) < 0.01 && $0.total == -1 } == true)
    // The loads' own callbacks were called before it returned.
    #expect(statuses == [CARRY_ERROR_CANCELLED.rawValue, CARRY_ERROR_CANCELLED.rawValue])
    #expect(seen.reports.last.map { $0.fraction == 1 && $0.completed == 4 } == true)
    carry_progress_destroy(seen.progress)
    #expect(carry_progress_cancel(seen.progress) == CARRY_ERROR_INVALID_HANDLE.rawValue)
  }

  private final class Seen {
    var progress: OpaquePointer?
    var reports: [(completed: Int64, total: Int64, fraction: Double)] = []
    static func of(_ data: UnsafeMutableRawPointer?) -> Seen {
      Unmanaged<Seen>.fromOpaque(data!).takeUnretainedValue()
    }
  }

  /// What a load in parts needs.
  private final class Parts: Sendable {
    private let taken = Atomic(false)
    private let ended = Atomic<Int32>(1)
    private let free = Atomic(false)
    var isTaking: Bool { taken.load(ordering: .acquiring) }
    var status: Int32 { ended.load(ordering: .acquiring) }
    var isReleased: Bool { free.load(ordering: .acquiring) }
    func take() { taken.store(true, ordering: .releasing) }
    func end(_ status: Int32) { ended.store(status, ordering: .releasing) }
    func release() { free.store(true, ordering: .releasing) }
    /// Nothing can be read from it until the part may end.
    let pipe: CInt
    init(_ pipe: CInt) { self.pipe = pipe }
    static func of(_ data: UnsafeMutableRawPointer?) -> Parts {
      Unmanaged<Parts>.fromOpaque(data!).takeUnretainedValue()
    }
  }

  @Test("R2, R8: a load in parts says when nothing needs its data any more: not while a part is being taken")
  func R2_R8_partsAfterTheEnd() throws {
    let desktop = try Desktop("press-drag-drop")
    let source = try App(desktop, name: "C source", x: 50)
    let target = try App(desktop, name: "C target", x: 850)
    let pipe = try Pipe()
    let parts = Parts(pipe.read.raw)
    let data = Unmanaged.passUnretained(parts).toOpaque()
    source.items = {
      let item = carry_item_create()
      carry_item_add_text(item, "some text")
      // It has named more.
      carry_item_add_stream(item, "a/short", { carry_stream_write($1, "short", 5) }, nil, nil)
      carry_item_set_byte_count(item, "a/short", 6)
      return [item]
    }
    var load: OpaquePointer?
    target.perform = { session in
      // Not started, and so not released.
      #expect(
        carry_drop_session_load_parts(session, 0, "a/none", { _, _, _ in 0 }, nil, data) {
          Parts.of($0).release()
        } == nil)
      load = carry_drop_session_load_parts(
        session, 0, "text/plain;charset=utf-8",
        { data, _, _ in
          Parts.of(data).take()
          var byte: UInt8 = 0
          _ = read(Parts.of(data).pipe, &byte, 1)
          return 0
        }, { data, status, _, _, _ in Parts.of(data).end(status) }, data
      ) { Parts.of($0).release() }
      #expect(carry_drop_session_load(session, 0, "a/short", 0, App.loaded, target.ticket(0)) != nil)
    }
    source.setDrag()
    target.setDrop()
    #expect(App.run([target, source]) { parts.isTaking && target.results[0] != nil })
    #expect(target.results[0]?.status == CARRY_ERROR_SOURCE_FAILED.rawValue)
    carry_load_cancel(load)
    #expect(parts.status == CARRY_ERROR_CANCELLED.rawValue)
    #expect(App.run([target, source]) { source.calls.last == "did_transfer" })
    #expect(!parts.isReleased)
    var byte: UInt8 = 0
    #expect(write(pipe.write.raw, &byte, 1) == 1)
    #expect(App.run([target, source]) { parts.isReleased })
  }
}
