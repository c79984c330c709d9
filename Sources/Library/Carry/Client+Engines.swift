import CarryModel
import CarrySystem
import CarryWireClient

/// Connecting to successive engines.
extension Client {
  /// Runs a function that uses the connection. A client that reconnects survives the loss of the connection here.
  func survive(_ body: () throws(WireConnection.Problem) -> Void) throws(ClientError) {
    do throws(WireConnection.Problem) { try body() } catch {
      guard reconnects, !isClosed, case .lost = error else {
        // For monitors, all sessions have ended nonetheless.
        if case .lost = error { hasLostEngine = true }
        if case .lost = error { for monitor in monitors.values { monitor.monitor?.lost() } }
        throw ClientError(error.sentence)
      }
      lose(error.sentence)
      // A callback may have closed the client.
      if !isClosed { try awaitEngine() }
    }
  }

  /// Drops everything that the engine held; everything that belongs to the application remains.
  func lose(_ why: String) {
    guard let lost = wire else { return }
    wire = nil
    connectionProblem = why
    describedPreviews = []
    for region in regions.values { region.lost() }
    lost.close(telling: true)
    for monitor in monitors.values { monitor.monitor?.lost() }
    onConnectionChanged?(false)
  }

  func awaitEngine(after pause: Interval = .milliseconds(50)) throws(ClientError) {
    do {
      if watch == nil {
        let watch = try EngineWatch(path)
        for fd in watch.descriptors { listen(to: fd) }
        self.watch = watch
      }
    } catch {
      throw ClientError(error.sentence)
    }
    watch?.start(after: pause)
  }

  /// Begins to connect; returns the problem if that fails.
  @discardableResult
  func connect() -> WireConnection.Problem? {
    do throws(WireConnection.Problem) {
      if attempts == nil {
        do throws(SystemError) { attempts = try ConnectionAttempts() } catch { throw .system(error) }
        if let attempts { listen(to: attempts.descriptor) }
      }
      let wire = try WireConnection(beginning: path, name: name)
      listen(to: wire)
      pending = wire
      // Sends the messages that begin a connection.
      try wire.flush()
      attempts?.begin()
      return nil
    } catch {
      connectionProblem = error.sentence
      pending?.close()
      pending = nil
      return error
    }
  }

  func turnConnection() throws(ClientError) {
    // The watch is read even while a connection is being made.
    if watch?.turn() == true, wire == nil, pending == nil, connect() != nil {
      return try awaitEngine(after: attempts?.fail() ?? ConnectionAttempts.pause(after: 10))
    }
    guard let pending else { return }
    do throws(WireConnection.Problem) {
      try pending.dispatch()
      if !pending.isWelcome, attempts?.isOver == true { throw .silent(path: path) }
    } catch {
      pending.close()
      self.pending = nil
      connectionProblem = error.sentence
      // An engine that is just exiting closes the connection too, which needs no warning. A silent engine needs
      // attention.
      if case .silent = error { Warning.say(error.sentence) }
      return try awaitEngine(after: attempts?.fail() ?? ConnectionAttempts.pause(after: 10))
    }
    guard pending.isWelcome else { return }
    attempts?.succeed()
    self.pending = nil
    wire = pending
    watch = nil
    connectionProblem = nil
    // In stacking order.
    for region in regions.values.sorted(by: { $0.order < $1.order }) { region.connected() }
    for monitor in monitors.values { monitor.monitor?.connected() }
    onConnectionChanged?(true)
  }
}
