public import CCarry
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
  _ name: UnsafePointer<CChar>?, _ provide: carry_provider_func?, _ user_data: UnsafeMutableRawPointer?
) -> Int32 {
  status { () throws(Failure) in
    let name = try text(name, "the name")
    guard let provide else { throw .argument("the callback is NULL") }
    do throws(ClientError) {
      let provider = try FileProvider(name: name) { wish in
        let request = RequestHandle(wish.request)
        request.keep()
        wish.reference.withCString { reference in
          wish.type.withCString { provide(user_data, request.pointer, reference, $0) }
        }
      }
      try provider.run()
    } catch {
      throw Failure(CARRY_ERROR_CONNECTION, error.description)
    }
  }
}
