import CDemoKit
package import Carry

/// The demos' documents: files in a folder for each app, which their file provider serves, and which search finds.
///
/// An item's reference is the app's name and the file's: `customers/The lake.jpg`.
package enum Documents {
  /// The apps that have documents.
  package static let apps = ["customers", "pinboard"]

  /// Where they are: `carry-demos` in the user's data folder.
  package static var folder: String {
    func path(_ variable: String) -> String? {
      getenv(variable).flatMap { String(validatingCString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    return (path("XDG_DATA_HOME") ?? (path("HOME") ?? "/tmp") + "/.local/share") + "/carry-demos"
  }

  /// The file of a reference; nil for what is no reference to a document. Anybody may have written it.
  package static func path(_ reference: String) -> String? {
    let parts = reference.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, apps.contains(parts[0]), !parts[1].isEmpty, !parts[1].hasPrefix("."),
      !parts[1].utf8.contains(0)
    else { return nil }
    return "\(folder)/\(parts[0])/\(parts[1])"
  }

  /// The references of all documents, app by app, in the order of their names.
  package static func all() -> [String] {
    apps.flatMap { app in Program.list("\(folder)/\(app)").map { "\(app)/\($0)" } }
  }

  /// Makes the documents that the apps have from the start, where they are not there yet.
  package static func prepare() {
    for app in apps { Program.makeFolders("\(folder)/\(app)") }
    for (reference, sample) in pictures {
      guard let path = path(reference), !Program.exists(path), let picture = sample.picture() else { continue }
      _ = Program.create(path, picture.jpeg())
    }
    for card in cards {
      guard let path = path("customers/\(card.formattedName).vcf"), !Program.exists(path) else { continue }
      _ = Program.create(path, card.loadRepresentation(forType: "text/vcard"))
    }
  }

  private static let pictures: [(String, Samples.Sample)] = [
    ("customers/The lake.jpg", Samples.all[1]), ("customers/The dunes.jpg", Samples.all[3]),
    ("pinboard/Morning mist.jpg", Samples.all[0]), ("pinboard/Poppies.jpg", Samples.all[5]),
  ]

  /// The customers from the start.
  package static let cards: [VCard] = [
    VCard(formattedName: "Ada Lindqvist", phones: [.init("+46 70 555 01 20")]),
    VCard(formattedName: "Bruno Okafor", phones: [.init("+44 20 5550 142")]),
    VCard(formattedName: "Chiyo Tanaka", phones: [.init("+81 3 5550 0177")]),
  ]
}
