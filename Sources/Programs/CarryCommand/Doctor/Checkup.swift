import CarryConfiguration
import CarryContacts
package import CarryEvdev
package import CarryModel
import CarrySystem

/// The facts that `carry doctor` examines, and its findings. Findings depend on the facts alone, so tests can supply
/// them.
package struct Checkup: Equatable, Sendable {
  /// A touch device and what udev says about it.
  package struct Device: Equatable, Sendable {
    package var found: DeviceScanner.Found
    /// Whether udev has tagged the device for the user at the seat; nil when udev does not know the device.
    package var isTagged: Bool?
    package init(_ found: DeviceScanner.Found, isTagged: Bool?) { (self.found, self.isTagged) = (found, isTagged) }
  }

  package var isWayland = false
  /// The display that was queried, empty if none.
  package var displayName = ""
  package var display: DisplayFacts?
  package var devices: [Device] = []
  package var rule: String?
  package var udevRuns = true
  /// The settings file that the engine would read; nil if there is none and the defaults apply.
  package var configuration: String?
  package var configurationProblem: FileProblem?
  package var settings = Settings()
  /// The policy and the programs' manifests that the engine would read, and the mistakes in both.
  package var policy = Policy()
  package var policyProblems: [FileProblem] = []
  package var manifestCount = 0
  package var manifestProblems: [FileProblem] = []
  /// Missing programs and file providers of valid manifests.
  package var programProblems: [FileProblem] = []
  package var socket: SocketFacts
  package var uid: UInt32 = 0

  package init(socket: SocketFacts) { self.socket = socket }

  private static let start = "start it: carryd &, or with every session: systemctl --user enable --now carry.socket"

  /// One finding for each check. A check follows those on which it depends.
  package var findings: [Finding] {
    var all = [session, displayFinding]
    if let display { all += [input(display), compositor(display)] }
    all += deviceFindings
    all += [ruleFinding, configurationFinding, policyFinding, manifestsFinding]
    if let directory = socket.directory, !isMade(directory) { all.append(finding(directory)) }
    if !isForWantOfAnEngine { all.append(socketFinding) }
    if let display { all.append(engine(display)) }
    if let status = display?.engine { all += [gate(status), bridge(status)] }
    if let display { all += [lift(display), mouse(display)] }
    if let status = display?.engine { all.append(shelf(status)) }
    return all
  }

  // MARK: Session and display

  private var session: Finding {
    if !isWayland, display?.isXwayland != true { return Finding("session", .ok, "no Wayland session") }
    if displayName.isEmpty {
      return Finding(
        "session", .failed, "a Wayland session, and Carry works on X11 only", advice: "log in to an X11 session")
    }
    return Finding(
      "session", .warning, "a Wayland session: Carry sees the X11 applications in Xwayland only",
      advice: "log in to an X11 session")
  }

  private var displayFinding: Finding {
    if let display { return Finding("display", .ok, "display \(display.name) answers") }
    return displayName.isEmpty
      ? Finding("display", .failed, "DISPLAY is not set", advice: "run this in a desktop session, or set DISPLAY")
      : Finding(
        "display", .failed, "display \(displayName) cannot be opened",
        advice: "is an X server running there, and may you use it? see XAUTHORITY in X(7)")
  }

  private func input(_ display: DisplayFacts) -> Finding {
    guard let version = display.inputVersion else {
      return Finding(
        "xinput", .warning, "the X server has no XInput: touches over drag regions reach applications as well",
        advice: "use an X server with XInput 2.2 or later")
    }
    let text = "XInput \(version.major).\(version.minor)"
    guard version.canHoldTouches else {
      return Finding(
        "xinput", .warning, "\(text): touches over drag regions reach applications as well",
        advice: "use an X server with XInput 2.2 or later")
    }
    return Finding(
      "xinput", .ok, "\(text), \(display.hasTouchscreen ? "with a touchscreen" : "no touchscreen in the X server")")
  }

  private func compositor(_ display: DisplayFacts) -> Finding {
    display.isComposited
      ? Finding("compositor", .ok, "a compositing manager runs")
      : Finding(
        "compositor", .warning, "no compositing manager runs: Carry blends previews itself",
        advice: "for true translucency start one, such as: picom &")
  }

  // MARK: The engine

  private var configurationFinding: Finding {
    if let problem = configurationProblem {
      return Finding("configuration", .failed, problem.sentence, advice: "carry.conf(5) lists the keys")
    }
    return Finding("configuration", .ok, configuration ?? "there is no carry.conf: default settings")
  }

  /// Whether the engine makes the directory as it starts.
  private func isMade(_ directory: SocketDirectory) -> Bool {
    socket.isInRuntimeDirectory && directory.state == .missing
  }

  /// Whether nobody listens because no engine runs: one failure with one advice, that of the check `engine`.
  private var isForWantOfAnEngine: Bool {
    guard let display, !display.hasEngine else { return false }
    switch socket.place {
    case .missing, .socket(_, _, .refused): return true
    case .unknown, .notASocket, .socket: return false
    }
  }

  private func finding(_ directory: SocketDirectory) -> Finding {
    let path = SafeText.displayable(directory.path, limit: 4096)
    let wish = socket.isInRuntimeDirectory ? "XDG_RUNTIME_DIR name it" : "CARRY_SOCKET name a path in it"
    let advice = "make one of your own (mkdir -m 700 DIR), and have \(wish)"
    // The engine refuses an unsafe runtime directory; an unsafe directory named by the user only causes a warning.
    let state: Finding.State = socket.isInRuntimeDirectory ? .failed : .warning
    switch directory.state {
    case .ownersAlone: return Finding("directory", .ok, "\(path) exists, and no other user may write to it")
    case .missing: return Finding("directory", .failed, "\(path) is not there", advice: advice)
    case .belongs(let owner):
      return Finding(
        "directory", state, "\(path) belongs to uid \(owner), who may take the socket away", advice: advice)
    case .shared(let mode):
      return Finding(
        "directory", state, "others may write to \(path) (mode 0\(String(mode, radix: 8))), and take the socket's name",
        advice: mode & 0o1000 != 0 ? advice : "run: chmod go-w \(path); or \(advice)")
    }
  }

  private var socketFinding: Finding {
    let path = socket.path
    switch socket.place {
    case .unknown(let why):
      return Finding("socket", .failed, why, advice: "set XDG_RUNTIME_DIR to a directory of your own")
    case .missing: return Finding("socket", .failed, "\(path) is not there: no engine runs", advice: Self.start)
    case .notASocket:
      return Finding("socket", .failed, "\(path) is no socket", advice: "move it away, or set CARRY_SOCKET")
    case .socket(let owner, _, _) where owner != uid:
      return Finding(
        "socket", .failed, "\(path) belongs to uid \(owner), not to you", advice: "set XDG_RUNTIME_DIR or CARRY_SOCKET")
    case .socket(_, let mode, _) where mode & 0o077 != 0:
      return Finding(
        "socket", .failed, "\(path) has mode 0\(String(mode, radix: 8)), so that others may connect",
        advice: "run: chmod 600 \(path)")
    case .socket(_, _, .refused):
      return Finding("socket", .failed, "no program listens on \(path): the engine has died", advice: Self.start)
    case .socket(_, _, .silent):
      return Finding(
        "socket", .failed, "the program that listens on \(path) does not answer",
        advice: "look into its log (journalctl --user -u carry), and start it again")
    case .socket(_, _, .answers): return Finding("socket", .ok, "\(path) is yours alone, and answers")
    }
  }

  private var socketAnswers: Bool { if case .socket(_, _, .answers) = socket.place { true } else { false } }

  private func engine(_ display: DisplayFacts) -> Finding {
    guard display.hasEngine else {
      return socketAnswers
        ? Finding(
          "engine", .failed, "the engine on \(socket.path) serves another display than \(display.name)",
          advice: "start one for this: carryd --display \(display.name) --socket PATH, and set CARRY_SOCKET to the path"
        )
        : Finding(
          "engine", .failed,
          "no engine serves display \(display.name): gate, bridge and shelf are not checked without one",
          advice: Self.start)
    }
    guard let status = display.engine else {
      return Finding(
        "engine", .warning, "the engine of display \(display.name) does not say how it is",
        advice: "is it an older carryd? stop it and start this one")
    }
    let name = "carryd \(SafeText.displayable(status.version)), pid \(status.pid)"
    let path = SafeText.displayable(status.socket, limit: 4096)
    if path != socket.path {
      return Finding(
        "engine", .failed,
        "\(name), serves display \(display.name) on \(path), but applications look for it on \(socket.path)",
        advice: "set CARRY_SOCKET=\(path), or stop one of the two engines")
    }
    if status.version != "\(CarryModel.Version.text)" {
      return Finding(
        "engine", .warning, "\(name), and carry is \(CarryModel.Version.text)", advice: "start the engine again")
    }
    if case .socket(_, _, .silent) = socket.place {
      return Finding(
        "engine", .failed, "\(name), is there and does not answer: it is stopped, or hangs",
        advice: "run: kill -CONT \(status.pid); or end it and start it again")
    }
    return Finding("engine", .ok, "\(name), serves display \(display.name)")
  }

  private func bridge(_ status: EngineStatus) -> Finding {
    switch status.bridge {
    case .running: Finding("bridge", .ok, "other applications take part by XDND")
    case .off: Finding("bridge", .ok, "other applications take no part, by the settings or --no-bridge")
    case .failed:
      Finding(
        "bridge", .warning, "the process for other applications does not run: these take no drops",
        advice: "the engine's log says why (journalctl --user -u carry); it is tried again")
    }
  }

  private func gate(_ status: EngineStatus) -> Finding {
    switch status.gate {
    case .running where status.unguarded.isEmpty:
      return Finding("gate", .ok, "touches over drag regions are held until it is clear whether they lift")
    case .running:
      let windows = status.unguarded.map { "0x" + String($0.raw, radix: 16) }.joined(separator: ", ")
      return Finding(
        "gate", .warning, "another program holds the touches of \(windows): applications see touches that lift there",
        advice: "xwininfo -id says what they are; end the other program that grabs touches")
    case .failed:
      return Finding(
        "gate", .failed, "touches cannot be held: applications act on touches that lift, too",
        advice: "the engine's log says why (journalctl --user -u carry); start it again")
    case .unused:
      if status.devices > 0, !serverHasFingers {
        return Finding("gate", .ok, "not needed: fingers come from \(status.devices) device(s), not from the X server")
      }
      return serverHasFingers
        ? Finding(
          "gate", .warning, "off: the engine was told to read devices or recordings, and applications see all touches",
          advice: "start the engine without --device and --replay")
        : Finding("gate", .ok, "not needed: the X server has no touchscreen")
    }
  }
}
