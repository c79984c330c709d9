import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Testing

@testable import CarryTransfers

/// What a source hands over, read to its end, or not.
@Suite struct PayloadReaderTests {
  private func buffer(_ size: Int, _ body: (BufferSink) -> Result<Int, LoadError>) -> Result<Int, LoadError> {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
    defer { memory.deallocate() }
    return body(BufferSink(memory))
  }

  @Test("a file that has more than it says is no success, into a buffer or elsewhere")
  func aFileThatHasMoreThanItSays() throws {
    let inBuffer = buffer(100) {
      receive(.file(clinux_open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC, 0)), into: $0)
    }
    let inMemory = receive(
      .file(clinux_open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC, 0)), into: ByteSink(limit: 1 << 20))
    for result in [inBuffer, inMemory] {
      guard case .failure(let error) = result else {
        Issue.record("\(result)")
        continue
      }
      #expect(error.description == "the source's file has more than the 0 bytes that it said it has")
    }
  }

  @Test("a file that its source has opened past the cache comes whole, and waits in nobody's way")
  func pastTheCache() throws {
    let bytes = (0..<1_234_567).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let folder = try TestFolder("direct")
    let path = try folder.write(bytes, to: "data")
    let direct = clinux_open(path, O_RDONLY | clinux_o_direct() | O_CLOEXEC, 0)
    try #require(direct >= 0, "this file system cannot be read past the cache")
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { memory.deallocate() }
    #expect(try receive(.file(direct), into: BufferSink(memory)).get() == bytes.count)
    #expect(memory.elementsEqual(bytes))
  }

  @Test("a file that just fits, and one that does not")
  func aFileThatJustFits() throws {
    let fitting = try unnamedFile(Array("hello".utf8)).release()
    #expect(try buffer(5) { receive(.file(fitting), into: $0) }.get() == 5)
    let tooLong = try unnamedFile(Array("hello!".utf8)).release()
    #expect(throws: LoadError.self) { try buffer(5) { receive(.file(tooLong), into: $0) }.get() }
  }

  /// Appends to the file as it is read.
  private final class Appender: Sink {
    let fd: CInt
    var taken = 0
    init(_ fd: CInt) { self.fd = fd }
    func reserve(_ count: Int) {}
    func append(_ bytes: UnsafeRawBufferPointer) throws {
      taken += bytes.count
      // Without an end it would be read for ever.
      guard taken < 10 << 20 else { throw LoadError(.local, "read for ever") }
      let more = [UInt8](repeating: 1, count: bytes.count)
      _ = more.withUnsafeBytes { pwrite(fd, $0.baseAddress, $0.count, lseek(fd, 0, SEEK_END)) }
    }
    func finish() {}
    func abandon() {}
  }

  @Test("a file that grows while it is read is read as far as it was at first, and told") func aGrowingFile()
    throws
  {
    let fd = try unnamedFile([UInt8](repeating: 0, count: 600_000))
    let sink = Appender(fd.raw)
    let result = receive(.file(try fd.duplicate().release()), into: sink)
    #expect(sink.taken == 600_000)
    guard case .failure(let error) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(error.description == "the source's file has more than the 600000 bytes that it said it has")
  }

  /// Expects that a thread is closing the file, and not this one.
  private func expectClosingAside(_ file: StuckFile) {
    #expect(
      wait {
        file.look()
        return file.flushes > 0
      })
    #expect(!file.cameTooLate)
    file.answer()
  }

  @Test("what comes too late is closed where nobody waits, also a file that cannot be")
  func aFileThatCannotBeClosed() throws {
    guard let file = try StuckFile() else { return print("SKIPPED: no FUSE here, so no file that cannot be closed") }
    Payload.file(clinux_dup_above(file.fd, 0)).closeAside()
    expectClosingAside(file)
  }

  @Test("a source's own file that was opened in place is closed where nobody waits, also one that cannot be")
  func anOpenedFileThatCannotBeClosed() throws {
    guard let file = try StuckFile() else { return print("SKIPPED: no FUSE here, so no file that cannot be closed") }
    var status = stat()
    status.st_size = 5
    var opened: OpenedFile? = OpenedFile(
      Descriptor(owning: clinux_dup_above(file.fd, 0)), path: "/stuck", isOriginal: true, status, copy: nil)
    #expect(opened?.byteCount == 5)
    opened = nil
    expectClosingAside(file)
  }

  @Test("a stream whose bytes the source takes back does not hold the thread, and the source's end stays as it is")
  func aStreamThatIsTakenBack() throws {
    let pipe = try Pipe()
    let transfer = TransferState()
    let theirs = try Descriptor.open("/proc/self/fd/\(pipe.read.raw)", O_RDONLY | O_NONBLOCK)
    let hasEnded = Barrier()
    let ours = try pipe.read.duplicate().release()
    let result = Shared<Result<Int, LoadError>?>(nil)
    try Worker.start {
      result.value = PayloadReader.read(.stream(ours), into: ByteSink(limit: 1 << 20), transfer, progress: { _, _ in })
      hasEnded.open()
    }
    // Sent and taken back, again and again: sooner or later between a poll and a read.
    for _ in 0..<2000 {
      var byte: UInt8 = 1
      #expect(write(pipe.write.raw, &byte, 1) == 1)
      _ = read(theirs.raw, &byte, 1)
    }
    #expect(clinux_get_status_flags(pipe.read.raw) & O_NONBLOCK == 0)
    transfer.end()
    expectCancelled(result, hasEnded)
  }
}
