import CLinux
import CarryModel
package import CarrySelections
import CarrySystem
import CarryXdnd

/// A file that another program saves where it is told to (XDS), as the program describes it before.
package struct ForeignSave: Sendable {
  package let name: String
  /// The media type that the name suggests.
  package let type: String

  /// What archive managers have in the place of a name: they want to know a folder, for files of other names.
  private static let noName = "xds.txt"

  /// How long a name is read, in bytes.
  package static let longest = 4096

  /// - Parameter bytes: the name, as it was read from a window of the program.
  /// - Returns: nil for a name that no file should have.
  package init?(named bytes: [UInt8]) {
    guard let text = String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self),
      let name = try? SafeText.fileName(text), name != Self.noName
    else { return nil }
    (self.name, type) = (name, TypeDatabase.guess(name))
  }
}

/// Has the owner of a selection save its file in a folder of ours (XDS): once, and who asks again gets the same file.
package final class ForeignSaver {
  /// What has come of it.
  enum Outcome {
    case file(OpenedFile)
    /// The owner could not save it, and has given its bytes.
    case bytes(ReceivedData)
    case nothing(IncomingData.Failure)
  }

  let file: ForeignSave
  private(set) var saved: OpenedFile?
  private let reader: SelectionReader
  private unowned let client: Client
  /// Writes the address of the file where the owner finds it.
  private let tell: (String) -> Void
  private var conversion: UInt32?
  /// Answers to what was cancelled are nobody's.
  private var round = 0

  /// How long a disk may take to make a folder or to open a file.
  private static let patience = Interval.seconds(10)

  package init(_ file: ForeignSave, _ reader: SelectionReader, _ client: Client, tell: @escaping (String) -> Void) {
    (self.file, self.reader, self.client, self.tell) = (file, reader, client, tell)
  }

  /// - Parameters:
  ///   - time: the source's own, or 0.
  ///   - bounds: of the bytes, if it comes to them, and of the owner's time.
  ///   - onSign: called whenever it goes on, with how many bytes have come.
  ///   - completion: called once, now or later. Not called after `cancel`.
  func save(
    time: UInt32, within bounds: IncomingData.Bounds, for group: DataBudget.Group,
    onSign: @escaping (Int) -> Void, completion: @escaping (Outcome) -> Void
  ) {
    if let saved { return completion(.file(saved)) }
    aside(TemporaryFolder.examplePath) {
      try? TemporaryFolder()
    } then: { [weak self] folder in
      guard let self else { return }
      guard let folder else { return completion(.nothing(.refused)) }
      tell(DirectSavePlace.address(ofPath: path(in: folder)))
      var short = bounds
      short.bytes = 16
      convert(to: XdndOffer.directSave, time, short, group, onPart: { _ in onSign(0) }) { [weak self] result in
        let answer = (try? result.get()).map { DirectSaveAnswer($0.bytes) } ?? .failed
        self?.answered(answer, folder, completion) { done in
          self?.convert(to: XdndOffer.anyBytes, time, bounds, group, onPart: onSign, done)
        }
        onSign(0)
      }
      // Whoever hears it may cancel, and what has begun by then ends.
      onSign(0)
    }
  }

  private func path(in folder: TemporaryFolder) -> String { "\(folder.folder.path)/\(file.name)" }

  private func answered(
    _ answer: DirectSaveAnswer, _ folder: TemporaryFolder, _ completion: @escaping (Outcome) -> Void,
    getBytes: (@escaping (Result<ReceivedData, IncomingData.Failure>) -> Void) -> Void
  ) {
    switch answer {
    case .failed: completion(.nothing(.refused))
    case .refused:
      getBytes { result in
        switch result {
        case .success(let data): completion(.bytes(data))
        case .failure(let why): completion(.nothing(why))
        }
      }
    case .saved:
      let (path, name) = (path(in: folder), file.name)
      aside(path) { () -> OpenedFile? in
        guard let file = try? folder.folder.openSaved(name) else { return nil }
        var status = stat()
        guard fstat(file.raw, &status) == 0 else { return nil }
        return OpenedFile(file, path: path, isOriginal: false, status, copy: folder)
      } then: { [weak self] file in
        self?.saved = file
        completion(file.map { .file($0) } ?? .nothing(.refused))
      }
    }
  }

  private func convert(
    to type: String, _ time: UInt32, _ bounds: IncomingData.Bounds, _ group: DataBudget.Group,
    onPart: @escaping (Int) -> Void, _ completion: @escaping (Result<ReceivedData, IncomingData.Failure>) -> Void
  ) {
    conversion = reader.convert(
      to: type, time: time, within: bounds, for: group, at: MonotonicClock.now(), onPart: onPart
    ) { [weak self] result in
      self?.conversion = nil
      completion(result)
    }
  }

  /// Runs what may wait for a disk on another thread.
  private func aside<T: Sendable>(
    _ path: String, _ work: @escaping @Sendable () -> T?, then completion: @escaping (T?) -> Void
  ) {
    let mine = round
    let runs = client.runAside(lookingAt: [path], for: Self.patience, work) { [weak self] result in
      if self?.round == mine { completion(result ?? nil) }
    }
    if !runs { completion(nil) }
  }

  /// Nobody waits for the file any more.
  func cancel() {
    round += 1
    if let conversion { reader.cancel(conversion) }
    conversion = nil
  }
}
