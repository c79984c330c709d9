import CLinux
import CarrySystem
import CarryTransfers
import CarryWireClient
import Synchronization

extension ItemRequest {
  /// Answers with the bytes that the program writes into a pipe until it calls `AnswerPipe.finish`.
  ///
  /// - Returns: the writing end belongs to the caller.
  package func answerByPipe() throws(LoadError) -> (pipe: AnswerPipe, writingEnd: CInt) {
    do throws(SystemError) {
      let ends = try Pipe()
      let writingEnd = try ends.write.duplicate()
      let pipe = AnswerPipe(writingEnd: try ends.write.duplicate(), readingEnd: ends.takeReading())
      answer(.success(.stream(pipe.writer)))
      return (pipe, writingEnd.release())
    } catch {
      throw LoadError(.local, "no pipe can be made: \(error.sentence)")
    }
  }
}

/// An answer that the program writes into a pipe, and that can still fail after the last byte. Used on the client's
/// thread.
package final class AnswerPipe {
  /// What the thread that reads the pipe retains.
  private final class Reader: Sendable {
    let end: Descriptor
    let failure = Mutex<(any Error)?>(LoadError(.sourceFailed, "the source stopped before it had sent everything"))

    init(_ end: consuming Descriptor) { self.end = end }
  }

  private let reader: Reader
  /// Keeps the pipe open until the outcome is known.
  private var writingEnd: Descriptor?

  fileprivate init(writingEnd: consuming Descriptor, readingEnd: consuming Descriptor) {
    _ = clinux_set_status_flags(readingEnd.raw, O_RDONLY | O_NONBLOCK)
    self.writingEnd = consume writingEnd
    reader = Reader(readingEnd)
  }

  /// Ends the answer. Without this call the load fails when the object is released.
  ///
  /// - Parameter failure: why the destination must not use what it has received; nil if everything was written.
  package func finish(_ failure: (any Error)? = nil) {
    reader.failure.withLock { $0 = failure }
    writingEnd = nil
  }

  fileprivate var writer: @Sendable (StreamWriter) throws -> Void {
    { [reader] stream in
      try PayloadReader.readPipe(reader.end.raw) {
        if stream.isCancelled { throw LoadError(.cancelled, "the destination needs no more") }
      } _: {
        try stream.write($0)
      }
      if let failure = reader.failure.withLock({ $0 }) { throw failure }
    }
  }
}
