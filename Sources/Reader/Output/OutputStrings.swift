enum OutputStrings {
  static func stopped(_ program: String) -> String { "Stopped \(program)." }
  static func stoppedImport(_ program: String) -> String {
    "\(stopped(program)) :\(program) continues."
  }
}
