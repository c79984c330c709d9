import CarryModel
import CarrySystem
@testable import CarryWireServer
import Testing

/// Who is let in, without a socket.
@Suite struct AdmissionTests {
  private typealias Connection = Admission.Connection

  private static let honest = Admission.Newcomer(process: 9999)

  /// So many connections of processes of their own, or of one.
  private static func connections(
    _ count: Int, from id: UInt32 = 1, process: UInt32? = nil, silent: Bool = false
  ) -> [Connection] {
    (0..<UInt32(count)).map {
      Connection(id: ClientID(id + $0), process: process ?? id + $0, isSilent: silent)
    }
  }

  @Test("whoever comes first comes in") func theFirst() {
    #expect(Admission.decide(Self.honest, among: []) == .admit())
  }

  @Test("a process has its share, and no more") func aProcess() {
    let full = Self.connections(Limits.clientsPerProcess, process: 7)
    guard case .refuse(let why) = Admission.decide(.init(process: 7), among: full) else {
      Issue.record("it is let in")
      return
    }
    #expect(why.contains("\(Limits.clientsPerProcess)"))
    #expect(Admission.decide(Self.honest, among: full) == .admit())
    #expect(
      Admission.decide(.init(process: 7), among: Array(full.dropLast())) == .admit())
  }

  @Test("a process that says nothing may not go on knocking") func silence() {
    let silent = Self.connections(Limits.unauthenticatedClientsPerProcess, process: 7, silent: true)
    guard case .refuse = Admission.decide(.init(process: 7), among: silent) else {
      Issue.record("it is let in")
      return
    }
    #expect(Admission.decide(Self.honest, among: silent) == .admit())
  }

  @Test("where too many say nothing, the oldest of those who have most goes for the newcomer")
  func theOldestSilent() {
    let few = Self.connections(2, from: 1, process: 5, silent: true)
    let many = Self.connections(Limits.unauthenticatedClients - 2, from: 100, process: 6, silent: true)
    #expect(Admission.decide(Self.honest, among: few + many) == .admit(closingSilent: ClientID(100)))
  }

  @Test("where nobody has many, nobody makes room") func nobodyHasMany() {
    let connections = (0..<UInt32(Limits.clients)).map {
      Connection(id: ClientID($0 + 1), process: $0 + 1, isSilent: false)
    }
    #expect(
      Admission.decide(Self.honest, among: connections)
        == .refuse("the engine has all the \(Limits.clients) clients it takes; close some"))
  }

  @Test("the process that has most gives its newest") func theGreediest() {
    var connections = (0..<UInt32(Limits.clients - 20)).map {
      Connection(id: ClientID($0 + 1), process: $0 + 1, isSilent: false)
    }
    connections += Self.connections(20, from: 5000, process: 4000)
    #expect(Admission.decide(Self.honest, among: connections) == .admit(closingSpare: ClientID(5019)))
  }

  @Test("who has files that cannot be closed gets no further connection") func filesThatStay() {
    let stuck = Admission.Newcomer(process: 7, closingFiles: Limits.closingFiles + 1)
    guard case .refuse(let why) = Admission.decide(stuck, among: []) else {
      Issue.record("it is let in")
      return
    }
    #expect(why.contains("file system"))
  }
}
