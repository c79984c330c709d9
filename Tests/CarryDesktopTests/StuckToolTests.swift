import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// `carry drag` where something does not go on.
extension DesktopTests.EverydayTools {
  @Test("Z24: a window without a descriptor left lets nobody in for a moment, and works no harder for that")
  func Z24_noDescriptorLeft() throws {
    try Self.withFiles { d, work in
      let tool = try Self.shell(d, work, "exec carry drag --add --with-engine --geometry 300x300+50+250 a.txt")
      var socket: String?
      #expect(
        Wait.until(seconds: 20) {
          socket = Files.list(work + "/run/carry-drag").first { !$0.hasPrefix(".") }
          return socket != nil
        })
      let path = "\(work)/run/carry-drag/\(try #require(socket))"
      let limit = { (most: String) in
        try ChildProcess(["prlimit", "--pid", "\(tool.pid)", "--nofile=\(most):"]).waitForExit(seconds: 10)
      }
      // Every number below is in use, once the tool has opened what it needs and closed what it needs no more.
      #expect(d.engine.readLine { $0.contains("is carry drag") } != nil)
      let numbers = { Set(Files.list("/proc/\(tool.pid)/fd").compactMap { Int($0) }) }
      var same = 0
      let isFull = Wait.until(seconds: 20) {
        let used = numbers()
        let isSet = try? limit("\((0...).first { !used.contains($0) } ?? 0)") == 0
        same = isSet == true && numbers() == used ? same + 1 : 0
        return same == 3
      }
      #expect(isFull)
      let call = try SocketListener.connect(to: path)
      let before = Self.ticks(of: tool.pid)
      var rest = pollfd(fd: call.raw, events: Int16(POLLIN), revents: 0)
      // Half a second, of a hundred ticks a second.
      #expect(poll(&rest, 1, 500) == 0)
      #expect(Self.ticks(of: tool.pid) - before < 25)
      #expect(try limit("1024") == 0)
      #expect(send(call.raw, "x", 1, CInt(MSG_NOSIGNAL)) == 1)
      shutdown(call.raw, CInt(SHUT_WR))
      #expect(
        String(decoding: try Files.readStart(call.raw, most: 1000), as: UTF8.self) == "the call is not complete\n")
      tool.stop(SIGTERM)
    }
  }

  /// The time that a process has worked.
  static func ticks(of pid: Int32) -> Int {
    let stat = (try? Files.readAll("/proc/\(pid)/stat", limit: 4096)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
    return fields.count > 13 ? (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0) : 0
  }

  @Test("Z24: a picture that hangs its decoder does not hang the window, and is given up")
  func Z24_aDecoderThatHangs() throws {
    try Self.withFiles { d, work in
      let code = """
        #include <fcntl.h>
        #include <unistd.h>
        void *gdk_pixbuf_loader_new_with_mime_type(void) {
          open("\(work)/hangs", O_CREAT | O_WRONLY, 0600);
          for (;;) pause();
        }
        """
      try Self.makeDecoder(code, in: work)
      try Files.write([1, 2, 3], to: work + "/picture.png")
      let alone = try Self.shell(
        d, work, "LD_LIBRARY_PATH=$PWD/library carry thumbnail-of picture.png image/png; echo $?")
      let tool = try Self.shell(
        d, work, "LD_LIBRARY_PATH=$PWD/library exec carry drag --add picture.png --geometry 300x300+50+250")
      #expect(
        Wait.until(seconds: 20) { Files.exists(work + "/hangs") && !Files.list(work + "/run/carry-drag").isEmpty })
      #expect(try Self.shell(d, work, "carry drag --add a.txt; echo $?").remainingLines() == ["0"])
      tool.signal(SIGTERM)
      #expect(tool.waitForExit(seconds: 5) == 1)
      // SIGALRM.
      #expect(alone.readLine(seconds: 30) { $0 == "142" } != nil)
    }
  }

  /// Makes a library in the place of gdk-pixbuf's.
  static func makeDecoder(_ code: String, in work: String) throws {
    // What else of the library is looked for, and not called.
    let names =
      [
        "loader_write", "loader_close", "loader_get_pixbuf", "loader_set_size", "apply_embedded_orientation",
        "get_width", "get_height", "get_rowstride", "get_n_channels", "get_bits_per_sample", "read_pixels",
        "new_from_data", "save_to_bufferv",
      ].map { "gdk_pixbuf_\($0)" } + ["g_signal_connect_data", "g_object_unref", "g_error_free", "g_free"]
    let all = code + "\n" + names.map { "void \($0)(void) {}\n" }.joined()
    try Files.write(all, to: work + "/hanging.c")
    mkdir(work + "/library", 0o700)
    let library = work + "/library/libgdk_pixbuf-2.0.so.0"
    let compiler = try ChildProcess(["cc", "-shared", "-fPIC", "-o", library, work + "/hanging.c"], output: .pipe)
    #expect(compiler.waitForExit(seconds: 60) == 0)
  }

  @Test("Z24: a thumbnail's process that no signal reaches does not keep the next thumbnails from coming")
  func Z24_aProcessThatIsStuck() throws {
    try Self.withFiles { d, work in
      // As in a file system that hangs: the time that the process gives itself does not end it.
      let code = """
        #include <fcntl.h>
        #include <signal.h>
        #include <unistd.h>
        void *gdk_pixbuf_loader_new_with_mime_type(void) {
          sigset_t all;
          sigfillset(&all);
          sigprocmask(SIG_BLOCK, &all, 0);
          if (open("\(work)/first", O_CREAT | O_EXCL | O_WRONLY, 0600) < 0) open("\(work)/second", O_CREAT | O_WRONLY, 0600);
          for (;;) pause();
        }
        """
      try Self.makeDecoder(code, in: work)
      for name in ["a.png", "b.png"] { try Files.write([1, 2, 3], to: "\(work)/\(name)") }
      let tool = try Self.shell(
        d, work, "LD_LIBRARY_PATH=$PWD/library exec carry drag --with-engine --geometry 300x300+50+250 *.png")
      #expect(Wait.until(seconds: 20) { Files.exists(work + "/first") })
      #expect(Wait.until(seconds: 60) { Files.exists(work + "/second") })
      tool.stop(SIGTERM)
    }
  }
}
