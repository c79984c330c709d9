import CarrySystem
import Synchronization

/// Closes the descriptors that arrive in, or belong to, the rings between one source and one destination of a
/// session, on a thread of their own.
///
/// The creator of a ring's socket keeps access to it, and the owner of its other end can send anything. If they block
/// a call, only the rings between these two wait.
final class RingCloser: Sendable {
  private let owner = AsideCloser.newOwner()
  /// Whether a packet has brought descriptors: from then on nothing is received from any of these rings. Locked while
  /// a packet is received, since each packet may bring many.
  private let hasBroughtDescriptors = Mutex(false)

  /// The number of descriptors whose close call is blocked; 0 while they only wait for their turn.
  var stuckCount: Int { AsideCloser.count(of: owner) }

  /// Whether no packet has brought a descriptor, and nothing waits to be closed.
  var isSettled: Bool { hasBroughtDescriptors.withLockIfAvailable { !$0 } == true && AsideCloser.isDone(with: owner) }

  func close(_ fd: CInt) { AsideCloser.close(fd, of: owner) }

  /// Receives a packet, unless another thread is receiving from one of these rings.
  ///
  /// - Parameter receive: also returns the descriptors that came with the packet.
  /// - Returns: the result of `receive`; nil if the caller has to retry.
  /// - Throws: if a packet of any of these rings has brought a descriptor.
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
