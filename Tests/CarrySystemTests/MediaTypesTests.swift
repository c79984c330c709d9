import CLinux
import CarrySystem
import CarryTesting
import Testing

/// The types' database, which anybody who can write to the user's files can write to.
@Suite struct MediaTypesTests {
  @Test("a database that makes a type a kind of thousands, in circles, gives a short list at once")
  func aHostileDatabase() throws {
    let place = try TestFolder("types")
    let folder = place.path
    try place.makeFolder("mime")
    var text = "a/a a/a\n"
    for i in 0..<20_000 { text += "a/a b/\(i)\nb/\(i) a/a\nb/\(i) b/\((i + 1) % 20_000)\n" }
    try place.write(text, to: "mime/subclasses")
    let types = MediaTypes(directories: [folder])
    let ancestors = types.ancestors(of: "a/a")
    #expect(ancestors.count == 33, "\(ancestors.count)")
    #expect(ancestors.first == "b/0" && ancestors.last == "application/octet-stream")
    #expect(!ancestors.contains("a/a"))
    // A file beyond all measure is none.
    #expect(truncate(folder + "/mime/subclasses", 2 << 20) == 0)
    #expect(MediaTypes(directories: [folder]).ancestors(of: "a/a") == ["application/octet-stream"])
  }

  /// What is read of a database with these files, which are gone when this returns.
  ///
  /// - Parameter withoutThreads: whether no thread can be made at first.
  private func types(subclasses: String, aliases: String, withoutThreads: Bool = false) throws -> MediaTypes {
    let place = try TestFolder("types")
    let folder = place.path
    try place.makeFolder("mime")
    for (file, text) in [("subclasses", subclasses), ("aliases", aliases)] {
      try place.write(text, to: "mime/" + file)
    }
    let types = MediaTypes(directories: [folder])
    Worker.$isRefused.withValue(withoutThreads) {
      types.loadAside()
      if withoutThreads { _ = types.ancestors(of: "x/x") }
    }
    #expect(!withoutThreads || !types.isLoaded)
    // A busy machine may take its time.
    let isLoaded = Wait.until {
      _ = types.ancestors(of: "x/x")
      return types.isLoaded
    }
    #expect(isLoaded)
    return types
  }

  @Test("where no thread can be made nobody waits for the database, and it is read once one can")
  func noThread() throws {
    let types = try types(subclasses: "a/b c/d\n", aliases: "", withoutThreads: true)
    #expect(types.ancestors(of: "a/b").contains("c/d"))
  }

  @Test("a database that gives a type thousands of other names gives a short list at once")
  func thousandsOfNames() throws {
    let types = try types(subclasses: "c/c a/a\n", aliases: (0..<40_000).map { "b/\($0) a/a\n" }.joined())
    // As many as a source's answer may have: each costs a step of the engine's.
    for i in 0..<2048 {
      let ancestors = types.ancestors(of: "a/a;v=\(i)")
      guard ancestors.count == 33, ancestors.starts(with: ["a/a", "b/0"]) else {
        Issue.record("\(ancestors)")
        break
      }
    }
    #expect(types.ancestors(of: "c/c").starts(with: ["a/a", "b/0"]))
    #expect(types.ancestors(of: "b/39999").first == "a/a")
  }

  @Test("K4: a type and its other names are kinds of each other") func K4_aliases() throws {
    let types = try types(
      subclasses: "image/x-photo image/jpeg\n", aliases: "image/jpg image/jpeg\nimage/pjpeg image/jpeg\n")
    #expect(types.ancestors(of: "image/jpg") == ["image/jpeg", "image/pjpeg", "application/octet-stream"])
    #expect(types.ancestors(of: "image/jpeg") == ["image/jpg", "image/pjpeg", "application/octet-stream"])
    #expect(
      types.ancestors(of: "image/x-photo") == ["image/jpeg", "image/jpg", "image/pjpeg", "application/octet-stream"])
  }
}
