import CLinux
import Carry
import CarryModel
import CarrySystem

/// `carry paste`: what is on the clipboard.
enum PasteCommand: Command {
  static let name = "paste"
  static let summary = "print or save what is on the clipboard"
  static let options: [Arguments.Option] = [.value("type"), .value("to"), .flag("types"), .flag("null", letter: "0")]
  static let help = """
    Usage: carry paste [--type MIME] [--to DIR] [--null]
           carry paste --types

    Prints the text on the X clipboard as it is, or the paths of files that were copied, one a line. No engine is needed.

      --type MIME       print or save this type, such as image/png
      --to DIR          save into this directory, and print the paths; files never replace others
      --null, -0        end each printed path with a NUL instead of a newline, for xargs -0
      --types           print the types of each item, one a line, and an empty line between items

    \(CarryTool.exitStatuses)
    """

  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    guard arguments.operands.isEmpty else { throw UsageError("carry paste takes no operands; --to says where to save") }
    if let type = arguments.value("type"), !SafeText.isMediaType(type) {
      throw UsageError("--type takes a media type such as image/png, not '\(SafeText.displayable(type))'")
    }
    if let folder = arguments.value("to") {
      do throws(Problem) { try DropCommand.checkFolder(folder) } catch {
        printer.error(error.sentence)
        return .nothing
      }
    }
    printer.endsPathsWithNUL = arguments.has("null")
    do {
      let client = try Client(awaitingEngineAs: "carry paste")
      defer { client.close() }
      var items: [ItemProvider]?
      try client.pasteboard.loadItemProviders {
        items = $0
        client.stop()
      }
      try client.run()
      let paste = Paste(client, wanted: arguments.value("type"), folder: arguments.value("to"), printer)
      if arguments.has("types") { return paste.printTypes(items ?? []) }
      return try paste.load(items ?? [])
    } catch {
      printer.error("\(error)")
      return .noEngine
    }
  }

  /// One paste.
  private final class Paste {
    private let client: Client
    private let wanted: String?
    private let folder: String?
    private let printer: Printer
    private var status = CommandStatus.done
    private var open = 0

    init(_ client: Client, wanted: String?, folder: String?, _ printer: Printer) {
      (self.client, self.wanted, self.folder, self.printer) = (client, wanted, folder, printer)
    }

    func printTypes(_ items: [ItemProvider]) -> CommandStatus {
      guard !items.isEmpty else { return isEmpty() }
      printer.line(items.map { $0.registeredTypes.joined(separator: "\n") }.joined(separator: "\n\n"))
      return .done
    }

    private func isEmpty() -> CommandStatus {
      printer.error("the clipboard is empty")
      return .nothing
    }

    func load(_ items: [ItemProvider]) throws(ClientError) -> CommandStatus {
      guard !items.isEmpty else { return isEmpty() }
      for item in items { begin(item) }
      if open > 0 { try client.run() }
      return status
    }

    private func begin(_ item: ItemProvider) {
      let all = item.registeredTypes
      func fail(_ why: String) {
        printer.error("\(item.suggestedName.map { "\($0): " } ?? "")\(why)")
        status = .nothing
      }
      if let folder {
        guard let type = wanted.map({ item.bestType(conformingTo: [$0]) }) ?? all.first else {
          return fail("there is no \(wanted ?? "type"); the clipboard has \(all.joined(separator: ", "))")
        }
        open += 1
        item.saveRepresentation(forType: type, in: folder) { [self] result in
          switch result {
          case .success(let file):
            if !printer.path(file.path) { fail("\(file.path): saved, and its name has a control character") }
          case .failure(let error): fail(error.description)
          }
          ended()
        }
        return
      }
      // Files are named where they are; their content is for --to.
      let isFile = wanted == nil && item.bestType(conformingTo: ["text/uri-list"]) != nil
      guard let type = item.bestType(conformingTo: [wanted ?? (isFile ? "text/uri-list" : "text/plain")]) else {
        return fail(
          wanted.map { "there is no \($0); the clipboard has \(all.joined(separator: ", "))" }
            ?? "no text; --to DIR saves it, and --type prints one of \(all.joined(separator: ", "))")
      }
      open += 1
      item.loadDataRepresentation(forType: type) { [self] result in
        switch result {
        case .success(let bytes) where isFile:
          for path in paths(bytes) {
            if !printer.path(path) {
              fail("\(path): a name with a newline or a control character; --to DIR saves the file")
            }
          }
        case .success(let bytes): printer.data(bytes)
        case .failure(let error): fail(error.description)
        }
        ended()
      }
    }

    /// The paths of the files, and the addresses of anything else.
    private func paths(_ list: [UInt8]) -> [String] {
      list.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).filter { $0.first != UInt8(ascii: "#") }.map {
        let address = String(decoding: $0, as: UTF8.self)
        return FileLink(address: address)?.path ?? address
      }
    }

    private func ended() {
      open -= 1
      if open == 0 { client.stop() }
    }
  }
}
