import CarryCommand
import CarryConfiguration
import CarryContacts
import CarryEvdev
import CarryModel
import CarrySystem
import Testing

/// A machine on which all is well; tests break one thing at a time.
private func healthy() -> Checkup {
  var c = Checkup(socket: SocketFacts(path: "/run/user/7/carry-0", place: .socket(uid: 7, mode: 0o600, .answers)))
  c.socket.directory = SocketDirectory(path: "/run/user/7", state: .ownersAlone)
  c.uid = 7
  c.displayName = ":3"
  var display = DisplayFacts(name: ":3")
  display.inputVersion = .init(2, 4)
  display.isComposited = true
  display.canPress = true
  display.hasEngine = true
  display.engine = EngineStatus(version: "\(Version.text)", pid: 42, socket: "/run/user/7/carry-0")
  display.engine?.devices = 1
  display.engine?.shelf = .at(.right, .waiting)
  c.display = display
  c.devices = [.init(touchscreen(nil), isTagged: true)]
  c.rule = "/usr/lib/udev/rules.d/70-carry.rules"
  return c
}

private func touchscreen(_ reason: DeviceError.Reason?) -> DeviceScanner.Found {
  DeviceScanner.Found(
    node: "/dev/input/event4", name: "Panel", kind: .touchscreen,
    problem: reason.map { DeviceError(node: "/dev/input/event4", reason: $0, explanation: "no permission to read it") })
}

/// What a broken machine's doctor says, other than ok.
private func complaints(_ change: (inout Checkup) -> Void) -> [Finding] {
  var checkup = healthy()
  change(&checkup)
  return checkup.findings.filter { $0.state != .ok }
}

