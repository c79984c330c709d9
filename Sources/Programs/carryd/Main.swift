import CarryDaemon

@main enum Main {
  nonisolated static func main() { DaemonTool.run() }
}
