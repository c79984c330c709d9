package import CarryContacts
package import CarryModel
import CarrySystem
import CLinux

/// Recordings on disk, as evemu and `libinput record` write them. A file's contents tell its format.
package enum RecordingFile {
  /// How recordings are written.
  package enum Format: Sendable {
    case evemu
    /// YAML, as `libinput record` writes it.
    case libinput
    /// What the fingers do, as text.
    case script

    /// The format for a file's name: libinput's for `.yml` and `.yaml`, a script for `.gestures`, evemu's for all other
    /// names.
    package init(path: String) {
      self =
        path.hasSuffix(".gestures") ? .script : path.hasSuffix(".yml") || path.hasSuffix(".yaml") ? .libinput : .evemu
    }
  }

  /// The gesture script in a file.
  package static func script(_ path: String) throws(FileProblem) -> GestureScript {
    let text = try bytes(path)
    guard GestureScriptParser.recognises(text) else {
      throw FileProblem(file: path, message: "is no gesture script; carry convert makes one of a recording")
    }
    return try GestureScriptParser.parse(text, file: path)
  }

  /// The bytes of a recording in a format.
  ///
  /// - Parameter node: the device node that libinput's format names; for a script, what errors name.
  /// - Throws: if a script cannot tell it.
  package static func encode(
    _ description: DeviceDescription, events: [EvdevEvent], as format: Format, node: String
  ) throws(FileProblem) -> [UInt8] {
    switch format {
    case .script:
      Array(try GestureScriptWriter.text(Recording(description: description, events: events), file: node).utf8)
    case .evemu: EvemuWriter.text(description, events: events)
    case .libinput: LibinputRecordWriter.text(description, events: events, node: node)
    }
  }

  /// The size in bytes beyond which files are refused: about 8 million events.
  package static let limit = 256 << 20

  /// Reads a recording with its description. Older recordings keep the description in a file beside the events: for
  /// `a.b.events` it is looked for in `a.b.desc`, `a.b.prop`, `a.desc` and `a.prop`. Times are rebased to start at 0.
  package static func load(_ path: String) throws(FileProblem) -> Recording {
    let recording = try read(path).rebased()
    if recording.description != nil { return recording }
    let names = sidecars(of: path)
    for name in names where Files.exists(name) {
      let other = try read(name)
      guard let description = other.description else {
        throw FileProblem(file: name, line: 0, message: "holds no device description")
      }
      return Recording(description: description, events: recording.events, problems: recording.problems)
    }
    let looked = names.map { String($0.suffix(from: $0.lastIndex(of: "/") ?? $0.startIndex).drop { $0 == "/" }) }
    throw FileProblem(
      file: path, line: 0,
      message: "holds events but no device description; no \(looked.joined(separator: ", ")) beside it either")
  }

  /// The files that may hold the description, the nearest name first.
  static func sidecars(of path: String) -> [String] {
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { String(path[...$0]) } ?? "./"
    var name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    var names: [String] = []
    while let dot = name.lastIndex(of: "."), dot != name.startIndex {
      name = String(name[..<dot])
      names += [directory + name + ".desc", directory + name + ".prop"]
    }
    if names.isEmpty { names = [directory + name + ".desc", directory + name + ".prop"] }
    return names
  }

  /// All bytes of standard input, from a file or a pipe, to its end.
  private static func standardInput() throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let n = try check("read", "standard input") { CLinux.read(STDIN_FILENO, &chunk, chunk.count) }
      if n == 0 { return bytes }
      bytes += chunk[..<n]
      guard bytes.count <= limit else { throw SystemError(code: EFBIG, call: "read", subject: "standard input") }
    }
  }

  private static func bytes(_ path: String) throws(FileProblem) -> [UInt8] {
    do {
      return path == "-" ? try standardInput() : try Files.read(path, limit: limit)
    } catch {
      let reason =
        switch error.code {
        case EFBIG: "is larger than \(limit >> 20) MiB"
        case EINVAL, ENXIO: "is no regular file"
        default: "cannot be read: \(error.reason)"
        }
      throw FileProblem(file: path, line: 0, message: reason)
    }
  }

  private static func read(_ path: String) throws(FileProblem) -> Recording {
    let bytes = try bytes(path)
    if SessionRecording.recognises(bytes) {
      throw FileProblem(file: path, message: "is the recording of a session, which carry replay plays")
    }
    if GestureScriptParser.recognises(bytes) {
      return try GestureScriptParser.parse(bytes, file: path).recording(file: path)
    }
    let text = RecordingText.recording(in: bytes)
    if EvtestParser.recognises(text) { return try EvtestParser.parse(text, file: path) }
    if !RecordingText.isFound(in: bytes), GeteventParser.recognises(text) {
      return try GeteventParser.parse(text, file: path)
    }
    return LibinputRecordParser.recognises(text)
      ? try LibinputRecordParser.parse(text, file: path) : try EvemuParser.parse(text, file: path)
  }
}
