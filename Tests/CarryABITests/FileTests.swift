import CCarry
import CLinux
import CarrySystem
import CarryTesting
import Testing

/// What a C program does with files: saved ones, the source's own, and those that several programs use.
@Suite(.serialized) struct FileTests {
  private final class Story {
    var path = ""
    var saved: [(mode: UInt32, modified: Int)] = []
    var opened: [(status: Int32, isOriginal: Bool, path: String)] = []
    var statuses: [Int32] = []
    var changes: [Int32] = []

    static func of(_ data: UnsafeMutableRawPointer?) -> Story {
      Unmanaged<Story>.fromOpaque(data!).takeUnretainedValue()
    }
  }

  private static let wasSaved: carry_file_func = { data, status, file, _ in
    guard status == CARRY_OK.rawValue, let file else { return Story.of(data).saved.append((0, 0)) }
    var facts = stat()
    stat(file.pointee.path, &facts)
    Story.of(data).saved.append((facts.st_mode & 0o7777, facts.st_mtim.tv_sec))
  }

  private static let wasOpened: carry_file_func = { data, status, file, _ in
    let path = file.map { String(cString: $0.pointee.path) } ?? ""
    Story.of(data).opened.append((status, file?.pointee.is_original == 1, path))
  }

  private static func write(_ text: String, to path: String) throws {
    let fd = try Descriptor.open(path, O_CREAT | O_TRUNC | O_WRONLY, mode: 0o600)
    Output.write(text, to: fd.raw)
  }

