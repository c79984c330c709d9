public import CCarry
import CLinux
import Carry
import CarryModel

/// See carry.h.
@c @implementation
public func carry_item_set_reference(_ item: OpaquePointer?, _ reference: UnsafePointer<CChar>?) -> Int32 {
  status { () throws(Failure) in
    let provider = try object(item, ItemHandle.self).provider
    let reference = try text(reference, "the reference")
    guard reference.utf8.count <= Limits.referenceBytes else {
      throw Failure(CARRY_ERROR_LIMIT, "a reference has at most \(Limits.referenceBytes) bytes")
    }
    provider.fileProviderReference = reference
  }
}

/// See carry.h.
@c @implementation
public func carry_provider_run(
  _ name: UnsafePointer<CChar>?, _ provide: carry_provider_func?, _ other: Int32,
  _ readable: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?, _ user_data: UnsafeMutableRawPointer?
) -> Int32 {
  status { () throws(Failure) in
    let name = try text(name, "the name")
    guard let provide else { throw .argument("the callback is NULL") }
    guard other < 0 || clinux_get_status_flags(other) >= 0 else { throw .argument("\(other) is no open descriptor") }
    do throws(ClientError) {
      let provider = try FileProvider(name: name) { request, reference in
        let handle = RequestHandle(request)
        handle.keep()
        reference.withCString { reference in
          request.type.withCString { provide(user_data, handle.pointer, reference, $0) }
        }
      }
      guard let readable else { return try provider.run() }
      try provider.run(alsoWatching: other < 0 ? nil : other) { readable(user_data) }
    } catch {
      throw Failure(CARRY_ERROR_CONNECTION, error.description)
    }
  }
}
