import CLinux
import CarryModel

/// A name in a folder, as bytes: it need not be UTF-8.
struct FileName {
  /// Including the terminating zero.
  let bytes: [CChar]

  init(_ name: UnsafePointer<CChar>) { bytes = Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1)) }

  init(_ name: String) { bytes = Array(name.utf8CString) }

  var isFolderItselfOrParent: Bool { bytes == [46, 0] || bytes == [46, 46, 0] }

  /// The path of this name in a folder.
  func below(_ folder: FileName) -> FileName { FileName(folder.bytes.dropLast() + [47] + bytes) }

  private init(_ bytes: some Sequence<CChar>) { self.bytes = Array(bytes) }

  /// Made safe to display.
  var displayable: String {
    SafeText.displayable(String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self), limit: 1024)
  }
}
