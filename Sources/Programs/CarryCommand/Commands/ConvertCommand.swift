import CarryContacts
import CarryEvdev
import CarryModel
import CarryRecordings
import CarrySystem
import CLinux

/// `carry convert`: converts recordings between the two formats.
enum ConvertCommand: Command {
  static let name = "convert"
  static let summary = "convert recordings and gesture scripts"
  static let options: [Arguments.Option] = [.flag("force")]
  static let help = """
    Usage: carry convert [--force] IN OUT

    Writes IN to OUT: as a gesture script if OUT ends in .gestures, in the format of libinput record if it ends in .yml
    or .yaml, otherwise in that of evemu. The format of IN is detected. Times start at 0. Between recordings no event is
    lost; a script keeps the fingers' paths to a pixel or two. A script with labels cannot become a recording.

      --force          replace OUT if it is there

    \(CarryTool.exitStatuses)
    """

  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    guard arguments.operands.count == 2 else { throw UsageError("carry convert takes two files, IN and OUT") }
    let (input, output) = (arguments.operands[0], arguments.operands[1])
    do {
      let recording = try RecordingFile.load(input)
      guard let description = recording.description else { return .nothing }
      let format = RecordingFile.Format(path: output)
      let bytes = try RecordingFile.encode(
        description, events: recording.events, as: format, node: format == .script ? input : "/dev/input/event0")
      for line in recording.problems.lines(file: SafeText.displayable(input, limit: 4096)) { printer.error(line) }
      try OutputFile.write(bytes, to: output, replacing: arguments.has("force"))
      return .done
    } catch {
      printer.error(sentence(of: error))
    }
    return .nothing
  }
}

/// Writes a file that appears under its name only when it is complete.
enum OutputFile {
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  static func write(_ bytes: [UInt8], to path: String, replacing: Bool) throws(Problem) {
    if !replacing, Files.exists(path) {
      throw Problem("\(SafeText.displayable(path, limit: 4096)): there is such a file; --force replaces it")
    }
    // A link stands for the file that it names. A device or a pipe cannot be replaced by a file.
    let path = resolved(path)
    var there = stat()
    if stat(path, &there) == 0, there.st_mode & UInt32(S_IFMT) != UInt32(S_IFREG) {
      throw Problem("\(SafeText.displayable(path, limit: 4096)): is no regular file, and stays as it is")
    }
    let temporary = path + ".part\(getpid())"
    do {
      let fd = try Descriptor.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o644)
      var sent = 0
      while sent < bytes.count {
        sent += try check("write", path) {
          bytes.withUnsafeBytes { CLinux.write(fd.raw, $0.baseAddress! + sent, $0.count - sent) }
        }
      }
      try check("rename", path) { rename(temporary, path) }
    } catch {
      unlink(temporary)
      throw Problem("\(SafeText.displayable(path, limit: 4096)): \(error.reason)")
    }
  }
}
