import CarryLoop
import CarryModel
import CarrySystem
import CWayland
import CWaylandServer

/// F1: the file provider of one program: a number as an owner of items, a process while one is needed, and what it is to do.
final class ProviderHelper {
  /// A load that the process is not asked for yet.
  struct Wish {
    var transfer: TransferID
    var session: SessionID
    var reference: String
    var type: String
    var form: LoadForm
  }

  /// The owner of the items, as the session engine knows it. The process's connection has the same number.
  let id: ClientID
  let program: String
  /// The path of its executable, as the manifest says now.
  var path: String
  var life = HelperLife()
  var process: HelperProcess?
  var exitWatch: EventLoop.Source?
  weak var client: WireClient?
  /// The process's object; nil until it is ready.
  weak var object: ProviderObject?
  /// What waits until the process is ready.
  var queue: [Wish] = []
  /// The loads that are not over.
  var transfers: Set<TransferID> = []
  /// Whether the process has left a load without an answer.
  var hangs = false
  /// The complaint that was logged last: each is logged once.
  private var said: String?

  init(_ id: ClientID, program: String, path: String) {
    (self.id, self.program, self.path) = (id, program, path)
  }

  func complain(_ why: String) {
    if said != why { Log.warning("the file provider of \(program), \(SafeText.displayable(path)): \(why)") }
    said = why
  }

  /// The process has served for as long as it was needed.
  func forgetComplaint() { said = nil }
}

/// What a file provider's process is asked with.
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

  /// Asks for a representation.
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
