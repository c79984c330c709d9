import CarrySystem
import CarryTesting
import CLinux
import Testing

/// What is installed beside the programs, and what a release is made of.
@Suite struct InstallTests {
  private static func run(_ arguments: [String]) throws -> (status: CInt?, text: String) {
    let child = try ChildProcess(arguments, output: .pipe)
    var lines: [String] = []
    while let line = child.readLine(seconds: 60) { lines.append(line) }
    return (child.waitForExit(seconds: 60), lines.joined(separator: "\n"))
  }

  private static func withFolder(_ body: (String) throws -> Void) throws {
    let folder = try TestFolder("install")
    try body(folder.path)
  }

  private static func text(_ path: String) throws -> String {
    String(decoding: try Files.read(path, limit: 1 << 20), as: UTF8.self)
  }

  private static func isThere(_ program: String) -> Bool {
    (environment("PATH") ?? "").split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
  }

  /// Programs that stand for the built ones: only what is installed with them matters.
  private static func standIns(_ folder: String) throws -> String {
    let built = folder + "/built"
    mkdir(built, 0o755)
    for name in ["carry", "carryd", "carry-speak", "libcarryabi.so"] {
      _ = try Descriptor.open("\(built)/\(name)", O_WRONLY | O_CREAT, mode: 0o755)
    }
    return built
  }

  private static func make(_ goal: String, _ folder: String, _ built: String, prefix: String = "/usr") throws {
    let result = try run([
      "make", "-s", "-C", Checkout.root, goal, "DESTDIR=\(folder)/root", "PREFIX=\(prefix)", "built=\(built)",
      "STRIP=true",
    ])
    #expect(result.status == 0, "\(result.text)")
  }

