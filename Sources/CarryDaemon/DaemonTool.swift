import CLinux
import CarrySystem

/// The program `carryd`.
package enum DaemonTool {
  /// Runs with the process's arguments and exits.
  package static func run() -> Never {
    Log.program = "carryd"
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
      Output.write("carryd: \(error.message); see 'carryd --help'\n", to: STDERR_FILENO)
      exit(2)
    }
    if options.isVerbose { Log.threshold = .debug }
    raiseDescriptorLimit()
    let daemon: Daemon
    do { daemon = try Daemon(options) } catch {
      Log.error(error.sentence)
      exit(error.status)
    }
    let status = daemon.run()
    exit(status)
  }

  /// T11, T12: descriptors that clients send must not run out before the clients do.
  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
