import Testing

@testable import NetworkMonitor

@Suite struct NetworkPictureTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var picture: NetworkPicture
    var reach: NetworkPicture.Reach

    init(
      _ name: String, _ links: [NetworkPicture.Link],
      addresses: [NetworkPicture.Address] = [], routes: [[Int32]] = [],
      _ reach: NetworkPicture.Reach
    ) {
      testDescription = name
      picture = NetworkPicture(
        links: links, addresses: addresses,
        defaultRoutes: routes.map { NetworkPicture.DefaultRoute(links: $0) })
      self.reach = reach
    }
  }

  private static let loopback = NetworkPicture.Link(index: 1, isLoopback: true, isRunning: true)
  private static let cable = NetworkPicture.Link(index: 2, isLoopback: false, isRunning: true)
  private static let noCable = NetworkPicture.Link(index: 2, isLoopback: false, isRunning: false)
  private static let radio = NetworkPicture.Link(index: 3, isLoopback: false, isRunning: true)

  private static func global(_ link: Int32) -> NetworkPicture.Address {
    NetworkPicture.Address(link: link, isGlobal: true)
  }
  private static func local(_ link: Int32) -> NetworkPicture.Address {
    NetworkPicture.Address(link: link, isGlobal: false)
  }

  static let cases = [
    Case("nothing at all is no answer", [], .unknown),
    Case("only a loopback", [loopback], addresses: [local(1)], .offline),
    // Docker gives containers without a network such addresses.
    Case("a global address on the loopback", [loopback], addresses: [global(1)], .offline),
    Case("a default route over the loopback", [loopback], routes: [[1]], .offline),
    Case("a cable without an address", [loopback, cable], .offline),
    Case("a cable with a link-local address", [loopback, cable], addresses: [local(2)], .offline),
    Case("a cable with a global address", [loopback, cable], addresses: [global(2)], .online),
    Case("the cable pulled", [loopback, noCable], addresses: [global(2)], .offline),
    Case("the cable pulled, the route left", [loopback, noCable], routes: [[2]], .offline),
    Case("a default route without an address", [loopback, cable], routes: [[2]], .online),
    Case("a route that names no link", [loopback, cable], routes: [[]], .online),
    Case("a route that names no link, and none runs", [loopback, noCable], routes: [[]], .offline),
    Case(
      "a route over two links, one dead", [loopback, noCable, radio], routes: [[2, 3]], .online),
    Case("an address of a link that is gone", [loopback], addresses: [global(7)], .offline),
    Case("a route over a link that is gone", [loopback], routes: [[7]], .offline),
  ]

  @Test(arguments: cases)
  func `Links, addresses and routes come to whether there is a network`(_ item: Case) {
    #expect(item.picture.reach == item.reach)
  }
}
