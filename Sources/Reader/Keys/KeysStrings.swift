enum KeysStrings {
  static func noKey(_ name: String) -> String {
    "There is no key “\(name)”. Write a letter, Ctrl-x, Space, Enter, F5 or PgDn, or several with spaces between them, such as g u."
  }
  static func taken(_ key: String, by command: String) -> String {
    "\(key) is already the key of \(command). Choose another key."
  }
  static func overlaps(_ key: String, _ taken: String, of command: String) -> String {
    "\(key) conflicts with \(taken), the key of \(command): one begins with the other."
  }
  static func keyOfPage(_ name: String, of page: String) -> String {
    "A key does the same on every page. Write \(name) without \(page)."
  }
  static func renamed(_ name: String, to present: String) -> String {
    "“\(name)” is now “\(present)”."
  }
  static func noCommand(_ name: String, near: String?) -> String {
    "There is no command “\(name)”." + (near.map { " Did you mean “\($0)”?" } ?? "")
  }
  static func badName(_ name: String) -> String {
    "“\(name)” cannot be the name of a command. Use lower-case letters, digits and “-”."
  }
  static func nameTaken(_ name: String) -> String {
    "There already is a command “\(name)”. Choose another name."
  }
  static func noProgram(_ name: String) -> String {
    "The command “\(name)” has no program. Name one in its “run”."
  }
  static func titleInScript(_ name: String) -> String {
    "“\(name)” would run a title as part of its script. Write \"$TELEX_TITLE\", \"$TELEX_FEED\" and \"$TELEX_URL\" in place of %t, %f and %u."
  }
  static func noCommands(_ name: String) -> String {
    "The macro “\(name)” has no commands. Name some in its “run”."
  }
  static func runsSeveral(_ name: String) -> String { "“\(name)” runs several commands itself." }
  static func cannotRun(_ name: String, in owner: String, _ reason: String) -> String {
    "\(owner) cannot run “\(name)”. \(reason)"
  }
  static func stopped(_ owner: String, at name: String) -> String {
    "\(owner) stopped: \(name) does not work on this page."
  }
}
