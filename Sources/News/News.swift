// News: the domain as values, and the ports to where news come from. Pure; only the ports are
// `async`.
//
// - `Feeds`: `Account`, `Feed` and what they hold: `Entry` as a source delivers it, folders,
//   addresses.
// - `Articles`: an entry in the store is an `Article`. A `Timeline` is a list of them, read through
//   a `TimelineQuery`; a front end gets `SidebarSnapshot`, `TimelineSnapshot` and `OutboxSnapshot`,
//   and asks for changes with an `Intent`.
// - `Sources`: the ports. `NewsSources` finds the `AccountSource` of an account, which has a port
//   for each capability: pages, items, marks, subscriptions, live news. All fail with
//   `SourceError`.
