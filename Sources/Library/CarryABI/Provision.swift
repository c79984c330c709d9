import CCarry
import Carry

/// A destination's request for data, until it is answered.
final class RequestHandle: Handle {
  let request: ItemRequest
  var onCancelled: (() -> Void)?
  private var pipe: AnswerPipe?

  init(_ request: ItemRequest) {
    self.request = request
    super.init()
    request.onCancelled = { [weak self] in
      // A program without this callback still answers at some time, and its answer ends the handle.
      guard let self, let onCancelled = self.onCancelled else { return }
      self.invalidate()
      onCancelled()
    }
  }

  func answer(_ content: ItemProvider.Content) throws(Failure) {
    guard pipe == nil else { throw Failure(CARRY_ERROR_STATE, "the request is answered by a pipe") }
    invalidate()
    request.answer(.success(content))
  }

  func fail(_ refusal: Refusal) {
    invalidate()
    guard let pipe else { return request.answer(.failure(refusal)) }
    pipe.finish(refusal)
  }

  /// Answers with what the program writes into a pipe until `finish` or `fail`.
  ///
  /// - Returns: the writing end, which belongs to the caller.
  func openPipe() throws(Failure) -> CInt {
    guard pipe == nil else { throw Failure(CARRY_ERROR_STATE, "the request is answered by a pipe") }
    do throws(LoadError) {
      let (pipe, writingEnd) = try request.answerByPipe()
      self.pipe = pipe
      return writingEnd
    } catch {
      throw Failure(error)
    }
  }

  func finish() throws(Failure) {
    guard let pipe else { throw Failure(CARRY_ERROR_STATE, "the request is not answered by a pipe") }
    invalidate()
    pipe.finish()
  }
}

/// A source's reason for refusing a request; the destination gets the text unchanged.
struct Refusal: Error, CustomStringConvertible {
  let description: String
}

/// See carry.h.
@c @implementation
public func carry_request_answer_data(_ request: OpaquePointer?, _ data: UnsafeRawPointer?, _ size: Int) -> Int32 {
  status { () throws(Failure) in
    let request = try object(request, RequestHandle.self)
    try request.answer(.data(try bytes(data, size)))
  }
}

/// See carry.h.
@c @implementation
public func carry_request_answer_file(_ request: OpaquePointer?, _ path: UnsafePointer<CChar>?) -> Int32 {
  status { () throws(Failure) in
    let request = try object(request, RequestHandle.self)
    try request.answer(.file(path: try text(path, "the path")))
  }
}

/// See carry.h.
@c @implementation
public func carry_request_answer_original(_ request: OpaquePointer?, _ path: UnsafePointer<CChar>?) -> Int32 {
  status { () throws(Failure) in
    let request = try object(request, RequestHandle.self)
    let path = try text(path, "the path")
    request.request.fileOptions = .openInPlace
    try request.answer(.file(path: path))
  }
}

/// See carry.h.
@c @implementation
public func carry_request_answer_descriptor(_ request: OpaquePointer?, _ descriptor: Int32) -> Int32 {
  status { () throws(Failure) in
    let request = try object(request, RequestHandle.self)
    guard descriptor >= 0 else { throw .argument("\(descriptor) is not a descriptor") }
    try request.answer(.descriptor(descriptor))
  }
}

/// See carry.h.
@c @implementation
public func carry_request_answer_pipe(_ request: OpaquePointer?, _ descriptor: UnsafeMutablePointer<Int32>?) -> Int32 {
  status { () throws(Failure) in
    let request = try object(request, RequestHandle.self)
    guard let descriptor else { throw .argument("the place for the descriptor is NULL") }
    descriptor.pointee = try request.openPipe()
  }
}

/// See carry.h.
@c @implementation
public func carry_request_finish(_ request: OpaquePointer?) -> Int32 {
  status { () throws(Failure) in try object(request, RequestHandle.self).finish() }
}

