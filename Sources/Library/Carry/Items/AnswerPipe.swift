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
      let pipe = AnswerPipe(writingEnd: try ends.write.duplicate())
      answer(.success(.stream(pipe.writer(reading: ends.takeReading()))))
      return (pipe, writingEnd.release())
    } catch {
      throw LoadError(.local, "no pipe can be made: \(error.sentence)")
    }
  }
}

/// An answer that the program writes into a pipe, and that can still fail after the last byte. Used on the client's
/// thread.
package final class AnswerPipe {
  private final class Outcome: Sendable {
    let failure = Mutex<(any Error)?>(LoadError(.sourceFailed, "the source stopped before it had sent everything"))
  }

  /// Belongs to the function that reads the pipe, and ends with it: then the program's writes fail.
  private final class ReadingEnd: Sendable {
    let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }

  private let outcome = Outcome()
  /// Keeps the pipe open until the outcome is known.
  private var writingEnd: Descriptor?

  fileprivate init(writingEnd: consuming Descriptor) { self.writingEnd = consume writingEnd }

  /// Ends the answer. Without this call the load fails when the object is released.
  ///
  /// - Parameter failure: why the destination must not use what it has received; nil if everything was written.
  package func finish(_ failure: (any Error)? = nil) {
    outcome.failure.withLock { $0 = failure }
    writingEnd = nil
  }

  fileprivate func writer(
    reading readingEnd: consuming Descriptor
  ) -> @Sendable (StreamWriter) throws -> Void {
    _ = clinux_set_status_flags(readingEnd.raw, O_RDONLY | O_NONBLOCK)
    let end = ReadingEnd(readingEnd)
    return { [outcome] stream in
      try PayloadReader.readPipe(end.descriptor.raw) {
        if stream.isCancelled { throw LoadError(.cancelled, "the destination needs no more") }
      } _: {
        try stream.write($0)
      }
      if let failure = outcome.failure.withLock({ $0 }) { throw failure }
    }
  }
}
