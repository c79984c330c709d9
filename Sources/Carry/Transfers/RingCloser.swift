import CarrySystem
import Synchronization

/// Closes what comes in and with the rings between one source and one destination of a session, on a thread of their own.
///
/// Whoever made a ring's socket has a hand on it, and whoever has its other end sends what they like. What they keep waiting
/// here are the rings between these two.
final class RingCloser: Sendable {
  private let owner = AsideCloser.newOwner()
  /// Whether a packet has brought descriptors: nothing more is received from any of these rings. Held while a packet is
  /// received, since each may bring many.
  private let hasBroughtDescriptors = Mutex(false)

  /// How many descriptors are kept by what cannot be closed; 0 while they only wait for their turn.
  var stuckCount: Int { AsideCloser.count(of: owner) }

  /// Whether no packet has brought a descriptor, and nothing waits to be closed.
  var isSettled: Bool { hasBroughtDescriptors.withLockIfAvailable { !$0 } == true && AsideCloser.isDone(with: owner) }

  func close(_ fd: CInt) { AsideCloser.close(fd, of: owner) }

  /// Receives a packet, unless another thread is about to for a ring of these.
  ///
  /// - Parameter receive: gives the descriptors that came with it, too.
  /// - Returns: what `receive` gave; nil where it has to be tried again.
  /// - Throws: where a packet of any of these rings has brought a descriptor.
  func receive(_ receive: () -> (count: Int, descriptors: [CInt])) throws -> Int? {
    let result = hasBroughtDescriptors.withLockIfAvailable { hasBrought -> Int? in
      guard !hasBrought else { return nil }
      let (count, descriptors) = receive()
      hasBrought = !descriptors.isEmpty
      for one in descriptors { close(one) }
      return hasBrought ? nil : count
    }
    guard let result else { return nil }
    guard let count = result else {
      throw LoadError(.unusableDescriptor, "the other side sent a descriptor where only numbers go")
    }
    return count
  }
}
