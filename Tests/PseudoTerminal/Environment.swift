internal import CVTerm

/// The environment of a program under test, which is the same wherever the tests run.
enum Environment {
  static var `default`: [String: String?] {
    var variables: [String: String?] = [
      "TERM": "xterm-256color",
      "LANG": "C.UTF-8",
      // A crash is reported by its signal; taking the backtrace costs seconds.
      "SWIFT_BACKTRACE": "enable=no",
    ]
    for name in inherited {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return variables
  }

  /// What a program needs to be found, to be linked, and to be measured by sanitizers and coverage.
  private static let inherited = [
    "PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH",
    "LLVM_PROFILE_FILE", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
  ]
}
