import CCarry
import Carry

/// A destination's wish, until it is answered.
final class RequestHandle: Handle {
  private let answer: (Result<ItemProvider.Content, any Error>) -> Void

  init(_ answer: @escaping (Result<ItemProvider.Content, any Error>) -> Void) { self.answer = answer }

  func answer(_ result: Result<ItemProvider.Content, any Error>) {
    letGo()
    answer(result)
  }
}

/// What a source says when it refuses: shown to the destination as it is.
struct Refusal: Error, CustomStringConvertible {
  let description: String
}

/// See carry.h.
@c @implementation
public func carry_request_answer_data(_ request: OpaquePointer?, _ data: UnsafeRawPointer?, _ size: Int) -> Int32 {
  status { () throws(Failure) in
    let request = try object(request, RequestHandle.self)
    request.answer(.success(.data(try bytes(data, size))))
  }
}

/// See carry.h.
@c @implementation
public func carry_request_answer_file(_ request: OpaquePointer?, _ path: UnsafePointer<CChar>?) -> Int32 {
  status { () throws(Failure) in
    let request = try object(request, RequestHandle.self)
    request.answer(.success(.file(path: try text(path, "the path"))))
  }
}

/// See carry.h.
@c @implementation
public func carry_request_answer_descriptor(_ request: OpaquePointer?, _ descriptor: Int32) -> Int32 {
  status { () throws(Failure) in
    let request = try object(request, RequestHandle.self)
    guard descriptor >= 0 else { throw .argument("\(descriptor) is not a descriptor") }
    request.answer(.success(.descriptor(descriptor)))
  }
}

/// See carry.h.
@c @implementation
public func carry_request_fail(_ request: OpaquePointer?, _ message: UnsafePointer<CChar>?) -> Int32 {
  status { () throws(Failure) in
    let request = try object(request, RequestHandle.self)
    request.answer(.failure(Refusal(description: try text(message, "the message"))))
  }
}

/// What a stream writer writes to, until it returns.
final class StreamHandle: Handle {
  let writer: StreamWriter

  init(_ writer: StreamWriter) { self.writer = writer }
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
