import CarryModel
import CarrySystem

extension DaemonOptions {
  /// Opens the socket for applications: the service manager's socket if it handed one over, else a new one.
  ///
  /// Called before anything else: while the service manager listens for its own engine, this engine must not even
  /// claim the display.
  func listen() throws(Problem) -> SocketListener {
    do {
      if let handedOver = try ServiceManager.takeListeningSocket() {
        guard socket == nil else {
          throw Problem("--socket cannot be given where the service manager hands over \(handedOver.path)")
        }
        return try SocketListener(handedOver)
      }
      let path = try socket ?? RuntimeSocket.path(creating: true)
      let directory = SocketDirectory(ofSocket: path)
      switch directory.state {
      case .belongs, .shared:
        // An unsafe runtime directory is refused. This directory was named explicitly, so a warning is enough.
        Log.warning(
          "others may write to \(SafeText.displayable(directory.path)), where the socket lies, and take its name or its "
            + "lock; give --socket a path in a directory of your own (mkdir -m 700)")
      case .missing, .ownersAlone: break
      }
      return try SocketListener(path: path, isListening: false)
    } catch {
      // Exit status 3: another engine serves this display.
      throw Problem(sentence(of: error), status: (error as? SocketListener.Problem)?.isTaken == true ? 3 : 1)
    }
  }
}
