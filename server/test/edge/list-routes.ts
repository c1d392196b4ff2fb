import type { FastifyInstance } from 'fastify'

export interface ListedRoute {
  method: string
  path: string
}

/** Lists every route of a running server from the router's own dump. */
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
    // The dump shows a wildcard without its prefix; there is only one.
    const path = prefixes.join('').replace(/^\*$/, '/api/auth/*')
    for (const method of methods.split(', ').filter((name) => name !== '')) routes.push({ method, path })
  }
  return routes
}