/// See carry.h.
@c @implementation
public func carry_request_fail(_ request: OpaquePointer?, _ message: UnsafePointer<CChar>?) -> Int32 {
  status { () throws(Failure) in
    try object(request, RequestHandle.self).fail(Refusal(description: try text(message, "the message")))
  }
}

/// See carry.h.
@c @implementation
public func carry_request_set_cancelled(
  _ request: OpaquePointer?, _ cancelled: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?,
  _ user_data: UnsafeMutableRawPointer?
) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(request, RequestHandle.self)
    handle.onCancelled = cancelled.map { cancelled in { cancelled(user_data) } }
  }
}

/// See carry.h.
@c @implementation
public func carry_request_progress(_ request: OpaquePointer?, _ completed: UInt64, _ total: UInt64) -> Int32 {
  status { () throws(Failure) in
    try object(request, RequestHandle.self).request.reportProgress(
      completedUnitCount: Int(clamping: completed), totalUnitCount: total == 0 ? nil : Int(clamping: total))
  }
}

/// See carry.h.
@c @implementation
public func carry_request_set_destination_progress(
  _ request: OpaquePointer?, _ progress: (@convention(c) (UnsafeMutableRawPointer?, Int64, Int64) -> Void)?,
  _ user_data: UnsafeMutableRawPointer?
) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(request, RequestHandle.self)
    handle.request.onDestinationProgress = progress.map { progress in
      { progress(user_data, Int64($0), $1.map { Int64($0) } ?? -1) }
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_request_form(_ request: OpaquePointer?) -> Int32 {
  value(or: nil) { () throws(Failure) in
    let form =
      switch try object(request, RequestHandle.self).request.form {
      case .data: CARRY_FORM_DATA
      case .copy: CARRY_FORM_COPY
      case .original: CARRY_FORM_ORIGINAL
      }
    return Int32(form.rawValue)
  }
}

/// See carry.h.
@c @implementation
public func carry_stream_set_total(_ stream: OpaquePointer?, _ bytes: UInt64) -> Int32 {
  status { () throws(Failure) in
    try object(stream, StreamHandle.self).writer.totalBytes = bytes == 0 ? nil : Int(clamping: bytes)
  }
}

/// The stream of a stream writer, until the writer returns.
final class StreamHandle: Handle {
  let writer: StreamWriter
  /// The error that ended the stream.
  var failure: Refusal?

  init(_ writer: StreamWriter) { self.writer = writer }
}

/// See carry.h.
@c @implementation
public func carry_stream_fail(_ stream: OpaquePointer?, _ message: UnsafePointer<CChar>?) -> Int32 {
  status { () throws(Failure) in
    try object(stream, StreamHandle.self).failure = Refusal(description: try text(message, "the message"))
  }
}

/// See carry.h.
@c @implementation
public func carry_stream_write(_ stream: OpaquePointer?, _ data: UnsafeRawPointer?, _ size: Int) -> Int32 {
  status { () throws(Failure) in
    let writer = try object(stream, StreamHandle.self).writer
    guard size >= 0, data != nil || size == 0 else {
      throw .argument("there are no \(UInt(bitPattern: size)) bytes at NULL")
    }
    do { try writer.write(UnsafeRawBufferPointer(start: data, count: size)) } catch let error as LoadError {
      throw Failure(error)
    } catch {
      // The other end of the socket is closed.
      throw Failure(CARRY_ERROR_CANCELLED, "the destination went away")
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_stream_is_cancelled(_ stream: OpaquePointer?) -> Int32 {
  value(or: nil) { () throws(Failure) in try object(stream, StreamHandle.self).writer.isCancelled ? 1 : 0 }
}

/// See carry.h.
@c @implementation
public func carry_stream_keep_alive(_ stream: OpaquePointer?) -> Int32 {
  status { () throws(Failure) in try object(stream, StreamHandle.self).writer.keepAlive() }
}
