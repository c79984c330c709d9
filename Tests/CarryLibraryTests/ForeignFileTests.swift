import CLinux
import CarryModel
import Testing

@testable import Carry

/// The files of a list that another program names.
@Suite struct ForeignFileTests {
  @Test("Z1: a list with an address of a file is files, one for each address, and nothing behind a NUL counts")
  func Z1_oddList() {
    let odd =
      Array("file://elsewhere/etc/passwd\r\nfile:///dev/null\r\n\0\r\nfile:///".utf8)
      + [UInt8](repeating: 0x61, count: 1 << 20)
    #expect(ForeignFile.paths(in: odd) == ["/dev/null"])
    let items = ForeignFile.all(in: odd).map(\.item)
    #expect(items.map(\.itemProvider.registeredTypes.last) == ["text/uri-list", "text/uri-list"])
    #expect(ForeignFile.all(in: Array("https://a/b\r\n".utf8)).isEmpty)
    let many = Array((0..<5000).map { "file:///nowhere/\($0)\n" }.joined().utf8)
    #expect(ForeignFile.all(in: many).count == Limits.itemsPerSession)
    // A destination that accepts the others' type loads the item that stands for the rest, and hears that it failed.
    let pictures = Array((0..<100).map { "file:///nowhere/\($0).png\n" }.joined().utf8)
    #expect(
      ForeignFile.all(in: pictures).last?.item.itemProvider.registeredTypes == ["image/png", "text/uri-list"])
  }
}
