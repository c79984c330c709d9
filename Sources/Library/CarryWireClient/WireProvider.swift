package import CarryModel
import CWayland
import CWaylandClient

/// The engine's requests to a file provider.
package enum WireProviderEvent: WireEvent {
  /// To be answered with the data that the application has promised.
  ///
  /// - Parameter session: loads of one drop have the same number.
  case provide(WireProvision, reference: String, type: String, LoadForm, session: UInt32)
  case lost
}

/// A file provider's end of its connection.
package final class WireProvider: WireEventSource<WireProviderEvent> {
  override package func unhandled(_ event: WireProviderEvent) {
    if case .provide(let provision, _, _, _, _) = event { provision.fail("the file provider serves no more") }
  }

  override func listen(_ proxy: OpaquePointer) { carry_provider_add_listener(proxy, Self.listener.pointer, data) }

  private static let listener = ListenerTable(
    carry_provider_listener(
      provide: { data, _, provision, reference, type, form, session in
        guard let provision, let o = target(data, WireProvider.self) else { return }
        o.deliver(
          .provide(
            WireProvision(provision, o.objects), reference: string(reference), type: string(type),
            LoadForm(rawValue: form) ?? .data, session: session))
      }))
}
