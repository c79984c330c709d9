import CLinux
import CarryBridge
import CarryDisplay
import CarryGate
import CarryModel
import CarryShelf
import CarrySystem

/// The program `carryd`.
package enum DaemonTool {
  /// Runs with the process's arguments and exits.
  package static func run() -> Never {
    clinux_fill_standard_streams()
    Log.program = "carryd"
    for gate in [GateKind.touches, .clicks]
    where CommandLine.arguments.count > 2 && CommandLine.arguments[1] == "--" + gate.rawValue { runGate(gate) }
    if CommandLine.arguments.count > 2 {
      if CommandLine.arguments[1] == "--bridge" { runCompanion("bridge", BridgeProcess.run) }
      if CommandLine.arguments[1] == "--shelf-process" { runCompanion("shelf-process", ShelfProcess.run) }
      if CommandLine.arguments[1] == BridgeProcess.pictureOption { runPictures() }
    }
    let options: DaemonOptions
    do {
      let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()), options: DaemonOptions.known)
      if arguments.has("help") {
        Output.write(DaemonOptions.help + "\n")
        exit(0)
      }
      if arguments.has("version") {
        Output.write("carryd \(Daemon.version)\n")
        exit(0)
      }
      options = try DaemonOptions(arguments)
    } catch {
      Output.write("carryd: \(error.sentence); see 'carryd --help'\n", to: STDERR_FILENO)
      exit(2)
    }
    if options.isVerbose { Log.threshold = .debug }
    Log.canWait = false
    keepReloadForLater()
    raiseDescriptorLimit()
    let daemon: Daemon
    do { daemon = try Daemon(options) } catch {
      Log.error(error.sentence)
      exit(error.status)
    }
    let status = daemon.run()
    exit(status)
  }

  /// Runs a gate's process, which the engine starts: `carryd --touch-gate FD --patience-us N [--display NAME]`, or
  /// `--click-gate` for clicks.
  private static func runGate(_ gate: GateKind) -> Never {
    Log.program = "carryd: \(gate.name)"
    Log.canWait = false
    let known: [Arguments.Option] = [.value(gate.rawValue), .value("patience-us"), .value("display")]
    do {
      let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()), options: known)
      guard let fd = try arguments.integer(gate.rawValue, in: 0...1023),
        let microseconds = try arguments.integer("patience-us", in: 0...60_000_000)
      else { exit(2) }
      clinux_ignore(SIGPIPE)
      let patience = Interval(microseconds: Int64(microseconds))
      try GateProcess.run(gate, displayName: arguments.value("display"), engine: CInt(fd), patience: patience)
      exit(0)
    } catch {
      Log.error(sentence(of: error))
      exit(3)
    }
  }

  /// Runs a companion of the engine that is also its client: `carryd --bridge FD [--display NAME] [--verbose]`, or
  /// `--shelf-process`.
  private static func runCompanion(
    _ name: String, _ run: (_ displayName: String?, _ engine: CInt) throws(Problem) -> Void
  ) -> Never {
    Log.program = "carryd: \(name.prefix { $0 != "-" })"
    Log.canWait = false
    let known: [Arguments.Option] = [.value(name), .value("display"), .flag("verbose")]
    do {
      let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()), options: known)
      guard let fd = try arguments.integer(name, in: 3...1023) else { exit(2) }
      if arguments.has("verbose") { Log.threshold = .debug }
      clinux_ignore(SIGPIPE)
      clinux_set_close_on_exec(CInt(fd))
      raiseDescriptorLimit()
      try run(arguments.value("display"), CInt(fd))
      exit(0)
    } catch {
      Log.error(sentence(of: error))
      exit(3)
    }
  }

  /// Blocks the reload signal until the loop handles it: a reload while the engine starts must not end it.
  private static func keepReloadForLater() {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGHUP)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Runs a process that the bridge starts for one picture: `carryd --picture-process FD TYPE`.
  private static func runPictures() -> Never {
    guard CommandLine.arguments.count == 4, let fd = CInt(CommandLine.arguments[2]), fd > 2 else { exit(2) }
    BridgeProcess.convertPicture(fd, type: CommandLine.arguments[3])
    exit(0)
  }

  /// Raises the limit so that there is room for all descriptors that clients, or the sources of drops, may send.
  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
