extension Region {
  /// Pastes what the clipboard holds: `onPaste` is called with what `pasteConfiguration` takes of it, after this has
  /// returned. If it takes nothing of it, `onPaste` is not called.
  ///
  /// - Parameter completion: called once on the client's thread, after `onPaste`, with how many items were taken.
  /// - Throws: `ClientError` when the X display cannot be reached.
  public func paste(completion: ((_ count: Int) -> Void)? = nil) throws(ClientError) {
    try client.pasteboard.loadItemProviders { [weak self] providers in
      let count = self?.take(pasted: providers) ?? 0
      completion?(count)
    }
  }

  /// Whether `pasteConfiguration` takes any of some items, such as those of `Pasteboard.loadItemProviders`.
  public func canPaste(_ providers: [ItemProvider]) -> Bool {
    guard let pasteConfiguration else { return false }
    return providers.contains { $0.bestType(conformingTo: pasteConfiguration.acceptableTypes) != nil }
  }

  private func take(pasted providers: [ItemProvider]) -> Int {
    guard canPaste(providers), let pasteConfiguration, let onPaste else { return 0 }
    let accepted = providers.filter { $0.bestType(conformingTo: pasteConfiguration.acceptableTypes) != nil }
    endPaste()
    let session = DropSession(pasting: providers, in: self)
    lastPaste = session
    session.isPerforming = true
    onPaste(accepted, session)
    session.isPerforming = false
    return accepted.count
  }

  /// The session of a paste lasts until the next one.
  func endPaste() {
    lastPaste?.end()
    lastPaste?.attachment = nil
    lastPaste = nil
  }
}
