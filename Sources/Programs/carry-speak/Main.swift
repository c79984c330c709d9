import CLinux
import CSpeak
import Carry
import CarryModel
import CarrySystem

/// The program `carry-speak`: announces drags with the keyboard through screen readers.
@main enum Main {
  private static let help = """
    Usage: carry-speak [--socket PATH]

    Has screen readers say what happens in drags that are driven by keys ([keyboard] in carry.conf): it reads the
    engine's announcements and puts them on the accessibility bus (AT-SPI). Waits for the engine, and comes back to it
    when it is restarted.

      --socket PATH   the engine's socket; default $CARRY_SOCKET, or carry-0 in $XDG_RUNTIME_DIR
      --version       print the version and exit
      --help          this text

    Exit status: 2 wrong usage, 3 no accessibility bus, or no way to an engine.
    """

  /// The data of the descriptor's callback.
  private final class Listener {
    let client: Client
    private let monitor: Monitor

    init(_ socket: String?) throws(ClientError) {
      client = try Client(awaitingEngineAs: "carry-speak", socket: socket)
      monitor = Monitor(client: client) { _ in }
      monitor.onAnnouncement = { _, text in cspeak_say(text) }
      client.onConnectionChanged = { [unowned client] isConnected in
        Log.info(isConnected ? "announcing for the engine" : "\(client.connectionProblem ?? ""); waiting for it")
      }
      if let problem = client.connectionProblem { Log.info("\(problem); waiting for it") }
    }

    /// Runs until the engine ends the connection.
    func run() {
      // Events that arrived before the descriptor was watched.
      guard (try? client.dispatch()) != nil else { return }
      cspeak_run(
        client.fileDescriptor,
        { data in
          guard let data else { return false }
          let listener = Unmanaged<Listener>.fromOpaque(data).takeUnretainedValue()
          return (try? listener.client.dispatch()) != nil
        }, Unmanaged.passUnretained(self).toOpaque())
    }
  }

  static func main() {
    Log.program = "carry-speak"
    Log.threshold = .info
    let socket: String?
    do {
      let arguments = try Arguments(
        Array(CommandLine.arguments.dropFirst()), options: [.value("socket"), .flag("version")])
      if arguments.has("help") {
        Output.write(help + "\n")
        exit(0)
      }
      if arguments.has("version") {
        Output.write("carry-speak \(Version.text)\n")
        exit(0)
      }
      socket = arguments.value("socket")
    } catch {
      Output.write("carry-speak: \(error.sentence); see 'carry-speak --help'\n", to: STDERR_FILENO)
      exit(2)
    }
    guard cspeak_start("Carry", "\(Version.text)") else {
      Log.error(
        "there is no accessibility bus; switch assistive technologies on in the desktop's settings, and install at-spi2-core"
      )
      exit(3)
    }
    do {
      let listener = try Listener(socket)
      listener.run()
      Log.error("the engine ended the connection")
    } catch {
      Log.error(error.description)
    }
    exit(3)
  }
}
