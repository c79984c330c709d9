import CarryLoop
import CarryModel
import CarrySystem
import CWayland
import CWaylandServer

/// The file provider of one program: its number as an owner of items, its process while one is needed, and its
/// pending work.
final class ProviderHelper {
  /// A load not yet requested from the process.
  struct Wish {
    var transfer: TransferID
    var session: SessionID
    var reference: String
    var type: String
    var form: LoadForm
  }

  /// The owner of the items in the session engine. The process's connection has the same number.
  let id: ClientID
  let program: String
  /// The path of its executable, according to the current manifest.
  var path: String
  var life = HelperLife()
  var process: HelperProcess?
  var exitWatch: EventLoop.Source?
  weak var client: WireClient?
  /// The process's object; nil until it is ready.
  weak var object: ProviderObject?
  /// Loads that wait until the process is ready.
  var queue: [Wish] = []
  /// The unfinished loads.
  var transfers: Set<TransferID> = []
  /// Whether the process has left a load unanswered.
  var hangs = false
  /// The last complaint logged, so that each is logged only once.
  private var said: String?

  init(_ id: ClientID, program: String, path: String) {
    (self.id, self.program, self.path) = (id, program, path)
  }

  func complain(_ why: String) {
    if said != why { Log.warning("the file provider of \(program), \(SafeText.displayable(path)): \(why)") }
    said = why
  }

  /// The process has served without a fault.
  func forgetComplaint() { said = nil }
}

/// The protocol object through which a file provider receives requests.
final class ProviderObject: WireObject {
  private weak var helper: ProviderHelper?

  init(_ client: WireClient, _ helper: ProviderHelper) {
    self.helper = helper
    super.init(client)
  }

  override func destroyed() {
    guard let helper, helper.object === self else { return }
    helper.object = nil
    if !client.isGone { client.server.isAtFault(helper, "it serves no more") }
  }

  /// Requests a representation.
  func ask(_ wish: ProviderHelper.Wish) {
    guard let resource,
      let provision = WireObject.attach(
        ProvisionObject(client, wish.transfer, wish.form), id: 0, interface: cwayland_provision(),
        requests: ProvisionObject.requests.raw)
    else { return }
    client.server.provisions[wish.transfer] = provision
    carry_provider_send_provide(
      resource, provision.resource, wish.reference, wish.type, wish.form.rawValue, wish.session.raw)
  }

  static let requests = RequestTable(
    carry_provider_interface(destroy: { _, resource in wl_resource_destroy(resource) }))
}
