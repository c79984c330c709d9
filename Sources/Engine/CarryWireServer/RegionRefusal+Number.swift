import CWaylandServer
import CarryModel

extension RegionRefusal {
  /// The protocol's number.
  var raw: UInt32 {
    switch self {
    case .notYours: CARRY_REGION_REFUSAL_NOT_YOURS.rawValue
    case .noWindow, .notThere: CARRY_REGION_REFUSAL_NO_WINDOW.rawValue
    case .tooMany: CARRY_REGION_REFUSAL_TOO_MANY.rawValue
    }
  }
}