  @Test("I19, F5, M2: a C program saves with attributes, and a source answers with its own file, to be opened in place")
  func I19_F5_M2_attributesAndOriginals() throws {
    let desktop = try Desktop("press-drag-drop")
    let source = try App(desktop, name: "C source", x: 50)
    let target = try App(desktop, name: "C target", x: 850)
    let story = Story()
    story.path = desktop.folder + "/letter.txt"
    try Self.write("one", to: story.path)
    chmod(story.path, 0o640)
    try #require(
      utimensat(AT_FDCWD, story.path, [timespec(tv_sec: 1_000, tv_nsec: 0), timespec(tv_sec: 1_000, tv_nsec: 0)], 0)
        == 0)
    let data = Unmanaged.passUnretained(story).toOpaque()
    source.items = {
      let item = carry_item_create()
      carry_item_add_callback(
        item, "a/original",
        {
          carry_request_answer_original($1, Story.of($0).path); _ = $2
        }, data, nil)
      carry_item_add_callback(
        item, "a/copy",
        {
          carry_request_answer_file($1, Story.of($0).path); _ = $2
        }, data, nil)
      carry_item_add_original(item, "a/file", story.path)
      return [item]
    }
    let folder = desktop.folder
    target.perform = { session in
      for options in [0, CARRY_SAVE_KEEPS_ATTRIBUTES.rawValue] {
        #expect(carry_drop_session_save(session, 0, "a/copy", folder, "new", options, Self.wasSaved, data) != nil)
      }
      #expect(carry_drop_session_save(session, 0, "a/copy", folder, "new", 2, Self.wasSaved, data) == nil)
      for type in ["a/original", "a/copy", "a/file"] {
        #expect(carry_drop_session_open(session, 0, type, Self.wasOpened, data) != nil)
      }
    }
    source.setDrag()
    target.setDrop()
    #expect(
      App.run([target, source]) { story.saved.count == 2 && story.opened.count == 3 },
      "\(source.calls) \(target.calls) \(story.saved) \(story.opened)")
    // As the source's file is, as far as the umask says; and just so.
    let masked = try Checkout.umask()
    #expect(story.saved.contains { $0.mode == 0o640 & ~masked && $0.modified > 1_000 }, "\(story.saved)")
    #expect(story.saved.contains { $0.mode == 0o640 && $0.modified == 1_000 }, "\(story.saved)")
    #expect(story.opened.allSatisfy { $0.status == CARRY_OK.rawValue })
    #expect(story.opened.filter { $0.isOriginal && $0.path == story.path }.count == 2, "\(story.opened)")
    #expect(story.opened.filter { !$0.isOriginal && $0.path != story.path }.count == 1, "\(story.opened)")
  }

  @Test("F3: C programs read a file together, write it alone, and are told when it changes") func F3_oneFile() throws {
    let folder = try TestFolder("abi")
    let path = folder.path + "/letter.txt"
    try Self.write("one", to: path)
    var access = [OpaquePointer?](repeating: nil, count: 4)
    let first = carry_file_begin_reading(path, 0, &access[0])
    let second = carry_file_begin_reading(path, 0, &access[1])
    #expect(first >= 0 && second >= 0 && first != second)
    #expect(carry_file_begin_writing(path, 0.05, &access[2]) == CARRY_ERROR_BUSY.rawValue && access[2] == nil)
    #expect(String(cString: carry_last_error()) == "others read or write the file")
    carry_file_access_end(access[0])
    carry_file_access_end(access[1])
    // Ended once, and refused for ever; the descriptors are closed.
    carry_file_access_end(access[0])
    #expect(lseek(first, 0, SEEK_CUR) < 0 && lseek(second, 0, SEEK_CUR) < 0)
    let writer = carry_file_begin_writing(path, 0, &access[2])
    #expect(writer >= 0 && pwrite(writer, "two", 3, 0) == 3)
    #expect(carry_file_begin_reading(path, 0, &access[3]) == CARRY_ERROR_BUSY.rawValue)
    carry_file_access_end(access[2])
    let last = carry_file_begin_reading(path, 0, &access[3])
    var bytes = [UInt8](repeating: 0, count: 3)
    #expect(read(last, &bytes, 3) == 3 && bytes == Array("two".utf8))
    carry_file_access_end(access[3])
    for seconds in [-1, Double.nan, .infinity] {
      #expect(carry_file_begin_reading(path, seconds, &access[0]) == CARRY_ERROR_INVALID_ARGUMENT.rawValue)
    }
    #expect(carry_file_begin_reading(folder.path, 0, &access[0]) == CARRY_ERROR_LOCAL.rawValue)
    #expect(carry_file_begin_reading(path, 0, nil) == CARRY_ERROR_INVALID_ARGUMENT.rawValue)

    let story = Story()
    let data = Unmanaged.passUnretained(story).toOpaque()
    let client = carry_client_create_awaiting("watcher", "/tmp/carry-no-such-folder/socket")
    defer { carry_client_destroy(client) }
    try aside(client, path, story)
    #expect(carry_file_watch_create(client, "/tmp/carry-no-such-folder/x", { _, _ in }, nil) == nil)
    let watch = carry_file_watch_create(client, path, { Story.of($0).changes.append($1) }, data)
    #expect(watch != nil)
    func hears(_ change: carry_file_change) -> Bool {
      Wait.until(descriptor: carry_client_fd(client)) {
        _ = carry_client_dispatch(client)
        return story.changes.contains(Int32(change.rawValue))
      }
    }
    try Self.write("three", to: path)
    #expect(hears(CARRY_FILE_WRITTEN))
    try Self.write("four", to: folder.path + "/new")
    rename(folder.path + "/new", path)
    #expect(hears(CARRY_FILE_REPLACED))
    unlink(path)
    #expect(hears(CARRY_FILE_REMOVED))
    // Nothing is told of a watch that was ended.
    let other = carry_file_watch_create(client, path, { Story.of($0).changes.append($1 + 100) }, data)
    carry_file_watch_destroy(watch)
    carry_file_watch_destroy(watch)
    story.changes = []
    try Self.write("five", to: path)
    #expect(
      Wait.until(descriptor: carry_client_fd(client)) {
        _ = carry_client_dispatch(client)
        return !story.changes.isEmpty
      })
    #expect(story.changes.allSatisfy { $0 >= 100 }, "\(story.changes)")
    carry_file_watch_destroy(other)
  }

  /// The same on other threads, as a program with a window does it.
  private func aside(_ client: OpaquePointer?, _ path: String, _ story: Story) throws {
    let data = Unmanaged.passUnretained(story).toOpaque()
    func status(_ begun: Int32) -> Int32? {
      #expect(begun == CARRY_OK.rawValue && story.statuses.isEmpty)
      _ = Wait.until(descriptor: carry_client_fd(client)) {
        _ = carry_client_dispatch(client)
        return !story.statuses.isEmpty
      }
      defer { story.statuses = [] }
      return story.statuses.first
    }
    let done: carry_file_done_func = { Story.of($0).statuses.append($1) }
    #expect(
      status(carry_file_write(client, path, 0, { pwrite($1, "2+", 2, 0) == 2 && $0 != nil ? 5 : 6 }, done, data)) == 5)
    let read: carry_file_work_func = { _, fd in
      var bytes = [UInt8](repeating: 0, count: 3)
      return CLinux.read(fd, &bytes, 3) == 3 && bytes == Array("2+o".utf8) ? 0 : 1
    }
    #expect(status(carry_file_read(client, path, 0, read, done, data)) == 0)
    var access: OpaquePointer?
    #expect(carry_file_begin_writing(path, 0, &access) >= 0)
    #expect(status(carry_file_read(client, path, 0, read, done, data)) == CARRY_ERROR_BUSY.rawValue)
    carry_file_access_end(access)
    #expect(status(carry_file_read(client, path + "/", 0, read, done, data)) == CARRY_ERROR_LOCAL.rawValue)
    #expect(String(cString: carry_last_error()).contains("letter.txt"))
    #expect(carry_file_read(client, path, .nan, read, done, data) == CARRY_ERROR_INVALID_ARGUMENT.rawValue)
    #expect(carry_file_write(client, path, 0, nil, done, data) == CARRY_ERROR_INVALID_ARGUMENT.rawValue)
    #expect(carry_file_write(nil, path, 0, read, done, data) == CARRY_ERROR_INVALID_HANDLE.rawValue)
  }
}
