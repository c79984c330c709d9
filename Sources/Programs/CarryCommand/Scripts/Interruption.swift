import CLinux
import CarryModel
import CarrySystem

/// Ctrl-C and other signals that end a command, for one that has to end programs first.
final class Interruption {
  private let signals: Descriptor

  /// Readable once there was a signal.
  var descriptor: CInt { signals.raw }

  init() {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    // A reader that goes away ends nothing: what is printed is lost.
    clinux_ignore(SIGPIPE)
    signals = Descriptor(owning: signalfd(-1, &set, CInt(SFD_CLOEXEC) | CInt(SFD_NONBLOCK)))
  }

  /// Whether there was a signal.
  var hasHappened: Bool {
    var fd = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&fd, 1, 0) > 0
  }

  /// - Throws: once there was a signal.
  func check() throws(Problem) { if hasHappened { throw Problem("interrupted") } }
}
