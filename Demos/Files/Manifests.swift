import DemoKit

/// What the system says of the demos that have documents.
enum Manifests {
  /// Writes those that are not there yet.
  static func write(to folder: String) {
    Program.makeFolders(folder)
    for (program, name) in [("carry-customers", "Customers"), ("carry-search", "Search")] {
      let manifest = """
        executable = \(Program.folder)/\(program)
        name = \(name)
        file-provider = \(Program.folder)/carry-demo-files

        """
      let path = "\(folder)/org.carry.demos.\(name).conf"
      guard Program.exists(path) || Program.create(path, Array(manifest.utf8)) else {
        Program.fail("\(path) cannot be written")
      }
    }
  }
}
