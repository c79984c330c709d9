extension Region {
  /// Pastes the clipboard's content: `onPaste` is called with the items that match `pasteConfiguration`, after this
  /// has returned. If no item matches, `onPaste` is not called.
  ///
  /// - Parameter completion: called once on the client's thread, after `onPaste`, with the number of accepted items.
  /// - Throws: `ClientError` if the X display cannot be reached.
  public func paste(completion: ((_ count: Int) -> Void)? = nil) throws(ClientError) {
    try client.pasteboard.loadItemProviders { [weak self] providers in
      let count = self?.take(pasted: providers) ?? 0
      completion?(count)
    }
  }

  /// Returns whether any of some items match `pasteConfiguration`, such as those of `Pasteboard.loadItemProviders`.
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

  /// Ends the session of a paste, which lasts until the next one.
  func endPaste() {
    lastPaste?.end()
    lastPaste?.attachment = nil
    lastPaste = nil
  }
}
