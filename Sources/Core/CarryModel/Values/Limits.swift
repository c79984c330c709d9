/// The limits of the protocol, and what the engine and its companions agree on. A client that exceeds a limit receives
/// an error, not more memory.
package enum Limits {
  package static let typesPerItem = 32
  /// Items that the shelf keeps at a time, including those that are only retained for drags under way.
  package static let keptItems = 64
  /// Kept items that came with foreign drags; the bridge holds their data.
  package static let keptForeignItems = 16
  package static let itemsPerSession = 128
  package static let sessions = 10
  /// Sessions among these of foreign applications: each needs a mouse, and most desktops have one.
  package static let foreignSessions = 2
  /// Places of one window that are reported to the bridge; if there are more, it gets one that encloses them all.
  package static let dropPlaces = 128
  /// Sessions that have ended on the screen and only wait for data.
  package static let transferringSessions = 64
  package static let regionsPerClient = 4096
  package static let regions = 16384
  package static let clients = 256
  package static let unauthenticatedClients = 64
  /// Clients of one process, so that no program can use up all connections.
  package static let clientsPerProcess = 128
  package static let unauthenticatedClientsPerProcess = 16
  package static let regionsPerProcess = 8192
  package static let monitorsPerProcess = 16
  package static let monitorsPerClient = 8
  package static let monitors = 64
  package static let managersPerClient = 16
  /// Protocol objects of a client at a time, of all kinds together.
  package static let objectsPerClient = 8192
  /// The highest number that a client may give to an object of its own. Numbers are reused.
  package static let objectNumber = 65_535
  /// Requests of a client that wait until the X server has answered about a window. No useful program has more.
  package static let unsettledRequests = 32_768
  /// How long the engine waits for a region's window to exist, and for how many such windows of a client at a time.
  package static let awaitedSeconds = 5.0
  package static let awaitedWindowsPerClient = 64
  /// Descriptors that wait for the message that they belong to: of one client, and of all.
  package static let waitingDescriptorsPerClient = 64
  package static let waitingDescriptors = 512
  /// Descriptors reserved for connected clients; new clients have to wait before these are used.
  package static let reservedDescriptors = 32
  /// Bytes of messages queued for a client beyond what the kernel buffers.
  package static let queuedBytes = 256 << 10
  /// Descriptors in those messages.
  package static let queuedDescriptors = 64
  /// Files of one process whose closing waits for a file system.
  package static let closingFiles = 64
  /// Bytes of names, types and ancestors that describe a session to a destination.
  package static let descriptionBytes = 128 << 10
  package static let helloSeconds = 2.0
  /// The same for the engine's own bridge, whose process has only just started.
  package static let bridgeHelloSeconds = 20.0
  /// Bytes of UTF-8 in a media type.
  package static let typeBytes = 127
  /// Team data (I16): bytes of one item, of one message with a piece of it, and of all items that the library describes.
  package static let teamDataBytes = 8192
  package static let teamDataPiece = 2048
  package static let teamDataPerClient = 4 << 20
  /// Bytes of the names, types, references, team data, outlines and links of a process's items and previews, and of all
  /// processes together. Each process may always use `heldBytesInAnyCase`, however full that is.
  package static let heldBytesPerProcess = 16 << 20
  package static let heldBytes = 128 << 20
  package static let heldBytesInAnyCase = 1 << 20
  /// Bytes of UTF-8 in a name: the usual limit of file systems.
  package static let nameBytes = 255
  /// Bytes of UTF-8 in the path of an original file.
  package static let pathBytes = 3072
  /// Bytes of UTF-8 in an item's reference for a file provider.
  package static let referenceBytes = 1024
  /// How long a file provider may take to become ready, and how long it stays without work.
  package static let providerStartSeconds = 5.0
  package static let providerIdleSeconds = 30.0
  /// File providers that run at a time.
  package static let providers = 16
  package static let itemsPerClient = 1024
  package static let loadsPerItem = 64
  /// How long a client waits for the engine's first answer.
  package static let connectSeconds = 5.0
  /// How many regions may spring open in succession under a resting finger.
  package static let springDepth = 8
  /// Fingers that touch a carried stack and may take it over.
  package static let joinedFingers = 8
  /// How long a source or destination may leave a question unanswered.
  package static let answerSeconds = 2.0
  /// Applications that can be lifted out of, and bytes of the longest name of one (Z23).
  package static let liftApplications = 32
  package static let applicationNameBytes = 64
  /// How long a lift out of another application may take, from the long press until its data has arrived (Z23).
  package static let foreignLift = Interval.milliseconds(3000)
  /// How much longer than usual a touch is held where the engine first has to find out whether something lifts (Z23).
  package static let foreignTrial = Interval.milliseconds(510)
  /// How much longer than usual a touch is held once its lift has begun, so that no lift is lost while a source, the
  /// engine or the X server is briefly busy.
  package static let slowLift = Interval.seconds(1)
  /// How long the accessibility tree may take to forbid a lift. It is part of `foreignTrial`.
  package static let accessibilityAnswer = Interval.milliseconds(60)
  /// Bytes of data that are kept for a lift out of another application (Z23).
  package static let foreignLiftBytes = 8 << 20
  /// How long descriptors may wait to be delivered, and a transfer may make no progress.
  package static let transferSeconds = 30.0
  /// Pixels per side of a picture that a client provides, of a part of a window, and of the bounding box of a path.
  package static let previewSide = 2048
  /// Pixels of all the pictures of a session together.
  package static let previewPixelsPerSession = 8 << 20
  /// The size of a link's card as the engine draws it at 96 dpi, in pixels: with one line, or two.
  package static func linkCard(hasTitle: Bool) -> (width: Double, height: Double) { (264, hasTitle ? 60 : 44) }
  package static let previewsPerClient = 256
  package static let pictureBytesPerClient = 64 << 20
  /// Bytes of all clients' pictures together. Each client may always use `pictureBytesInAnyCase`, however full that
  /// is.
  package static let pictureBytes = 256 << 20
  package static let pictureBytesInAnyCase = 2 << 20
  /// Pictures that a client may provide at once, and per second after that. Each picture is a copy in the X server,
  /// and for pixmaps and foreign windows the engine waits for the server's reply. Each `pixelsPerPicture` of a picture
  /// count as one.
  package static let picturesAtOnce = 256.0
  package static let picturesPerSecond = 480.0
  package static let pixelsPerPicture = 512 * 512
  /// Up to this number, items are asked for their previews one by one, unless the settings say otherwise (K3).
  package static let fewItems = 10
}
