import CLinux
import CarryModel
package import CarrySelections
import CarrySystem
import CarryXdnd

/// A file that another program saves at a given place (XDS), as the program describes it in advance.
package struct ForeignSave: Sendable {
  package let name: String
  /// The media type that the name suggests.
  package let type: String

  /// A placeholder name of archive managers: they ask for a folder, for files with other names.
  private static let noName = "xds.txt"

  /// The maximum length of a name in bytes.
  package static let longest = 4096

  /// - Parameter bytes: the name, as read from a window of the program.
  /// - Returns: nil for a name that no file should have.
  package init?(named bytes: [UInt8]) {
    guard let text = String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self),
      let name = try? SafeText.fileName(text), name != Self.noName
    else { return nil }
    (self.name, type) = (name, TypeDatabase.guess(name))
  }
}

/// Makes the owner of a selection save its file in a temporary folder (XDS): once, and later requests get the same
/// file.
package final class ForeignSaver {
  /// The result of a save.
  enum Outcome {
    case file(OpenedFile)
    /// The owner could not save it, and has sent its bytes.
    case bytes(ReceivedData)
    case nothing(IncomingData.Failure)
  }

  let file: ForeignSave
  private(set) var saved: OpenedFile?
  private let reader: SelectionReader
  private unowned let client: Client
  /// Writes the address of the file where the owner reads it.
  private let tell: (String) -> Void
  private var conversion: UInt32?
  /// Distinguishes the current save from cancelled ones, whose answers are ignored.
  private var round = 0

  /// How long a disk may take to create a folder or to open a file.
  private static let patience = Interval.seconds(10)

  package init(_ file: ForeignSave, _ reader: SelectionReader, _ client: Client, tell: @escaping (String) -> Void) {
    (self.file, self.reader, self.client, self.tell) = (file, reader, client, tell)
  }

  /// - Parameters:
  ///   - time: the source's own timestamp, or 0.
  ///   - bounds: the limits for the bytes, if they are needed, and for the owner's time.
  ///   - onSign: called with each progress, with the number of bytes received.
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
      // This callback may cancel, which ends everything begun so far.
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
      to: [.init(type, .none)], time: time, within: bounds, for: group, at: MonotonicClock.now(), onPart: onPart
    ) { [weak self] result in
      self?.conversion = nil
      completion(result)
    }
  }

  /// Runs work that may wait for a disk on another thread.
  private func aside<T: Sendable>(
    _ path: String, _ work: @escaping @Sendable () -> T?, then completion: @escaping (T?) -> Void
  ) {
    let mine = round
    let runs = client.runBlocking(lookingAt: [path], for: Self.patience, work) { [weak self] result in
      if self?.round == mine { completion(result ?? nil) }
    }
    if !runs { completion(nil) }
  }

  /// Cancels the save: the file is no longer wanted.
  func cancel() {
    round += 1
    if let conversion { reader.cancel(conversion) }
    conversion = nil
  }
}
