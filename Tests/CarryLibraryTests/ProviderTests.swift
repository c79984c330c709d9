import CarryModel
import CarrySystem
import CarryWireClient
import Testing

@testable import Carry

/// What a source knows of its own items.
@Suite struct ProviderTests {
  private func provider(_ types: String...) -> ItemProvider {
    let provider = ItemProvider()
    for type in types { provider.registerDataRepresentation(forType: type) { $0(.success([])) } }
    return provider
  }

  @Test("I14, A8: a source knows kinds too") func I14_A8_aSourceKnowsKinds() {
    #expect(provider("text/markdown").hasRepresentationConforming(to: "text/plain"))
    #expect(provider("text/x-invented;v=1").bestType(conformingTo: ["text/plain"]) == "text/x-invented;v=1")
    #expect(provider("image/png", "text/csv").bestType(conformingTo: ["text/plain", "image/*"]) == "text/csv")
    #expect(!provider("image/png").hasRepresentationConforming(to: "text/plain"))
  }

  @Test(
    "K4: what the desktop's database says of kinds holds on the source's side",
    .enabled(if: Files.exists("/usr/share/mime/subclasses")))
  func K4_theDatabase() {
    #expect(provider("image/svg+xml").hasRepresentationConforming(to: "application/xml"))
  }

  @Test("R8: a source hears how far the destination is also with data that is streamed") func R8_destinationProgress()
    throws
  {
    let client = try Client(awaitingEngineAs: "source", socket: "/tmp/carry-no-such-folder/socket")
    defer { client.close() }
    let (load, provision) = WireLoad.local()
    var heard: [Int] = []
    load.onEvent = { if case .delivery(let delivery) = $0 { delivery.close() } }
    let request = Provision(provision, as: .data, client, nil).request("a/b", [])
    request.onDestinationProgress = { completed, _ in heard.append(completed) }
    load.progress(TransferProgress(completed: 1, total: nil))
    request.answer(.success(.data([UInt8](repeating: 1, count: Provision.memoryLimit + 1))))
    load.progress(TransferProgress(completed: 2, total: nil))
    #expect(heard == [1, 2])
  }
}
