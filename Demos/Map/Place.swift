import Carry

/// A place on the earth.
struct Place: Equatable {
  /// Degrees.
  let latitude, longitude: Double
  let name: String?

  init?(latitude: Double, longitude: Double, name: String? = nil) {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
    (self.latitude, self.longitude, self.name) = (latitude, longitude, name)
  }
}

/// GeoJSON before links: it also says what the place is called.
extension Place: ItemProviderReading {
  static let readableTypesForItemProvider = ["application/geo+json", "text/uri-list"]

  private struct NoPlace: Error, CustomStringConvertible { let description = "It names no place" }
  private static let longest = 65_536

  init(itemProviderData data: [UInt8], type: String) throws {
    guard data.count <= Self.longest else { throw NoPlace() }
    let text = String(decoding: data, as: UTF8.self)
    guard let place = type == "text/uri-list" ? Place(link: text) : Place(geoJSON: text) else {
      throw NoPlace()
    }
    self = place
  }

  /// From `geo:46.36,14.09`, as RFC 5870 has it; an altitude and parameters may follow.
  init?(link text: String) {
    let lines = text.split(whereSeparator: \.isNewline)
    guard let line = lines.first(where: { $0.lowercased().hasPrefix("geo:") }) else { return nil }
    let numbers = line.dropFirst(4).prefix { $0 != ";" }.split(separator: ",").map { Double($0) }
    guard numbers.count >= 2, let latitude = numbers[0], let longitude = numbers[1] else {
      return nil
    }
    self.init(latitude: latitude, longitude: longitude)
  }

  /// From a feature that is a point. This reads what a point has, and is no parser for all of JSON.
  init?(geoJSON text: String) {
    guard let key = text.firstRange(of: "\"coordinates\""),
      let start = text[key.upperBound...].firstIndex(of: "["),
      let end = text[start...].firstIndex(of: "]")
    else { return nil }
    let numbers = text[text.index(after: start)..<end].split(separator: ",")
      .map { part in Double(String(part.filter { !$0.isWhitespace })) }
    guard numbers.count >= 2, let longitude = numbers[0], let latitude = numbers[1] else {
      return nil
    }
    self.init(latitude: latitude, longitude: longitude, name: Self.string("name", in: text))
  }

  private static func string(_ key: String, in text: String) -> String? {
    guard let name = text.firstRange(of: "\"\(key)\"") else { return nil }
    let rest = text[name.upperBound...].drop { $0.isWhitespace || $0 == ":" }
    guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
    let value = rest[rest.index(after: rest.startIndex)..<end].filter {
      $0 != "\\" && !$0.isNewline
    }
    return value.isEmpty ? nil : String(value.prefix(60))
  }
}
