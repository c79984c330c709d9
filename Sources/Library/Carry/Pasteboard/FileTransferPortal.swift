import CLinux
import CPortal
package import CarryModel
import CarrySystem
import CarryXdnd

/// Transfers files to and from sandboxed programs, which see only those files of their users that are passed to them:
/// the FileTransfer portal does that.
package struct FileTransferPortal {
  private let client: Client
  /// The address of the bus.
  private let address: String
  /// The timeout of a call to the portal, which may have to be started first.
  private let patience: Interval

  /// The place for threads that wait for the bus.
  private static let place = "session bus"
  /// The keys of a portal are numbers so far.
  private static let longestKey = 255

  /// Nil if there is no bus.
  ///
  /// - Parameters:
  ///   - address: the address of the bus; nil for the session bus.
  ///   - patience: the timeout for an answer of the portal.
  package init?(_ client: Client, address: String? = nil, patience: Interval = .seconds(10)) {
    guard let address = address ?? Self.busAddress else { return nil }
    (self.client, self.address, self.patience) = (client, address, patience)
  }

  /// The address of a running bus; none is started here.
  private static var busAddress: String? {
    if let named = environment("DBUS_SESSION_BUS_ADDRESS"), !named.isEmpty { return named }
    guard let runtime = environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") else { return nil }
    let path = runtime + "/bus"
    return Files.exists(path) && path.utf8.allSatisfy(Self.isPlain) ? "unix:path=" + path : nil
  }

  /// Whether a byte needs no escaping in an address.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Offers files to the program that presents the key.
  ///
  /// The portal gets the files that were opened, and no path: a link could have taken a file's place since.
  ///
  /// - Parameter completion: called once, now or later, with the key; nil if the portal does not accept the files,
  ///   such as folders.
  package func offer(_ files: [OpenedFile], completion: @escaping (String?) -> Void) {
    guard !files.isEmpty else { return completion(nil) }
    ask({ [address] in Self.offer(files, at: address, timeout: $0) }, completion)
  }

  /// Fetches the files of a key, which is valid once.
  ///
  /// - Parameters:
  ///   - key: the key from another program.
  ///   - completion: called once, now or later, with a list of addresses; nil if there are none.
  package func fetch(_ key: [UInt8], completion: @escaping ([UInt8]?) -> Void) {
    // GTK appends a zero.
    guard key.count <= Self.longestKey,
      let text = String(validating: key.prefix { $0 != 0 }, as: UTF8.self), !text.isEmpty
    else { return completion(nil) }
    ask({ [address] in Self.fetch(text, at: address, timeout: $0) }) { paths in
      completion(paths.map { XdndData.list($0.compactMap { FileLink(path: $0)?.address }) })
    }
  }

  private func ask<T: Sendable>(
    _ question: @escaping @Sendable (_ timeout: CInt) -> Result<T, Refusal>, _ completion: @escaping (T?) -> Void
  ) {
    let timeout = CInt(clamping: patience.microseconds / 1000)
    let isAsking = client.runBlocking(lookingAt: [Self.place], for: patience) {
      question(timeout)
    } then: { answer in
      if case .failure(let refusal) = answer { Log.info("the FileTransfer portal: \(refusal.why)") }
      completion(try? answer?.get())
    }
    if !isAsking { completion(nil) }
  }

  // MARK: On a thread of its own

  /// Why the portal refuses, as a clause.
  private struct Refusal: Error { var why: String }

  private static func refusal(_ problem: inout cportal_problem) -> Refusal {
    Refusal(
      why: withUnsafeBytes(of: &problem.text) {
        SafeText.displayable(String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self))
      })
  }

  private static func offer(_ files: [OpenedFile], at address: String, timeout: CInt) -> Result<String, Refusal> {
    var problem = cportal_problem()
    var copies: [CInt] = []
    defer { for copy in copies { close(copy) } }
    for file in files {
      do {
        copies.append(try Descriptor.open("/proc/self/fd/\(file.descriptor)", clinux_o_path()).release())
      } catch { return .failure(Refusal(why: error.sentence)) }
    }
    guard let key = withExtendedLifetime(files, { cportal_offer(address, copies, copies.count, timeout, &problem) })
    else { return .failure(refusal(&problem)) }
    defer { free(key) }
    return .success(String(cString: key))
  }

  private static func fetch(_ key: String, at address: String, timeout: CInt) -> Result<[String], Refusal> {
    var problem = cportal_problem()
    var count = 0
    guard let paths = cportal_fetch(address, key, timeout, &count, &problem) else { return .failure(refusal(&problem)) }
    defer { free(paths) }
    let bytes = UnsafeRawBufferPointer(start: paths, count: count)
    return .success(bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
  }
}
