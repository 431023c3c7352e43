/// Choice of single changes to try, where a server has refused several alone and taken none: one that it takes
/// shows that the refused ones are to blame, and not the account.
///
/// Pure.
enum RefusalSample {
  /// Single changes that are refused while nothing is taken, after which others are tried.
  static let mostRefusedAlone = 4
  private static let size = 4

  /// The newest change, and some from all over.
  ///
  /// - Parameters:
  ///   - count: of the changes that wait, the oldest first.
  ///   - round: of the deliveries in which nothing was taken: each chooses others, so that any change that the
  ///     server would take has its turn.
  static func places(of count: Int, round: Int) -> [Int] {
    guard count > 0 else { return [] }
    var places = [count - 1]
    for number in 1..<size {
      // Multiples of the golden ratio come to every part of the unit interval.
      let turn = Double(round * (size - 1) + number) * 0.618_033_988_749_895
      let place = min(count - 1, Int(turn.truncatingRemainder(dividingBy: 1) * Double(count)))
      if !places.contains(place) { places.append(place) }
    }
    return places
  }
}
