import type { FastifyInstance } from 'fastify'

export interface ListedRoute {
  method: string
  path: string
}

/** Every route of a running server, read from the router's own picture of itself. */
export function listRoutes(server: FastifyInstance): ListedRoute[] {
  const routes: ListedRoute[] = []
  const prefixes: string[] = []
  for (const line of server.printRoutes({ commonPrefix: false }).split('\n')) {
    const found = /^([\s│]*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?/u.exec(line)
    if (found === null) continue
    const [, indent = '', segment = '', methods = ''] = found
    const depth = indent.length / 4
    prefixes.length = depth
    prefixes[depth] = segment
    // The picture shows a wildcard without what comes before it; there is one.
    const path = prefixes.join('').replace(/^\*$/, '/api/auth/*')
    for (const method of methods.split(', ').filter((name) => name !== '')) routes.push({ method, path })
  }
  return routes
}
