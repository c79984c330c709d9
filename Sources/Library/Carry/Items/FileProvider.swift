import CLinux
import CarryModel
import CarrySystem
import CarryWireClient

/// The helper program of an application, which provides data for the application's items even after the application
/// has ended.
///
/// ```swift
/// let provider = try FileProvider(name: "Customers' files") { request, reference in
///   request.answer(.success(.file(path: "/srv/customers/" + reference)))
/// }
/// try provider.run()
/// ```
///
/// The application's manifest in the system's directory names the program: `file-provider =
/// /usr/libexec/customers-files`. The engine starts the program when a destination loads an item with an
/// `ItemProvider.fileProviderReference`, and ends it with SIGTERM after 30 idle seconds. Not thread-safe: use it on
/// one thread.
public final class FileProvider {
  private let client: Client
  private let object: WireProvider

  /// Connects the process as a file provider. Call it within five seconds of the program's start.
  ///
  /// - Parameters:
  ///   - name: the name shown in the log; at most 255 bytes.
  ///   - handler: called by `run()` for each load. It answers the request, now or later; the engine ends a provider
  ///     that neither answers nor reports progress for 30 seconds. `reference` is the item's
  ///     `ItemProvider.fileProviderReference`. Any application of the manifest may have written it, and a user may run
  ///     such an application for another purpose: check it as you check a file name.
  /// - Throws: `ClientError` if the engine has not started the program.
  public init(
    name: String, handler: @escaping (_ request: ItemRequest, _ reference: String) -> Void
  ) throws(ClientError) {
    let client = try Client(name: name, opened: try Self.takeSocket())
    guard let object = client.wire?.makeProvider() else { throw ClientError("there is no engine") }
    self.client = client
    self.object = object
    let drops = ServedDrops()
    object.onEvent = { [unowned client] event in
      guard case .provide(let wire, let reference, let type, let form, let session) = event else { return }
      handler(Provision(wire, as: form, client, drops.streams(of: session)).request(type, []), reference)
    }
    try client.flush()
  }

  /// Serves requests until the engine closes the connection, or until `stop()` is called. A program with other
  /// descriptors to watch passes one of them; see `Client.run`.
  ///
  /// - Throws: `ClientError` if the engine closes the connection because of a protocol error.
  public func run(alsoWatching other: Int32? = nil, _ body: (() -> Void)? = nil) throws(ClientError) {
    do { try client.run(alsoWatching: other, body) } catch { if !client.hasLostEngine { throw error } }
  }

  /// Makes `run()` return after the current turn.
  public func stop() { client.stop() }

  /// The connection that the engine has opened for this process. Usable once.
  private static func takeSocket() throws(ClientError) -> Descriptor {
    let variable = HelperProcess.variable
    guard let text = getenv(variable).flatMap({ String(validatingCString: $0) }), let fd = CInt(text), fd > 2,
      SocketListener.peer(of: fd) != nil
    else {
      throw ClientError("$\(variable) names no socket: a file provider is started by the engine, as its manifest says")
    }
    unsetenv(variable)
    _ = clinux_set_close_on_exec(fd)
    return Descriptor(owning: fd)
  }
}
