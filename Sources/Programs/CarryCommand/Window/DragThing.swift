import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryX

/// Something to drag out of a tool's window. Each drag of it makes a new promise.
struct DragThing {
  let title: String
  let detail: String
  /// What it is called where it is announced to people who do not see it: a file's name, and never a text that is dragged,
  /// which is data. Empty for none.
  var label = ""
  /// What stands for it while it has no picture; nil for what its title shows.
  var icon: TypeIcon?
  /// The file that shows it, absolute, and the file's type; nil for what has no picture.
  var pictured: (path: String, type: String)?
  let provider: () -> ItemProvider
  /// Lets go of the thing once another application has it; nil for a thing that stays.
  var letGo: (() throws(Problem) -> Void)?

  init(title: String, detail: String, icon: TypeIcon? = nil, provider: @escaping () -> ItemProvider) {
    self.title = title
    self.detail = detail
    self.icon = icon
    self.provider = provider
  }

  /// The most things in one window.
  static let most = 64

  /// A text.
  static func text(_ text: String) -> DragThing {
    DragThing(title: SafeText.displayable(text, limit: 60), detail: "text/plain") { ItemProvider(text: text) }
  }

  /// Bytes that are in memory.
  static func bytes(_ bytes: [UInt8], type: String, name: String?) -> DragThing {
    var title = name ?? type
    if name == nil, type.hasPrefix("text/"), let text = String(validating: bytes.prefix(4096), as: UTF8.self) {
      title = text
    }
    return DragThing(title: SafeText.displayable(title, limit: 60), detail: type, icon: TypeIcon(type: type)) {
      let provider = ItemProvider(data: bytes, type: type)
      provider.suggestedName = name
      return provider
    }
  }

  /// A file or folder. An unreadable one is reported now, not after somebody has dragged it across the screen.
  ///
  /// - Parameters:
  ///   - type: nil for the type that the name suggests.
  ///   - isMoved: whether it is removed once another application has it.
  ///   - printer: learns of what goes wrong later.
  static func file(_ path: String, type: String? = nil, isMoved: Bool = false, _ printer: Printer) throws(Problem)
    -> DragThing
  {
    try checkFile(path)
    let path = Files.absolute(path)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let type = type ?? ItemProvider.type(ofFileAt: path)
    var thing = DragThing(title: SafeText.displayable(name, limit: 60), detail: type, icon: TypeIcon(type: type)) {
      let provider = ItemProvider()
      provider.suggestedName = name
      provider.preferredPresentationSize = type == "image/png" ? size(ofPNG: path) : nil
      // Who drags or copies a file by name means this file: a program that can open it where it is edits the file itself.
      provider.registerFileRepresentation(forType: type, fileOptions: .openInPlace) { completion in
        // The file may have gone since, or be something else now. Who runs the tool learns it, not only the target.
        do throws(Problem) {
          try checkFile(path)
          completion(.success(path))
        } catch {
          printer.error(error.sentence)
          completion(.failure(ClientSideError(description: error.sentence)))
        }
      }
      return provider
    }
    thing.label = name
    thing.pictured = Files.canonical(path).map { ($0, type) }
    if isMoved { thing.letGo = try removal(of: path) }
    return thing
  }

  /// Several files as one item: the list of their addresses.
  static func list(_ files: [String]) throws(Problem) -> DragThing {
    var addresses: [String] = []
    for path in files { addresses.append(SafeText.fileAddress(ofPath: try absolutePath(path))) }
    let list = Array((addresses.joined(separator: "\r\n") + "\r\n").utf8)
    return DragThing(
      title: files.count == 1 ? "1 file" : "\(files.count) files", detail: "text/uri-list", icon: .list
    ) {
      ItemProvider(data: list, type: "text/uri-list")
    }
  }

