import CarryModel
import CarrySystem

/// Decides which clients are admitted, and which make room. Pure: its input is the list of connections, its output a
/// verdict.
///
/// Each process has a limit. When all connections are used, the process with the most gives one up.
enum Admission {
  /// An existing connection.
  struct Connection: Equatable, Sendable {
    var id: ClientID
    /// A number for the process, the same for all of its connections.
    var process: UInt32
    /// Whether the client has not said hello yet.
    var isSilent: Bool
  }

  /// The process that wants another connection.
  struct Newcomer: Equatable, Sendable {
    var process: UInt32
    /// How many files of the process the engine still has to close.
    var closingFiles = 0
  }

  enum Decision: Equatable, Sendable {
    /// Admit the newcomer after closing these connections: a silent one, and one of a process that has many.
    case admit(closingSilent: ClientID? = nil, closingSpare: ClientID? = nil)
    /// Refuse the newcomer, for this reason.
    case refuse(String)
  }

  static func decide(_ newcomer: Newcomer, among connections: [Connection]) -> Decision {
    if newcomer.closingFiles > Limits.closingFiles {
      return .refuse(
        "\(Limits.closingFiles) files of this process cannot be closed; see to the file system that they are on")
    }
    let own = connections.filter { $0.process == newcomer.process }
    let ownSilent = own.count { $0.isSilent }
    if ownSilent >= Limits.unauthenticatedClientsPerProcess {
      return .refuse(
        "\(ownSilent) connections of this process have not said hello; try again in \(Int(Limits.helloSeconds)) s")
    }
    if own.count >= Limits.clientsPerProcess {
      return .refuse("this process has all the \(Limits.clientsPerProcess) connections that one may have; close some")
    }
    var rest = connections
    var silent: ClientID?
    if connections.count(where: { $0.isSilent }) >= Limits.unauthenticatedClients {
      silent = oldestSilent(connections)
      rest.removeAll { $0.id == silent }
    }
    var spare: ClientID?
    if rest.count >= Limits.clients {
      spare = oneTooMany(newcomer, rest)
      rest.removeAll { $0.id == spare }
    }
    guard rest.count < Limits.clients, rest.count(where: { $0.isSilent }) < Limits.unauthenticatedClients else {
      return .refuse("the engine has all the \(Limits.clients) clients it takes; close some")
    }
    return .admit(closingSilent: silent, closingSpare: spare)
  }

  /// The oldest silent connection of the process with the most silent connections.
  private static func oldestSilent(_ connections: [Connection]) -> ClientID? {
    let silent = connections.filter(\.isSilent)
    let counts = counts(silent)
    return silent.max { (counts[$0.process] ?? 0, $1.id) < (counts[$1.process] ?? 0, $0.id) }?.id
  }

  /// The newest connection of the process with the most; nil if that has few, or not more than the newcomer's.
  private static func oneTooMany(_ newcomer: Newcomer, _ connections: [Connection]) -> ClientID? {
    let counts = counts(connections)
    let greediest = connections.max { (counts[$0.process] ?? 0, $0.id) < (counts[$1.process] ?? 0, $1.id) }
    guard let greediest, (counts[greediest.process] ?? 0) > max((counts[newcomer.process] ?? 0) + 1, 8) else {
      return nil
    }
    return greediest.id
  }

  private static func counts(_ connections: [Connection]) -> [UInt32: Int] {
    Dictionary(connections.map { ($0.process, 1) }, uniquingKeysWith: +)
  }
}
