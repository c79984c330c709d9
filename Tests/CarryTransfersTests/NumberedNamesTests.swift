import CarryModel
import CarryTransfers
import Testing

/// The next free name.
@Suite struct NumberedNamesTests {
  @Test("a name that is taken is numbered before its ending, and shortened where it must be")
  func numberedNames() {
    let numbered = SaveFolder.numbered
    #expect(numbered("photo.png", 2) == "photo (2).png")
    #expect(numbered("notes.tar.gz", 3) == "notes (3).tar.gz")
    #expect(numbered(".tar.gz", 2) == ".tar (2).gz")
    #expect(numbered("README", 2) == "README (2)")
    let long = numbered(String(repeating: "a", count: 251) + ".txt", 10)
    #expect(long.utf8.count == 255 && long.hasSuffix("a (10).txt"))
    let wide = numbered(String(repeating: "é", count: 125) + ".txt", 2)
    #expect(wide.utf8.count <= 255 && wide.hasSuffix("é (2).txt"))
    let endless = numbered("a." + String(repeating: "b", count: 253), 2)
    #expect(endless.utf8.count == 255 && endless.hasSuffix("b (2)"))
  }
}
