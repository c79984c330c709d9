import CarryConfiguration
import CarryContacts
import CarryEvdev
import CarryModel
import CarrySystem
import CLinux

/// `carry doctor`: whether everything that Carry needs is in order, and what to do about what is not.
enum DoctorCommand: Command {
  static let name = "doctor"
  static let summary = "check display, devices, settings and engine, and give advice"
  static let options: [Arguments.Option] = [
    .flag("json"), .value("socket"), .value("config"), .value("manifests"), .value("policy"),
  ]
  static let help = """
    Usage: carry doctor [--json] [--socket PATH] [--config FILE] [--manifests DIR] [--policy DIR]

    Checks the session, the display, XInput, the compositing manager, the touch devices and the right to read them,
    the udev rule, the settings, the policy, the programs' manifests, the engine's socket and its directory, the engine,
    its touch gate, the bridge to other applications, lifting out of them, mice, and the shelf. One line a check: ok,
    warning (works, but not as well as it could) or failed, and what to do next. The engine itself reports on gate,
    bridge and shelf.

      --json           one JSON object a line: check, state, message, and advice if there is something to do
      --socket PATH    the engine's socket; $CARRY_SOCKET, or carry-0 in $XDG_RUNTIME_DIR, if left out
      --config FILE    the settings to check; those that carryd would find if left out
      --manifests DIR  the programs' manifests; carry/apps in the system's data directories if left out
      --policy DIR     the policy; /etc/carry/policy.d if left out

    If the service manager listens for the engine, this command starts the engine.
    Exit status: 0 when no check failed, 1 when one did, 2 wrong usage.
    """

  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    guard arguments.operands.isEmpty else { throw UsageError("carry doctor takes no operands") }
    let findings = look(arguments).findings
    for finding in findings { printer.line(arguments.has("json") ? finding.json : finding.text) }
    return findings.contains { $0.state == .failed } ? .nothing : .done
  }

  static func look(_ arguments: Arguments) -> Checkup {
    // The socket comes first: asking there may start the engine, whose status then appears on the display.
    var checkup = Checkup(socket: SocketFacts.read(arguments.value("socket")))
    checkup.uid = getuid()
    checkup.isWayland = SessionType.isWayland
    checkup.displayName = DisplayFacts.defaultName
    checkup.display = DisplayFacts.read()
    checkup.devices = DeviceScanner.list().filter { $0.kind != .other }.map {
      Checkup.Device($0, isTagged: DeviceAccess.isTagged($0.node))
    }
    checkup.rule = DeviceAccess.installedRule()
    checkup.udevRuns = DeviceAccess.udevRuns
    read(arguments, into: &checkup)
    return checkup
  }

  /// Reads the engine's files. Their file systems may hang: that is when people ask what is wrong.
  private static func read(_ arguments: Arguments, into checkup: inout Checkup) {
    let (named, place) = (arguments.value("config"), arguments.value("policy") ?? PolicyFiles.place)
    let manifests = arguments.value("manifests")
    let settings = begin {
      let file = named ?? ConfigurationFile.found()
      return (file, file.map { file in Result { () throws(FileProblem) in try ConfigurationFile.load(file) } })
    }
    let policy = begin { PolicyFiles.load(place) }
    let programs = begin { ManifestFiles(named: manifests).load() }
    let end = MonotonicClock.now() + .seconds(2)
    func result<T: Sendable>(_ reading: AsideReading<T>?) -> T? {
      reading?.collect(within: max(.zero, end - MonotonicClock.now()))
    }
    func silent(_ place: String) -> FileProblem { FileProblem(file: place, message: "its file system does not answer") }
    if let (file, loaded) = result(settings) {
      checkup.configuration = file
      do { checkup.settings = try loaded?.get() ?? Settings() } catch { checkup.configurationProblem = error }
    } else {
      checkup.configurationProblem = silent(named ?? "carry.conf")
    }
    (checkup.policy, checkup.policyProblems) = result(policy) ?? (Policy(), [silent(place)])
    let (list, mistakes) = result(programs) ?? ([], [silent(manifests ?? "the manifests' directories")])
    (checkup.manifestCount, checkup.manifestProblems) = (list.count, mistakes)
    // A program may be on another file system than its manifest.
    let missing = begin { list.compactMap(Self.problem) }
    checkup.programProblems = result(missing) ?? [silent("the programs of the manifests")]
  }

  /// What keeps a manifest from meaning a program, or the engine from starting its file provider.
  private static func problem(_ manifest: ProgramManifest) -> FileProblem? {
    for (what, path, isRun) in [
      ("executable", manifest.executable, true), ("script", manifest.script, false),
      ("file provider", manifest.fileProvider, true),
    ] {
      guard let path else { continue }
      func problem(_ why: String) -> FileProblem {
        FileProblem(file: manifest.file, message: "its \(what) \(SafeText.displayable(path, limit: 4096))\(why)")
      }
      var status = stat()
      if stat(path, &status) != 0 { return problem(": \(String(cString: strerror(clinux_errno())))") }
      guard status.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG), !isRun || access(path, X_OK) == 0 else {
        return problem(" is no \(isRun ? "program that you may run" : "file")")
      }
    }
    return nil
  }

  private static func begin<T: Sendable>(_ body: @escaping @Sendable () -> T) -> AsideReading<T>? {
    let reading = try? AsideReading(body)
    reading?.begin()
    return reading
  }
}
