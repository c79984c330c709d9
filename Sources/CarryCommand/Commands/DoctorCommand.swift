import CarryConfiguration
import CarryContacts
import CarryEvdev
import CarryModel
import CarrySystem
import CLinux

/// `carry doctor`: whether everything that Carry needs is in order, and what to do about what is not.
enum DoctorCommand: Command {
  static let name = "doctor"
  static let summary = "checks display, devices, settings and engine, and says what to do"
  static let options: [Arguments.Option] = [
    .flag("json"), .value("socket"), .value("config"), .value("manifests"), .value("policy"),
  ]
  static let help = """
    Usage: carry doctor [--json] [--socket PATH] [--config FILE] [--manifests DIR] [--policy DIR]

    Checks the session, the display, XInput, the compositing manager, the touch devices and the right to read them,
    the udev rule, the settings, the policy, the programs' manifests, the engine's socket and its directory, the engine,
    its touch gate, the other applications, lifting out of them, mice, and the shelf. One line a check: ok, warning (works,
    but not as well as it could) or failed, and what to do next. Gate, other applications and shelf are what the engine
    says of them.

      --json           one JSON object a line: check, state, message, and advice if there is something to do
      --socket PATH    the engine's socket; $CARRY_SOCKET, or carry-0 in $XDG_RUNTIME_DIR, if left out
      --config FILE    the settings to check; those that carryd would find if left out
      --manifests DIR  the programs' manifests; carry/apps in the system's data directories if left out
      --policy DIR     the policy; /etc/carry/policy.d if left out

    Where the service manager listens for the engine, this starts it.
    Exit status: 0 when no check failed, 1 when one did, 2 wrong usage.
    """

  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    guard arguments.operands.isEmpty else { throw UsageError("carry doctor takes no operands") }
    let findings = look(arguments).findings
    for finding in findings { printer.line(arguments.has("json") ? finding.json : finding.text) }
    return findings.contains { $0.state == .failed } ? .nothing : .done
  }

  private static func look(_ arguments: Arguments) -> Checkup {
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
    checkup.configuration = arguments.value("config") ?? ConfigurationFile.found()
    if let file = checkup.configuration {
      do { checkup.settings = try ConfigurationFile.load(file) } catch { checkup.configurationProblem = error }
    }
    (checkup.policy, checkup.policyProblems) = PolicyFiles.load(arguments.value("policy") ?? PolicyFiles.place)
    let (manifests, mistakes) = ManifestFiles(named: arguments.value("manifests")).load()
    (checkup.manifestCount, checkup.manifestProblems) = (manifests.count, mistakes)
    return checkup
  }
}
