import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// F1 to F3, M6, T39 through the real programs: an application with a file provider, each a process of its own.
  @Suite(.serialized) struct FileProviders {
    /// A desktop with an application whose item has a reference, and a manifest that names its file provider.
    private final class Scene {
      let desktop: Desktop
      private let place: TestFolder
      var folder: String { place.path }
      let source: ChildProcess
      let target: App
      /// What the target does in place of loading text.
      var onPerform: ((DropSession) -> Void)?

      /// - Parameters:
      ///   - script: of a provider other than the test's own; nil for that.
      ///   - named: whether there is a manifest.
      ///   - fingers: what the fingers do.
      ///   - clients: how many programs are to have a region before that.
      init(
        _ reference: String, provider script: String? = nil, named: Bool = true,
        fingers: any Playable = Traces.pressDragDrop, clients: Int = 2
      ) throws {
        place = try TestFolder("providers")
        let folder = place.path
        for name in ["apps", "policy.d"] { try place.makeFolder(name) }
        // Another file than the provider's: the application is known by it.
        let peer = try Checkout.program("carry-provider-peer")
        let application = folder + "/application"
        #expect(try ChildProcess(["cp", peer, application]).waitForExit(seconds: 30) == 0)
        var provider = peer
        if let script {
          provider = try place.write("#!/bin/sh\n\(script)\n", to: "provider", mode: 0o755)
        }
        if named {
          try place.write(
            "executable = \(application)\nfile-provider = \(provider)\n", to: "apps/org.example.app.conf")
        }
        desktop = try Desktop(
          fingers, clients: clients,
          options: ["--manifests", folder + "/apps", "--policy", folder + "/policy.d"])
        source = try ChildProcess(
          [application, reference],
          environment: ["DISPLAY": desktop.server.display, "CARRY_SOCKET": desktop.socket], output: .pipe)
        target = try App(desktop, "target")
        target.takePlaces(isSource: false)
        try target.client.flush()
      }

      /// What the drop brings, as text or as an error.
      func play(killing: Bool, until isOver: () -> Bool = { false }) -> String? {
        var got: String?
        var isKilled = false
        target.onUpdate = { [source] _ in
          // The drag is over the target: the application is killed with the items in the hand.
          if killing, !isKilled {
            isKilled = true
            source.stop(SIGKILL)
          }
          return .copy
        }
        target.onPerform =
          onPerform ?? { session in
            session.items[0].itemProvider.loadDataRepresentation(forType: "text/plain;charset=utf-8") { result in
              switch result {
              case .success(let bytes): got = String(decoding: bytes, as: UTF8.self)
              case .failure(let error): got = "\(error)"
              }
            }
          }
        _ = target.run(seconds: 20) { got != nil || isOver() }
        #expect(!killing || isKilled)
        return got
      }

      /// Whether a process of the provider is left.
      func hasProvider(_ path: String) -> Bool {
        Files.list("/proc").contains { name in
          guard Int32(name) != nil, let line = try? Files.readStart("/proc/\(name)/cmdline", most: 4096) else {
            return false
          }
          return String(decoding: line, as: UTF8.self).contains(path)
        }
      }
    }

    @Test("F1, F2, M1, M6: the application is killed in mid-drag, and the drop brings its data")
    func F1_F2_M1_M6_killedInMidDrag() throws {
      let scene = try Scene("text:a letter")
      #expect(scene.play(killing: true) == "a letter as text/plain;charset=utf-8")
    }

    @Test("F2: what is carried stays in sight when the application is killed, and fades when the drag is cancelled")
    func F2_staysInSight() throws {
      var fingers = Traces.screen
      fingers.carry(from: (200, 400), at: 0, .to(640, 400, 650...1000), upAt: 6000)
      let scene = try Scene("text:a letter", fingers: fingers)
      let d = scene.desktop
      #expect(d.step("began") != nil)
      // The card is of the window's colour.
      func isThere(_ shot: Screenshot) -> Bool { shot[640, 470].red - shot[640, 470].blue > 40 }
      #expect(d.shows(isThere))
      scene.source.stop(SIGKILL)
      #expect(d.engine.readLine { $0.contains("is gone") } != nil)
      // The window is gone.
      #expect(d.shows { $0[100, 300].red - $0[100, 300].blue < 40 })
      #expect(d.shows(isThere))
      #expect(d.step("cancelled") != nil && d.shows { !isThere($0) })
      #expect(d.playToTheEnd() == 0)
    }

    @Test("F1, M6: the file provider serves while the application runs, too") func F1_M6_whileItRuns() throws {
      let scene = try Scene("text:a letter")
      #expect(scene.play(killing: false) == "a letter as text/plain;charset=utf-8")
      #expect(scene.source.isRunning)
    }

    @Test("F3, F5: the file itself is opened in place when its application is gone; an edit shows where it is watched")
    func F3_F5_openInPlace() throws {
      let folder = try TestFolder("original")
      let file = try folder.write("draft", to: "letter.txt")
      let scene = try Scene("file:" + file)
      var changes: [FileWatch.Change] = []
      let watch = try FileWatch(file, client: scene.target.client) { changes.append($0) }
      var opened: OpenedFile?
      scene.onPerform = { session in
        session.items[0].itemProvider.loadInPlaceFileRepresentation(forType: "text/plain;charset=utf-8") {
          opened = try? $0.get()
        }
      }
      _ = scene.play(killing: true) { opened != nil }
      let original = try #require(opened)
      #expect(original.isOriginal && original.isWritable && original.path == file && changes.isEmpty)
      try original.coordinateWriting { fd in
        #expect(throws: FileCoordinationError.busy) { try FileCoordination.read(file, within: 0) { _ in } }
        #expect(pwrite(fd, "D", 1, 0) == 1)
      }
      #expect(scene.target.run { changes.contains(.written) })
      #expect(try Files.read(file, limit: 100) == Array("Draft".utf8))
      withExtendedLifetime(watch) {}
    }

    @Test(
      "F1, K6: a program in a sandbox gets the content of a provider's file, and not the file",
      arguments: FileTarget.all)
    func F1_K6_toASandbox(target: FileTarget) throws {
      let folder = try TestFolder("original")
      let file = try folder.write(FileTarget.text, to: "letter.txt")
      var fingers = Traces.screen
      fingers.carry(from: (200, 400), at: 0, .to(1000, 680, 650...1000), upAt: 1300)
      let scene = try Scene("file:" + file, fingers: fingers, clients: 3)
      let program = try target.start(on: scene.desktop, geometry: "300x200+850+580")
      #expect(program.readLine(seconds: 20) { $0.contains(target.line(of: file)) } != nil)
    }

    @Test("M6: without a manifest the application serves the item itself") func M6_withoutAManifest() throws {
      let scene = try Scene("text:a letter", named: false)
      #expect(scene.play(killing: false) == "from the application")
    }

    @Test("F1, M6: a program in C is a file provider, too") func F1_M6_inC() throws {
      let scene = try Scene(
        "text:a letter",
        provider: "CARRY_PEER_IN_C=1 exec '\(try Checkout.program("carry-provider-peer"))'")
      #expect(scene.play(killing: true) == "a letter as text/plain;charset=utf-8, from C")
    }

    @Test(
      "F1: a provider in C answers later, and is heard of while it works in its callback",
      arguments: ["later:", "wait:"])
    func F1_inCLater(reference: String) throws {
      let folder = try TestFolder("sign")
      let sign = folder.path + "/sign"
      let scene = try Scene(
        reference == "wait:" ? "wait:" + sign : reference,
        provider: "CARRY_PEER_IN_C=1 exec '\(try Checkout.program("carry-provider-peer"))'")
      var got: String?
      var fractions: [Double?] = []
      scene.onPerform = { session in
        let load = session.items[0].itemProvider.loadDataRepresentation(forType: "text/plain;charset=utf-8") {
          got = (try? $0.get()).map { String(decoding: $0, as: UTF8.self) } ?? "\($0)"
        }
        load.onProgress = { load in
          fractions.append(load.fractionCompleted)
          if load.fractionCompleted == 0.25 { try? Files.write([], to: sign) }
        }
      }
      _ = scene.play(killing: true) { got != nil }
      #expect(got == (reference == "wait:" ? "waited" : "later, from C"))
      #expect(fractions.contains(0.25) == (reference == "wait:"), "\(fractions)")
    }

    @Test("F1: what the file provider refuses is one clear error") func F1_refuses() throws {
      let scene = try Scene("nonsense")
      #expect(scene.play(killing: true)?.contains("no such item") == true)
    }

    @Test("a file provider that dies is one clear error, and no process is left") func dies() throws {
      let scene = try Scene("die:")
      let got = try #require(scene.play(killing: true))
      #expect(got.contains("the file provider of org.example.app failed"), "\(got)")
    }

    @Test("a file provider that never says hello is one clear error, and no process is left")
    func neverSaysHello() throws {
      let scene = try Scene("text:a letter", provider: "trap '' TERM\nsleep 1000 &\nwhile :; do sleep 1; done")
      let got = try #require(scene.play(killing: true))
      #expect(got.contains("it was not ready within 5 s"), "\(got)")
      #expect(Wait.until(seconds: 10) { !scene.hasProvider(scene.folder + "/provider") })
    }
  }
}
