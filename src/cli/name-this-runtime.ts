/** Before Node 21 absent. */
interface WithNavigator {
  navigator?: { readonly userAgent: string };
}

/**
 * What Node has from version 21 on. pg looks for it to find out where it runs; without it, pg makes a Response, for which
 * Node loads its whole HTTP client: 45 ms of a `run` with nothing to do (`node --cpu-prof`, Node 20).
 */
(globalThis as WithNavigator).navigator ??= { userAgent: `Node.js/${process.versions.node.split('.')[0]}` };
