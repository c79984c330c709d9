/// Where the repository's tests are.
enum Paths {
  static let tests: String = {
    // …/Tests/CarryEvdevTests/Paths.swift
    let parts = #filePath.split(separator: "/").dropLast(2)
    return "/" + parts.joined(separator: "/")
  }()
}
