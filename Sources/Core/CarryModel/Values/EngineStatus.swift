/// The status that a display's engine publishes to every X client: the property `_CARRY_ENGINE_STATUS` of the window
/// that owns the selection `_CARRY_ENGINE_Sn`. Its lines are `key value`; readers skip unknown keys.
package struct EngineStatus: Equatable, Sendable {
  /// The property's name.
  package static let property = "_CARRY_ENGINE_STATUS"

  /// The selection that the engine of a screen owns.
  package static func selection(screen: Int32) -> String { "_CARRY_ENGINE_S\(screen)" }

  package enum Gate: String, Equatable, Sendable {
    /// There is nothing to hold: the X server has no touchscreen, or fingers come from named devices or recordings.
    case unused
    case running
    /// Touches have to be held, but the gate does not run.
    case failed
  }

  package enum Bridge: String, Equatable, Sendable {
    /// Disabled in the settings.
    case off
    case running
    /// Its process exited or could not be started; the engine tries again.
    case failed
  }

  /// The position of the shelf.
  package enum Shelf: Equatable, Sendable {
    /// Why there is no shelf.
    package enum Reason: String, Sendable { case settings, option, recording }
    package enum Process: String, Sendable {
      /// It starts with the next drag, or with the one that is under way.
      case waiting
      case running
      /// It could not be started; the next drag tries again.
      case failed
    }

    case off(Reason)
    case at(ShelfPlace.Edge, Process)
    /// The engine does not say.
    case unknown

    /// One line: `off settings`, `right running`.
    var text: String {
      switch self {
      case .off(let reason): "off \(reason.rawValue)"
      case .at(let edge, let process): "\(edge.name) \(process.rawValue)"
      case .unknown: ""
      }
    }

    init(text: Substring) {
      let words = text.split(separator: " ").map(String.init)
      self = .unknown
      guard words.count == 2 else { return }
      if words[0] == "off", let reason = Reason(rawValue: words[1]) { self = .off(reason) }
      guard let edge = ShelfPlace.Edge.names.first(where: { $0.name == words[0] })?.edge,
        let process = Process(rawValue: words[1])
      else { return }
      self = .at(edge, process)
    }
  }

  package var version: String
  package var pid: Int32
  /// The path of the socket that the engine listens on.
  package var socket: String
  package var gate = Gate.unused
  /// The process that represents foreign applications.
  package var bridge = Bridge.off
  package var shelf = Shelf.unknown
  /// Windows with drag regions whose touches cannot be held.
  package var unguarded: [WindowID] = []
  /// How many device nodes the engine reads.
  package var devices = 0

  package init(version: String, pid: Int32, socket: String) {
    self.version = version
    self.pid = pid
    self.socket = socket
  }

  /// The text of the property.
  package var text: String {
    """
    version \(version)
    pid \(pid)
    socket \(socket)
    gate \(gate.rawValue)
    bridge \(bridge.rawValue)
    shelf \(shelf.text)
    unguarded \(unguarded.map { String($0.raw) }.joined(separator: " "))
    devices \(devices)

    """
  }

  /// Nil if the text is not a status: any client can write any property.
  package init?(text: String) {
    var values: [Substring: Substring] = [:]
    for line in text.split(separator: "\n").prefix(64) {
      guard let blank = line.firstIndex(of: " ") else { continue }
      values[line[..<blank]] = line[line.index(after: blank)...]
    }
    guard let version = values["version"], let pid = values["pid"].flatMap({ Int32($0) }),
      let socket = values["socket"],
      let gate = values["gate"].flatMap({ Gate(rawValue: String($0)) })
    else { return nil }
    self.init(version: String(version), pid: pid, socket: String(socket))
    self.gate = gate
    bridge = values["bridge"].flatMap { Bridge(rawValue: String($0)) } ?? .off
    shelf = Shelf(text: values["shelf"] ?? "")
    unguarded = (values["unguarded"] ?? "").split(separator: " ").compactMap { UInt32($0) }.map { WindowID($0) }
    devices = values["devices"].flatMap { Int($0) } ?? 0
  }
}
