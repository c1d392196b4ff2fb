import type { FastifyRequest } from 'fastify'
import { openRouterPrefix } from './openrouter/prefix.ts'
import type { Arrival } from '#pipeline/types.ts'

export type BasePath = Arrival['basePath']

/** Paths under `/v1` are also mounted elsewhere; links in a response use the client's prefix. */
export function basePathOf({ routePath }: Pick<FastifyRequest, 'routePath'>): BasePath {
  if (routePath?.startsWith('/api/v1/') === true) return '/api'
  return routePath?.startsWith(`${openRouterPrefix}/`) === true ? openRouterPrefix : ''
}
