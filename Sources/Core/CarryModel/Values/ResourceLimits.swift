/// What bounds the memory, threads and descriptors of a process besides what the protocol states. `docs/limits.md`
/// answers how much each process may hold.
extension Limits {
  // MARK: Memory: bytes of other programs' data, in the bridge or in a program that uses the clipboard

  /// Of all drags and pastes from X programs together, while they arrive and while they are forwarded.
  package static let incomingBytes = 576 << 20
  /// Of one conversion of an X program's data.
  package static let incomingBytesPerConversion = 256 << 20
  /// Kept of an X program's drag that the shelf may accept, without the data of files.
  package static let incomingBytesKept = 4 << 20
  /// Of addresses that are read from an X program.
  package static let incomingAddressBytes = 1 << 20
  /// Waiting to be read by X programs that receive data in parts (INCR); a program may use a quarter.
  package static let outgoingBytes = 512 << 20
  package static let outgoingTransfers = 64
  /// Unread in one X window's properties besides the newest, and how many such properties at all windows. They are the
  /// X server's memory.
  package static let unreadBytesPerWindow = 16 << 20
  package static let unreadProperties = 256
  /// Of one representation that an X program reads as data. Larger ones are available as files only.
  package static let offeredBytes = 128 << 20
  /// Kept of one drop for further requests of its target.
  package static let offeredBytesKept = 64 << 20
  /// Of addresses that are converted for an X program.
  package static let offeredAddressBytes = 16 << 20

  // MARK: Memory of every client

  /// Of requests that wait for the engine to read them.
  package static let outboxBytes = 16 << 20
  /// Reserved for a load before its bytes arrive.
  package static let reservedBytes = 64 << 20

  // MARK: Threads

  /// For work on files that may hang: in all, and for the files of one mount point.
  package static let blockingThreads = 64
  package static let blockingThreadsPerMount = 8
  /// For the streams of one drop: usually, and when streams hardly progress.
  package static let writersPerDrop = 8
  package static let slowWritersPerDrop = 160
  /// Representations of one drop that are loaded at a time for an X program.
  package static let offeredLoads = 8
  /// Folders that are copied at a time. Each needs two descriptors a level.
  package static let folderCopies = 4
  /// Readers of cancelled loads that a file system does not release.
  package static let abandonedReaders = 256
  /// For closing files that may hang, one for each owner.
  package static let closingThreads = 1024
  /// For processes that do not let themselves be read.
  package static let stuckProgramReadings = 256

  // MARK: Descriptors

  /// In requests that wait for the engine to read them: usually, and when descriptors are scarce.
  package static let outboxDescriptors = 128
  package static let fewOutboxDescriptors = 16
}
