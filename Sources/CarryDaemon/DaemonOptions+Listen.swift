import CarryModel
import CarrySystem

extension DaemonOptions {
  /// The socket that applications find: the service manager's when it handed one over, else one of our own.
  ///
  /// The first thing that is done: where the service manager listens for its engine, this one must not even take the
  /// display.
  func listen() throws(Daemon.StartProblem) -> SocketListener {
    do {
      if let handedOver = try ServiceManager.takeListeningSocket() {
        guard socket == nil else {
          throw Daemon.StartProblem(
            sentence: "--socket cannot be given where the service manager hands over \(handedOver.path)", status: 1)
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
    } catch let e as Daemon.StartProblem {
      throw e
    } catch let e as ServiceManager.Problem {
      throw Daemon.StartProblem(sentence: e.sentence, status: 1)
    } catch let e as SocketListener.Problem {
      throw Daemon.StartProblem(sentence: e.sentence, status: e.isTaken ? 3 : 1)
    } catch {
      throw Daemon.StartProblem(sentence: (error as? SystemError)?.sentence ?? "\(error)", status: 1)
    }
  }
}
