import CarryModel
import CarrySystem

extension DaemonOptions {
  /// The socket that applications find: the service manager's when it handed one over, else one of our own.
  ///
  /// The first thing that is done: where the service manager listens for its engine, this one must not even take the
  /// display.
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
        // A runtime directory would have been refused; this one has been named by somebody.
        Log.warning(
          "others may write to \(SafeText.displayable(directory.path)), where the socket lies, and take its name or its "
            + "lock; give --socket a path in a directory of your own (mkdir -m 700)")
      case .missing, .ownersAlone: break
      }
      return try SocketListener(path: path, isListening: false)
    } catch {
      // 3: another engine serves.
      throw Problem(sentence(of: error), status: (error as? SocketListener.Problem)?.isTaken == true ? 3 : 1)
    }
  }
}
