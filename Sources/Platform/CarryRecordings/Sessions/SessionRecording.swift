package import CarryModel
package import CarrySessions
import CarrySystem
import CLinux

/// A recording of everything that a session engine was told, with what it did: lines of JSON, the format in the first.
package enum SessionRecording {
  /// One input.
  package struct Record: Equatable, Codable, Sendable {
    /// On the recording engine's monotonic clock; nil for the time of the line before.
    package var at: Instant?
    package var input: SessionInput
    /// `ActionDigest` of what the engine did; nil for nothing.
    package var actions: String?

    package init(_ input: SessionInput, at: Instant?, actions: String?) {
      (self.input, self.at, self.actions) = (input, at, actions)
    }

    /// The record as a line, with its end.
    package var line: String { ((try? JSONCoding.encode(self).text) ?? "{}") + "\n" }
  }

  private struct Header: Codable {
    var session: Int
    var engine: String
  }

  /// The number of the format that is written and read.
  private static let format = 1
  /// The longest line in bytes. Reading one needs thirty times as much memory.
  private static let maxLine = 8 << 20
  /// The size in bytes at which a recording ends, and beyond which files are refused.
  package static let limit = 256 << 20

  private static let start = "{\"session\":"

  /// The first line.
  package static var header: String {
    "\(start)\(format),\"engine\":\"\(Version.text)\",\"about\":\"what carryd was told, with names and types, but without "
      + "data; carry replay plays it\"}\n"
  }

  /// Whether a file begins like a session recording.
  package static func recognises(_ path: String) -> Bool {
    guard path != "-", let file = try? Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) else { return false }
    var bytes = [UInt8](repeating: 0, count: start.utf8.count)
    return CLinux.read(file.raw, &bytes, bytes.count) == bytes.count && recognises(bytes)
  }

  static func recognises(_ bytes: [UInt8]) -> Bool { bytes.starts(with: start.utf8) }

  /// Calls `body` with each record of a file and its line, from 2 up.
  package static func read(
    _ path: String, _ body: (Record, _ line: Int) throws(FileProblem) -> Void
  ) throws(FileProblem) {
    let bytes: [UInt8]
    do { bytes = try Files.read(path, limit: limit) } catch {
      throw FileProblem(file: path, message: "cannot be read: \(error.reason)")
    }
    var number = 0
    for line in bytes.lazySplit(at: 10) {
      number += 1
      guard line.count <= maxLine else {
        throw FileProblem(file: path, line: number, message: "is longer than \(maxLine >> 20) MiB")
      }
      func decode<T: Decodable>(_ type: T.Type) throws(FileProblem) -> T {
        let reason: String
        do { return try JSONCoding.decode(type, from: JSONParser.parse(line)) } catch let failure as JSONParser.Failure
        {
          reason = failure.message
        } catch let error as DecodingError {
          reason = describe(error)
        } catch {
          reason = "\(error)"
        }
        throw FileProblem(file: path, line: number, message: reason)
      }
      if number == 1 {
        guard let header = try? decode(Header.self) else {
          throw FileProblem(file: path, line: 1, message: "is no session recording of carryd --record-session")
        }
        guard header.session == format else {
          throw FileProblem(
            file: path, line: 1,
            message:
              "has the format \(header.session) of Carry \(SafeText.displayable(header.engine)); this is \(format)")
        }
      } else if !line.isEmpty {
        try body(try decode(Record.self), number)
      }
    }
    if number == 0 { throw FileProblem(file: path, message: "is empty") }
  }

  private static func describe(_ error: DecodingError) -> String {
    func place(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
    switch error {
    case .keyNotFound(let key, let context): return "\(place(context.codingPath + [key])) is missing"
    // The synthesised code of an enum; all else is told by `JSONReader`.
    case .typeMismatch(_, let context): return "\(place(context.codingPath)) is no known one"
    case .valueNotFound(_, let context), .dataCorrupted(let context):
      return "\(place(context.codingPath)) \(context.debugDescription)"
    @unknown default: return "cannot be understood"
    }
  }
}