  /// A file, or the link that an address such as https://example.org stands for.
  static func named(_ name: String, isMoved: Bool, _ printer: Printer) throws(Problem) -> DragThing {
    guard !Files.exists(name), name.contains("://"), let link = WebLink(name) else {
      return try file(name, isMoved: isMoved, printer)
    }
    guard !isMoved else { throw Problem("\(SafeText.displayable(name)): --move takes regular files, no links") }
    return DragThing(title: SafeText.displayable(name, limit: 60), detail: "text/uri-list", icon: .list) {
      ItemProvider(object: link)
    }
  }

  /// The path of a file as another process finds it, whichever directory it is in.
  static func absolutePath(_ path: String) throws(Problem) -> String {
    try checkFile(path)
    guard let found = Files.found(path) else {
      throw Problem("\(SafeText.displayable(path)): \(String(cString: strerror(clinux_errno())))")
    }
    return found
  }

  /// Standard input, which is handed over when it is dropped. A pipe's content can be had once.
  static func standardInput(_ type: String) -> DragThing {
    DragThing(title: "Standard input", detail: type) {
      let provider = ItemProvider()
      provider.registerRepresentation(forType: type) { $0(.success(.descriptor(STDIN_FILENO))) }
      return provider
    }
  }

  /// Removes a file that another application has now, if it is still the one that was dragged.
  private static func removal(of path: String) throws(Problem) -> () throws(Problem) -> Void {
    var before = stat()
    guard lstat(path, &before) == 0, before.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG) else {
      throw Problem("\(SafeText.displayable(path)): --move takes regular files, no folders and no links")
    }
    return { () throws(Problem) in
      var now = stat()
      guard lstat(path, &now) == 0 else { return }
      guard now.st_dev == before.st_dev, now.st_ino == before.st_ino, now.st_size == before.st_size,
        now.st_mtim.tv_sec == before.st_mtim.tv_sec, now.st_mtim.tv_nsec == before.st_mtim.tv_nsec
      else { throw Problem("\(SafeText.displayable(path)): it has changed, and stays") }
      guard unlink(path) == 0 else {
        throw Problem("\(SafeText.displayable(path)): \(String(cString: strerror(clinux_errno())))")
      }
    }
  }

  /// The size of a picture, in pixels, so that a target can make room for it before it comes.
  private static func size(ofPNG path: String) -> (width: Int, height: Int)? {
    // The signature, then the first chunk, which has the size: https://www.w3.org/TR/png/#11IHDR
    guard let file = try? Descriptor.open(path, O_RDONLY | O_NONBLOCK) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 24)
    guard read(file.raw, &bytes, 24) == 24, bytes[..<8] == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] else {
      return nil
    }
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    let size = (number(16), number(20))
    return (1...65_535).contains(size.0) && (1...65_535).contains(size.1) ? size : nil
  }

  /// The error that the destination gets.
  private struct ClientSideError: Error, CustomStringConvertible { let description: String }

  /// Throws the reason why a file or folder cannot be dragged.
  static func checkFile(_ path: String) throws(Problem) {
    let shown = SafeText.displayable(path, limit: 4096)
    var status = stat()
    guard !path.utf8.contains(0) else { throw Problem("\(shown): the path contains a NUL") }
    // Bytes of the name that were not UTF-8 have been replaced on the way here, so the real name is lost.
    guard !path.contains("\u{FFFD}") || access(path, F_OK) == 0 else {
      throw Problem("\(shown): names that are not UTF-8 cannot be dragged; rename the file")
    }
    if let name = path.split(separator: "/").last, SafeText.displayable(String(name), limit: 4096) != name {
      throw Problem("\(shown): names with a newline or a control character cannot be dragged; rename the file")
    }
    guard access(path, R_OK) == 0, stat(path, &status) == 0 else {
      throw Problem("\(shown): \(String(cString: strerror(clinux_errno())))")
    }
    switch status.st_mode & UInt32(S_IFMT) {
    case UInt32(S_IFREG), UInt32(S_IFDIR): return
    default: throw Problem("\(shown): neither a regular file nor a folder")
    }
  }
}
