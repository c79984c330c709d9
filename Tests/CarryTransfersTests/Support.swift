import CarrySystem
import CarryTesting
import Testing

@testable import CarryTransfers

/// A load that nobody wants any more ends, and says so.
func expectCancelled(_ result: Shared<Result<Int, LoadError>?>, _ hasEnded: Barrier) {
  #expect(wait { hasEnded.hasOpened })
  guard case .failure(let error) = result.value else {
    Issue.record("\(String(describing: result.value))")
    return
  }
  #expect(error.code == .cancelled)
}

/// Reads what a source hands over.
func receive(_ delivery: Payload, into sink: any Sink) -> Result<Int, LoadError> {
  PayloadReader.read(delivery, into: sink, TransferState(), progress: { _, _ in })
}