@Suite struct CheckupTests {
  @Test func allIsWellOnAHealthyMachine() {
    #expect(healthy().findings.map(\.state) == Array(repeating: .ok, count: healthy().findings.count))
    let checks = healthy().findings.map(\.check)
    #expect(
      checks == [
        "session", "display", "xinput", "compositor", "devices", "udev", "configuration", "policy", "manifests",
        "directory", "socket", "engine", "gate", "bridge", "lift", "mouse", "shelf",
      ])
  }

  @Test("Z23: it says why nothing lifts out of other applications") func Z23_lifts() {
    func says(_ change: (inout Checkup) -> Void = { _ in }) -> String {
      var checkup = healthy()
      checkup.display?.hasTouchscreen = true
      change(&checkup)
      return checkup.findings.first { $0.check == "lift" }.map { "\($0.check) \($0.state): \($0.message)" } ?? ""
    }
    #expect(says().hasPrefix("lift ok: long presses lift out of Thunar, "))
    let without = says { $0.display?.canPress = false }
    #expect(without.hasPrefix("lift warning: the X server has no XTEST"))
    let off = "lift ok: nothing lifts out of other applications, by the settings"
    #expect(says { $0.settings.lift.applications = [] } == off)
    #expect(says { $0.settings.bridge.isEnabled = false } == off)
    let untouched = says { $0.display?.hasTouchscreen = false }
    #expect(
      untouched.hasPrefix("lift ok: not possible with a finger") && untouched.contains("a mouse drags out of Thunar"))
  }

  @Test func aWaylandSessionIsNamed() {
    let alone = complaints {
      $0.isWayland = true
      $0.displayName = ""
      $0.display = nil
    }
    #expect(alone.first?.check == "session" && alone.first?.state == .failed)
    #expect(alone.first?.advice == "log in to an X11 session")
    let xwayland = complaints { $0.display?.isXwayland = true }
    #expect(xwayland.map(\.check) == ["session"] && xwayland[0].state == .warning)
    #expect(xwayland[0].message.contains("Xwayland only"))
  }

  @Test func displayAndServerAreJudged() {
    #expect(complaints { $0.display = nil }.first?.message == "display :3 cannot be opened")
    #expect(complaints { $0.display?.inputVersion = .init(2, 1) }.map(\.check) == ["xinput"])
    #expect(complaints { $0.display?.inputVersion = nil }.map(\.state) == [.warning])
    #expect(complaints { $0.display?.isComposited = false }.map(\.check) == ["compositor"])
    #expect(DisplayFacts.Version(3, 0).canHoldTouches && !DisplayFacts.Version(1, 9).canHoldTouches)
  }

  @Test func aDeviceThatCannotBeReadComesWithTheCommandThatMendsIt() {
    func advice(_ change: (inout Checkup) -> Void) -> String {
      let all = complaints {
        $0.devices = [.init(touchscreen(.noPermission), isTagged: false)]
        change(&$0)
      }
      #expect(all.first?.check == "devices" && all.first?.state == .failed)
      return all.first?.advice ?? ""
    }
    let reload = "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=input"
    let once = "sudo setfacl -m u:$USER:r /dev/input/event4"
    #expect(advice { $0.rule = nil }.contains("install udev/70-carry.rules into /etc/udev/rules.d"))
    #expect(advice { $0.rule = nil }.contains(reload) && advice { $0.rule = nil }.contains(once))
    #expect(advice { _ in } == "run: \(reload); or until the next start: \(once)")
    #expect(
      advice { $0.devices[0].isTagged = true } == "log in at the seat that the device belongs to, or run: \(once)")
    // Fingers that the X server has need no node, palms do.
    let server = complaints {
      $0.devices = [.init(touchscreen(.noPermission), isTagged: true)]
      $0.display?.hasTouchscreen = true
      $0.display?.engine?.gate = .running
    }
    #expect(server.map(\.state) == [.warning] && server[0].message.contains("palms"))
    #expect(server[0].advice.contains(once))
  }

  @Test("the directory of the socket is judged, and comes with advice")
  func theDirectoryIsJudged() {
    func finding(_ state: SocketDirectory.State, isRuntime: Bool = true) -> Finding? {
      let all = complaints {
        $0.socket.directory?.state = state
        $0.socket.isInRuntimeDirectory = isRuntime
      }
      #expect(all.map(\.check) == ["directory"])
      return all.first
    }
    // The engine makes that of the runtime directory, and no other.
    let missing = finding(.missing, isRuntime: false)
    #expect(missing?.state == .failed && missing?.message == "/run/user/7 is not there")
    #expect(missing?.advice.contains("mkdir -m 700") == true && missing?.advice.contains("CARRY_SOCKET") == true)
    #expect(finding(.belongs(uid: 8))?.message.contains("belongs to uid 8") == true)
    let shared = finding(.shared(mode: 0o777))
    #expect(shared?.state == .failed && shared?.message.contains("mode 0777") == true)
    #expect(shared?.advice.hasPrefix("run: chmod go-w /run/user/7") == true)
    // One that was named is warned of, as the engine does; nobody takes away what /tmp is for.
    let named = finding(.shared(mode: 0o1777), isRuntime: false)
    #expect(named?.state == .warning && named?.advice.contains("chmod") == false)
    #expect(named?.advice.contains("CARRY_SOCKET") == true)
  }

  @Test func theRuleIsJudged() {
    #expect(complaints { $0.rule = nil }.map(\.check) == ["udev"])
    let untagged = complaints { $0.devices[0].isTagged = false }
    #expect(untagged.map(\.check) == ["udev"] && untagged[0].message.contains("/dev/input/event4"))
    #expect(complaints { $0.udevRuns = false }.map(\.check) == ["udev"])
  }

  @Test("Z31: a user with a mouse alone is told no faults") func Z31_aMouseAloneIsEnough() {
    #expect(
      complaints {
        $0.devices = []
        $0.rule = nil
      } == [])
    let off = complaints {
      $0.devices = []
      $0.rule = nil
      $0.settings.pointer.isEnabled = false
    }
    #expect(off.map(\.check) == ["devices", "udev"])
    func mouse(_ change: (inout Checkup) -> Void = { _ in }) -> String {
      var checkup = healthy()
      change(&checkup)
      return checkup.findings.first { $0.check == "mouse" }?.message ?? ""
    }
    #expect(mouse().hasPrefix("a press lifts"))
    #expect(mouse { $0.settings.pointer.isEnabled = false }.contains("[pointer] enabled = no"))
    let beside = mouse { $0.display?.hasTouchscreen = true }
    #expect(beside.contains("touches come first"))
  }

  @Test func withoutAnEngineOneLineSaysWhatIsNotChecked() {
    var checkup = healthy()
    checkup.socket.place = .missing
    checkup.display?.hasEngine = false
    checkup.display?.engine = nil
    checkup.socket.directory?.state = .missing
    let failed = checkup.findings.filter { $0.state == .failed }
    #expect(failed.map(\.check) == ["engine"] && failed[0].message.contains("gate, bridge and shelf"), "\(failed)")
    #expect(failed[0].advice.hasPrefix("start it: carryd"))
    checkup.socket.place = .socket(uid: 7, mode: 0o600, .refused)
    #expect(checkup.findings.filter { $0.state == .failed } == failed)
  }

  @Test func theSocketIsJudged() {
    func said(_ place: SocketFacts.Place) -> String {
      let all = complaints { $0.socket.place = place }
      #expect(all.first?.check == "socket" && all.first?.state == .failed && all.first?.advice.isEmpty == false)
      return all.first?.message ?? ""
    }
    #expect(said(.missing).contains("is not there"))
    #expect(said(.notASocket).contains("is no socket"))
    #expect(said(.socket(uid: 8, mode: 0o600, .answers)).contains("uid 8"))
    #expect(said(.socket(uid: 7, mode: 0o666, .answers)).contains("mode 0666"))
    #expect(said(.socket(uid: 7, mode: 0o600, .refused)).contains("no program listens"))
    #expect(said(.socket(uid: 7, mode: 0o600, .silent)).contains("does not answer"))
    #expect(said(.unknown("no directory")) == "no directory")
  }

  @Test func theEngineAndASecondOneAreJudged() {
    let none = complaints {
      $0.display?.hasEngine = false
      $0.display?.engine = nil
    }
    #expect(none.map(\.check) == ["engine"] && none[0].message.contains("serves another display"))
    let second = complaints { $0.display?.engine?.socket = "/tmp/other" }
    #expect(second.map(\.check) == ["engine"] && second[0].message.contains("on /tmp/other, but applications look"))
    #expect(second[0].advice.contains("CARRY_SOCKET=/tmp/other"))
    #expect(complaints { $0.display?.engine?.version = "0.0.9" }.map(\.state) == [.warning])
    // B19: an engine that is stopped is not in order, though the display has it.
    let stopped = complaints { $0.socket.place = .socket(uid: 7, mode: 0o600, .silent) }
    #expect(stopped.map(\.check) == ["socket", "engine"])
    #expect(stopped.last?.state == .failed && stopped.last?.message.contains("does not answer") == true)
    #expect(complaints { $0.display?.engine = nil }.map(\.state) == [.warning])
  }

  @Test func theGateIsJudged() {
    let unguarded = complaints {
      $0.display?.engine?.gate = .running
      $0.display?.engine?.unguarded = [WindowID(0x2a), WindowID(0x1400003)]
    }
    #expect(unguarded.map(\.check) == ["gate"] && unguarded[0].message.contains("0x2a, 0x1400003"))
    #expect(complaints { $0.display?.engine?.gate = .failed }.map(\.state) == [.failed])
    #expect(complaints { $0.display?.hasTouchscreen = true }.map(\.check) == ["gate"])
  }

  @Test func theBridgeIsJudged() {
    #expect(complaints { $0.display?.engine?.bridge = .off }.map(\.check) == [])
    #expect(complaints { $0.display?.engine?.bridge = .running }.map(\.check) == [])
    #expect(complaints { $0.display?.engine?.bridge = .failed }.map(\.check) == ["bridge"])
  }

  @Test("Z15: it says where the shelf is, or what switches it off") func Z15_theShelfIsJudged() {
    func says(_ shelf: EngineStatus.Shelf) -> String {
      var checkup = healthy()
      checkup.display?.engine?.shelf = shelf
      return checkup.findings.last.map { "\($0.check) \($0.state): \($0.message)" } ?? ""
    }
    #expect(says(.at(.left, .running)) == "shelf ok: at the left edge; its process runs")
    #expect(says(.at(.top, .waiting)).hasPrefix("shelf ok: at the top edge; its process starts"))
    #expect(says(.at(.right, .failed)).hasPrefix("shelf warning: "))
    #expect(says(.off(.settings)).contains("[shelf] edge = none"))
    #expect(says(.off(.option)).contains("--shelf none") && says(.off(.recording)).contains("recording"))
    #expect(says(.unknown).hasPrefix("shelf warning: "))
  }

  @Test func theSettingsAreJudged() {
    let problem = FileProblem(file: "/x/carry.conf", line: 3, message: "no")
    #expect(complaints { $0.configurationProblem = problem }.map(\.message) == ["/x/carry.conf:3: no"])
  }

  @Test("G6: a broken policy forbids every drag, and a broken manifest makes a stranger: both are told")
  func G6_thePolicyAndTheManifestsAreJudged() {
    func says(_ check: String, _ change: (inout Checkup) -> Void) -> String {
      var checkup = healthy()
      change(&checkup)
      return checkup.findings.first { $0.check == check }.map { "\($0.state): \($0.message)" } ?? ""
    }
    let rule = Policy.Rule(.forbid, place: "/p/10.conf:3")
    #expect(says("policy") { _ in } == "ok: no rules")
    #expect(says("policy") { $0.policy = Policy([rule]) } == "ok: 1 rule")
    #expect(says("policy") { $0.policy = Policy([rule, rule, rule]) } == "ok: 3 rules")
    let mistake = FileProblem(file: "/p/10.conf", line: 3, message: "unknown key 'tpye'")
    #expect(
      says("policy") { $0.policyProblems = [mistake] }
        == "failed: /p/10.conf:3: unknown key 'tpye'; until it is repaired, no drag goes from one program to another")
    #expect(says("manifests") { $0.manifestCount = 2 } == "ok: 2 manifests")
    #expect(
      says("manifests") {
        $0.programProblems = [FileProblem(file: "/m/a.conf", message: "its file provider /b: gone")]
      }
        == "warning: /m/a.conf: its file provider /b: gone")
    let other = FileProblem(file: "/m/b.conf", message: "names no program")
    #expect(
      says("manifests") { $0.manifestProblems = [other, mistake] }
        == "warning: /m/b.conf: names no program (and 1 other mistake); such a manifest does not count")
  }

  @Test func theStatusSurvivesTheWayAndHostileText() {
    var status = EngineStatus(version: "0.1.0", pid: 7, socket: "/tmp/a path/carry-0")
    #expect(EngineStatus(text: status.text) == status)
    status.gate = .running
    status.bridge = .failed
    status.shelf = .at(.bottom, .failed)
    status.unguarded = [WindowID(1), WindowID(4_000_000_000)]
    status.devices = 3
    #expect(EngineStatus(text: status.text) == status)
    status.shelf = .off(.recording)
    #expect(EngineStatus(text: status.text) == status)
    for shelf in ["", "right", "right on", "off", "off x", "up running", "right running x"] {
      #expect(EngineStatus(text: "version 1\npid 1\nsocket s\ngate running\nshelf \(shelf)")?.shelf == .unknown)
    }
    for text in [
      "", "\n\n", "version", "version 1\npid x\nsocket s\ngate running", "version 1\npid 1\nsocket s\ngate on",
    ] {
      #expect(EngineStatus(text: text) == nil)
    }
  }
}

@Suite struct ProgressTests {
  @Test func theLineFitsItsWidth() {
    #expect(Progress.line("a.events", 0.5, "3.0 s", width: 60).hasSuffix("]  50% 3.0 s"))
    #expect(Progress.line("a.events", 0.5, "3.0 s", width: 60).hasPrefix("a.events [====="))
    for width in [0, 1, 12, 20, 24, 31, 40, 80, 400] {
      for fraction in [-1, 0, 0.005, 0.999, 1, 7, Double.nan, .infinity] {
        for label in ["", "x", String(repeating: "long ", count: 50)] {
          let line = Progress.line(label, fraction, "12.3 of 45.6 s", width: width)
          #expect(line.count <= width, "\(line)")
          #expect(width < 24 || line.contains("%"))
        }
      }
    }
    #expect(Progress.line("x", 1, "", width: 40).contains("100%"))
    #expect(Progress.line("x", .nan, "", width: 40).contains("  0%"))
  }
}
