import CarryCommand

@main enum Main {
  nonisolated static func main() { CarryTool.run() }
}
