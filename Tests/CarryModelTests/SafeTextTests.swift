import CarryModel
import Testing

@Suite struct SafeTextTests {
  @Test("types and names are refused or escaped") func typesAndNamesAreRefusedOrEscaped() {
    #expect(SafeText.isMediaType("text/plain;charset=utf-8"))
    #expect(SafeText.isMediaType("application/vnd.example.drawing"))
    #expect(SafeText.isMediaType("text/plain; charset=utf-8"))
    for bad in [
      "", "text", "/plain", "text/", "text/plain\n", "text/pl\u{0}ain", "a/b/c", "téxt/plain", "text /plain",
      "text/\u{202E}nalp", String(repeating: "a", count: 64) + "/" + String(repeating: "b", count: 63),
    ] {
      #expect(!SafeText.isMediaType(bad), "\(bad.debugDescription)")
    }
    #expect(SafeText.displayable("a\nb\u{1B}[31m\u{202E}c") == "a\u{FFFD}b\u{FFFD}[31m\u{FFFD}c")
    #expect(SafeText.displayable(String(repeating: "é", count: 40_000)).utf8.count <= Limits.nameBytes)
  }

  @Test("suggested names become one component or are refused")
  func suggestedNamesBecomeOneComponentOrAreRefused() throws {
    #expect(try SafeText.fileName("photo.png") == "photo.png")
    #expect(try SafeText.fileName(".bashrc") == "bashrc")
    #expect(try SafeText.fileName("...hidden ") == "hidden")
    #expect(try SafeText.fileName("-rf") == "rf")
    #expect(throws: SafeText.NameProblem.notOneComponent) { try SafeText.fileName("../../x") }
    #expect(throws: SafeText.NameProblem.notOneComponent) { try SafeText.fileName("/etc/passwd") }
    #expect(throws: SafeText.NameProblem.empty) { try SafeText.fileName("..") }
    #expect(throws: SafeText.NameProblem.empty) { try SafeText.fileName("") }
    #expect(throws: SafeText.NameProblem.controlCharacter) { try SafeText.fileName("a\nb") }
    #expect(throws: SafeText.NameProblem.tooLong) { try SafeText.fileName(String(repeating: "x", count: 256)) }
  }
}