  @Test("Z24: file managers get their \"Carry…\", and make uninstall takes it away again")
  func Z24_entriesOfFileManagers() throws {
    try Self.withFolder { folder in
      let built = try Self.standIns(folder)
      try Self.make("install", folder, built)
      let share = folder + "/root/usr/share"
      let menu = [
        ("carry", "Name=Carry\n", "/usr/bin/carry drop --start-engine"),
        ("carry-settings", "Name=Carry Settings\n", "/usr/share/carry/settings.sh"),
      ]
      for (file, name, command) in menu {
        let text = try Self.text("\(share)/applications/\(file).desktop")
        #expect(
          text.contains("\n\(name)") && text.contains("\nExec=\(command)\n") && !text.contains("NoDisplay"), "\(file)")
      }
      #expect(try Self.text("\(share)/carry/settings.sh").contains("cp /usr/share/carry/carry.conf "))
      #expect(access("\(share)/carry/settings.sh", X_OK) == 0)
      let entries = ["applications/carry-drag.desktop", "Thunar/sendto/carry.desktop"]
      let others = ["file-manager/actions/carry.desktop", "kio/servicemenus/carry.desktop"]
      for entry in entries + others {
        let text = try Self.text("\(share)/\(entry)")
        #expect(
          text.contains("\nName=Carry…\n") && text.contains("\nExec=/usr/bin/carry drag --add --start-engine -- %F\n"),
          "\(entry)")
        #expect(!text.contains("@"), "\(entry)")
      }
      // It would open folders where nobody has chosen a file manager.
      #expect(!(try Self.text("\(share)/\(entries[0])").contains("inode/directory")))
      if Self.isThere("desktop-file-validate") {
        // The others are of formats that the program does not know.
        for entry in entries + menu.map({ "applications/\($0.0).desktop" }) {
          let result = try Self.run(["desktop-file-validate", "\(share)/\(entry)"])
          #expect(result.status == 0, "\(result.text)")
        }
      } else {
        print("left out: desktop-file-validate is not installed")
      }
      #expect(access("\(share)/carry/nautilus.sh", X_OK) == 0)
      #expect(try Self.run(["sh", "-n", "\(share)/carry/nautilus.sh"]).status == 0)
      try Self.make("uninstall", folder, built)
      #expect(try Self.run(["find", folder + "/root", "!", "-type", "d"]).text == "")
    }
  }

  @Test("Z33: guides and examples are installed, and nothing of a prefix of one's own is left by make uninstall")
  func Z33_guidesAndNothingLeft() throws {
    try Self.withFolder { folder in
      let built = try Self.standIns(folder)
      try Self.make("install", folder, built, prefix: "/home/me/.local")
      let docs = folder + "/root/home/me/.local/share/doc/carry"
      for file in [
        "user-guide.md", "recordings.md", "c-guide.md", "examples/source.c", "examples/drag.gestures",
        "images/trackpads.svg",
      ] {
        #expect(Files.exists("\(docs)/\(file)"), "\(file)")
      }
      for file in ["try.sh", "source.py", "target.py", "provider.py"] {
        #expect(access("\(docs)/examples/\(file)", X_OK) == 0, "\(file)")
      }
      // Links between the guides that are installed lead somewhere.
      for guide in Files.list(docs) where guide.hasSuffix(".md") {
        for link in try Self.text("\(docs)/\(guide)").split(separator: "](").dropFirst() {
          let target = link.prefix { $0 != ")" && $0 != "#" }
          guard target.hasPrefix("images/") || target.hasPrefix("examples/") else { continue }
          #expect(Files.exists("\(docs)/\(target)"), "\(guide): \(target)")
        }
      }
      try Self.make("uninstall", folder, built, prefix: "/home/me/.local")
      #expect(try Self.run(["find", folder + "/root/home/me/.local", "-mindepth", "1"]).text == "")
    }
  }

  @Test("Z33: manual pages have no warnings", arguments: [80, 132]) func Z33_manualPages(width: Int) throws {
    guard Self.isThere("man") else { return print("left out: man is not installed") }
    for page in Files.list(Checkout.root + "/docs/man") {
      let said = try Self.run([
        "sh", "-c",
        "MANWIDTH=\(width) LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l '\(Checkout.root)/docs/man/\(page)' 2>&1 >/dev/null",
      ])
      #expect(said.text.isEmpty, "\(page): \(said.text)")
    }
  }

  @Test("Z24: Nautilus' script hands over the selected files")
  func Z24_theScriptOfNautilus() throws {
    try Self.withFolder { folder in
      // What is run in carry's place says what it was told.
      let script = try Self.text(Checkout.root + "/Sources/Install/file-managers/nautilus.sh.in")
      let parts = script.split(separator: "@", omittingEmptySubsequences: false)
      #expect(parts.count == 3)
      try Files.write(parts[0] + folder + parts[2], to: folder + "/script")
      try Files.write("#!/bin/sh\necho \"$@\"\nexec cat\n", to: folder + "/carry")
      chmod(folder + "/carry", 0o755)
      let said = try Self.run([
        "env", "NAUTILUS_SCRIPT_SELECTED_FILE_PATHS=/a b/c%d\n/e\n", "sh", folder + "/script",
      ])
      #expect(said.text == "drag --add --start-engine --stdin\n/a b/c%d\n/e")
    }
  }

  @Test("Z33: the files of a release are the same each time, fit together, and have no blanks left")
  func Z33_theFilesOfARelease() throws {
    guard Files.exists(Checkout.root + "/.git") else {
      print("left out: a release is made from the git repository, and this is none")
      return
    }
    try Self.withFolder { folder in
      for name in ["a", "b"] {
        let made = try Self.run([
          "env", "CARRY_DIST_ANYWAY=1", Checkout.root + "/Sources/Install/dist.sh", "\(folder)/\(name)",
        ])
        #expect(made.status == 0, "\(made.text)")
      }
      #expect(try Self.text(folder + "/a/SHA256SUMS") == Self.text(folder + "/b/SHA256SUMS"))
      #expect(try Self.run(["env", "-C", folder + "/a", "sha256sum", "-c", "--quiet", "SHA256SUMS"]).status == 0)
      let archive = try #require(Files.list(folder + "/a").first { $0.hasSuffix(".tar.gz") })
      let list = try Self.run(["tar", "-tzf", "\(folder)/a/\(archive)"]).text
      let top = archive.dropLast(".tar.gz".count)
      for file in ["Package.swift", "Makefile", "LICENSE", "Sources/Install/carry.conf"] {
        #expect(list.contains("\(top)/\(file)"), "\(file)")
      }
      let recipe = try Self.text(folder + "/a/PKGBUILD")
      #expect(try Self.run(["bash", "-n", folder + "/a/PKGBUILD"]).status == 0)
      let sum = try Self.run(["sha256sum", "\(folder)/a/\(archive)"]).text.prefix(64)
      #expect(recipe.contains("sha256sums=('\(sum)')"))
      let spec = try Self.text(folder + "/a/carry.spec")
      for blank in ["@version@", "@sha256@", "@date@", "@requires@"] {
        #expect(!spec.contains(blank) && !recipe.contains(blank), "\(blank)")
      }
      // What the manifest wants of pkg-config, the spec wants of the distribution; the demos' is left out.
      for library in ["libevdev", "yaml-0.1", "xpresent", "cairo", "atk-bridge-2.0", "wayland-server"] {
        #expect(spec.contains("BuildRequires:  pkgconfig(\(library))\n"), "\(library)")
      }
      #expect(!spec.contains("pkgconfig(gdk-pixbuf-2.0)"))
      if Self.isThere("rpmspec") {
        let parsed = try Self.run(["rpmspec", "-P", folder + "/a/carry.spec"])
        #expect(parsed.status == 0, "\(parsed.text)")
      } else {
        print("left out: rpmspec is not installed, so the spec is not parsed")
      }
    }
  }

  @Test("Z33: the guide to installing names every package that is built") func Z33_theGuideNamesThePackages() throws {
    let guide = try Self.text(Checkout.root + "/docs/install.md")
    let debian = try Self.text(Checkout.root + "/Sources/Install/debian/build.sh").split(separator: "\n")
    let made = debian.compactMap { line -> String? in
      let words = line.split(separator: " ")
      // One for each version of GTK.
      return words.first == "control"
        ? Self.replacing("\"", in: Self.replacing("$v", in: String(words[1]), by: "4"), by: "") : nil
    }
    #expect(
      made.sorted() == [
        "carry", "carry-inspect", "carry-speak", "gir1.2-carrygtk4-0", "libcarry-dev", "libcarry-gtk4-0",
        "libcarry-gtk4-dev", "libcarry-qt6-0", "libcarry-qt6-dev", "libcarry0", "python3-carry", "qml6-module-carry",
      ])
    let spec = try Self.text(Checkout.root + "/Sources/Install/rpm/carry.spec.in").split(separator: "\n")
    let parts = spec.filter { $0.hasPrefix("%package ") }.map { "carry-" + $0.dropFirst("%package ".count) }
    #expect(parts.count == 3)
    for package in made + parts { #expect(guide.contains("`\(package)`"), "\(package)") }
  }

  @Test("Z33: the spec lists every file that make install installs")
  func Z33_theSpecIsComplete() throws {
    try Self.withFolder { folder in
      let built = try Self.standIns(folder)
      try Self.make("install", folder, built)
      let spec = try Self.text(Checkout.root + "/Sources/Install/rpm/carry.spec.in")
      let macros = [
        ("%{_bindir}", "/usr/bin"), ("%{_datadir}", "/usr/share"), ("%{_mandir}", "/usr/share/man"),
        ("%{_udevrulesdir}", "/usr/lib/udev/rules.d"), ("%{_userunitdir}", "/usr/lib/systemd/user"),
        ("%{_sysconfdir}", "/etc"), ("%{_libdir}", "/usr/lib"), ("%{_includedir}", "/usr/include"),
        ("%{_libexecdir}", "/usr/libexec"), ("%{version}", "*"), ("%config(noreplace) ", ""),
      ]
      let patterns = spec.split(separator: "\n").compactMap { line -> String? in
        guard line.hasPrefix("%{_") || line.hasPrefix("%config") else { return nil }
        return macros.reduce(String(line)) { Self.replacing($1.0, in: $0, by: $1.1) }
      }
      let root = folder + "/root"
      let installed = try Self.run(["find", root, "!", "-type", "d"]).text.split(separator: "\n")
      #expect(installed.count > 20)
      for path in installed.map({ String($0.dropFirst(root.count)) }) {
        #expect(patterns.contains { Self.matches(path[...], $0[...]) || path.hasPrefix($0 + "/") }, "\(path)")
      }
    }
  }

  /// Whether a path is what a pattern says, in which a star stands for anything.
  private static func matches(_ path: Substring, _ pattern: Substring) -> Bool {
    guard let star = pattern.firstIndex(of: "*") else { return path == pattern }
    guard path.hasPrefix(pattern[..<star]) else { return false }
    let rest = path.dropFirst(pattern[..<star].count)
    let tail = pattern[pattern.index(after: star)...]
    return (0...rest.count).contains { matches(rest.dropFirst($0), tail) }
  }

  private static func replacing(_ part: String, in text: String, by other: String) -> String {
    var result = ""
    var rest = Substring(text)
    while !rest.isEmpty {
      if rest.hasPrefix(part) {
        result += other
        rest = rest.dropFirst(part.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result
  }
}

extension Files {
  fileprivate static func write(_ text: String, to path: String) throws {
    let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
    Output.write(text, to: file.raw)
  }
}
