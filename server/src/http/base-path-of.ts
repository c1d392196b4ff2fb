import type { FastifyRequest } from 'fastify'
import type { Arrival } from '#pipeline/types.ts'

export type BasePath = Arrival['basePath']

/** Paths under `/v1` are also mounted under `/api/v1`; links in a response use the client's prefix. */
export function basePathOf({ routePath }: Pick<FastifyRequest, 'routePath'>): BasePath {
  return routePath?.startsWith('/api/v1/') === true ? '/api' : ''
}
