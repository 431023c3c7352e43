/// The page with the output of a program.
enum OutputStrings {
  static let running = "running …"
  static let page = "page"
  static let stop = "stop"
  static let close = "close"
  static func stopped(_ program: String) -> String { "Stopped \(program)." }

  static func stoppedImport(_ program: String) -> String {
    "\(stopped(program)) :\(program) continues."
  }
}
