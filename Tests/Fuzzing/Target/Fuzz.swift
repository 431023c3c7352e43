internal import Foundation
internal import FuzzProperties

/// Which reader is fuzzed: the environment says, for libFuzzer has the arguments.
private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["TELEX_FUZZ"] ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
    fatalError("TELEX_FUZZ is “\(name)”; it should be one of \(names).")
  }
  return target
}()

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do throws(Violation) {
    try target.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
  } catch {
    fatalError("\(error)")
  }
  return 0
}
