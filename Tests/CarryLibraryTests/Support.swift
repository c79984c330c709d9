import CLinux
import CarryModel
import CarrySystem

@testable import Carry

/// Turns a client's transfers, as its loop would, until something holds.
func turn(_ transfers: Transfers, seconds: Double = 30, until condition: () -> Bool) -> Bool {
  let end = MonotonicClock.now() + .seconds(seconds)
  while !condition() {
    if MonotonicClock.now() > end { return false }
    var fds = transfers.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    poll(&fds, nfds_t(fds.count), 100)
    transfers.turn()
  }
  return true
}
