import Carry
import DemoKit

/// The demos' file provider: it serves their documents when the apps have ended, or have never run.
@main enum Main {
  private struct NoSuchDocument: Error, CustomStringConvertible {
    let description = "there is no such document"
  }

  nonisolated static func main() {
    let options = Program.options(
      CommandLine.arguments,
      help: """
        usage: carry-demo-files --manifests DIR

        The file provider of the demos. carryd starts it, without arguments, when a document is wanted of an app that has
        a manifest.

          --manifests DIR        write the manifests of the demos that have documents into this folder, for
                                 'carryd --manifests DIR'
          --help                 this text
        """, values: ["--manifests"])
    if let folder = options.values["--manifests"] { return Manifests.write(to: folder) }
    do {
      let provider = try FileProvider(name: "the demos' files") { request, reference in
        guard let path = Documents.path(reference), Program.exists(path) else {
          return request.answer(.failure(NoSuchDocument()))
        }
        request.fileOptions = .openInPlace
        request.answer(.success(.file(path: path)))
      }
      try provider.run()
    } catch { Program.fail("\(error)") }
  }
}
