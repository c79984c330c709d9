package import CarryModel
package import CarrySystem

/// The options of `carryd`.
package struct DaemonOptions: Equatable, Sendable {
  /// Nil for the display of `$DISPLAY`.
  package var display: String?
  /// Nodes to read; empty for all touchscreens.
  package var devices: [String] = []
  package var recordings: [String] = []
  /// When recordings start; nil to wait until a client has registered a region.
  package var replayDelay: Interval?
  /// How many applications must have registered a region before recordings start.
  package var replayClients = 1
  /// Whether fingers come from programs that play them, and from nowhere else.
  package var isForTests = false
  /// Where the session is recorded; nil if it is not.
  package var sessionRecording: String?
  package var socket: String?
  package var configuration: String?
  /// Directories that replace the system's: for manifests, and for the policy.
  package var manifests: String?
  package var policy: String?
  /// Whether foreign applications take part, if the configuration allows it.
  package var hasBridge = true
  /// The edge at which the shelf appears, or none, overriding the configuration; nil uses the configuration.
  /// Recordings were made without a shelf in the way, so there is none during a replay unless this option sets one.
  package var shelf: ShelfPlace.Edge??

  /// Why there is no shelf, if there is none.
  var reasonForNoShelf: EngineStatus.Shelf.Reason {
    shelf != nil ? .option : isPlayed ? .recording : .settings
  }
  /// Whether trackpads are read, overriding the configuration.
  package var trackpads = false
  package var isVerbose = false

  /// Whether no device is read.
  var isPlayed: Bool { isForTests || !recordings.isEmpty }

  package init() {}

  /// The configuration's settings, overridden by the options that were given.
  func adjust(_ settings: Settings) -> Settings {
    var settings = settings
    if trackpads { settings.trackpad.isEnabled = true }
    if !hasBridge { settings.bridge.isEnabled = false }
    if let shelf { settings.shelf.edge = shelf } else if isPlayed { settings.shelf.edge = nil }
    return settings
  }

  static let known: [Arguments.Option] = [
    .value("display"), .value("device"), .value("replay"), .value("replay-delay"), .value("replay-clients"),
    .flag("test"), .value("record-session"),
    .value("socket"), .value("config"), .value("manifests"), .value("policy"), .flag("trackpads"), .flag("no-bridge"),
    .value("shelf"), .flag("verbose"),
    .flag("version"),
  ]

  /// - Returns: nil if only help was requested.
  package init(_ arguments: Arguments) throws(UsageError) {
    if let extra = arguments.operands.first {
      throw UsageError("carryd takes options only, and '\(SafeText.displayable(extra))' is not an option")
    }
    display = arguments.value("display")
    devices = arguments.values("device")
    recordings = arguments.values("replay")
    isForTests = arguments.has("test")
    if isForTests, !recordings.isEmpty { throw UsageError("--test and --replay exclude each other") }
    sessionRecording = arguments.value("record-session")
    socket = arguments.value("socket")
    configuration = arguments.value("config")
    manifests = arguments.value("manifests")
    policy = arguments.value("policy")
    trackpads = arguments.has("trackpads")
    hasBridge = !arguments.has("no-bridge")
    if let text = arguments.value("shelf") {
      let edge = ShelfPlace.Edge.names.first { $0.name == text }?.edge
      guard edge != nil || text == "none" else {
        throw UsageError("--shelf takes right, left, top, bottom or none, not '\(SafeText.displayable(text))'")
      }
      shelf = .some(edge)
    }
    isVerbose = arguments.has("verbose")
    if let text = arguments.value("replay-delay") {
      guard let seconds = Double(text), seconds >= 0, seconds <= 86_400 else {
        throw UsageError("--replay-delay takes seconds from 0 to 86400, not '\(SafeText.displayable(text))'")
      }
      guard !recordings.isEmpty else { throw UsageError("--replay-delay goes with --replay") }
      replayDelay = .seconds(seconds)
    }
    if let text = arguments.value("replay-clients") {
      guard let count = Int(text), (1...Limits.clients).contains(count) else {
        throw UsageError(
          "--replay-clients takes a number from 1 to \(Limits.clients), not '\(SafeText.displayable(text))'")
      }
      guard !recordings.isEmpty, replayDelay == nil else {
        throw UsageError("--replay-clients goes with --replay, and not with --replay-delay")
      }
      replayClients = count
    }
  }

  static let help = """
    Usage: carryd [OPTION]...

    The Carry engine recognises gestures on touchscreens, and runs drag and drop sessions between the applications of one
    X display. Applications find it by its socket. One engine serves a display.

      --display :N           the X display; $DISPLAY if left out
      --device NODE          read this input device; may be repeated; every touchscreen if left out
      --replay FILE          play a recording (evemu's or libinput's), in real time, on a touchscreen that covers the
                             screen, and exit when it is over; may be repeated: all play at once. The recording of a
                             trackpad moves a virtual pointer
      --replay-delay SECONDS start recordings after this time, instead of when a client has registered a region
      --replay-clients N     start recordings when so many clients have registered a region, instead of one
      --test                 read no device: fingers come from carry play and carry test. Any program of this user may
                             then drag, so use it on an X server for tests
      --record-session FILE  record what the engine is told, and what it does, for carry replay: gestures, windows,
                             regions, programs, settings and policy, with names and types, but no data
      --socket PATH          the socket to listen on; $CARRY_SOCKET, or carry-0 in $XDG_RUNTIME_DIR, if left out
      --config FILE          settings; carry.conf(5) says where they are looked for if left out; read again when the
                             file changes, and on SIGHUP
      --manifests DIR        the programs' manifests; carry/apps in the system's data directories if left out; see
                             carry-policy(5)
      --policy DIR           the policy for drags between programs; /etc/carry/policy.d if left out; see carry-policy(5)
      --trackpads            let trackpads drag, too; see carryd(1)
      --no-bridge            leave out applications that speak XDND only
      --shelf EDGE           where the shelf appears: right, left, top, bottom or none; as the settings say if left out,
                             and none with --replay
      --verbose              print more on standard error; carry monitor shows the steps of drags
      --help, --version

    Exit status: 0 done, 1 a device, recording or configuration could not be used, 2 wrong usage,
    3 no X11 display, or another engine runs. See carryd(1).
    """
}
