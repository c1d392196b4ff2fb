import type { FastifyRequest } from 'fastify'
import type { Arrival } from '#pipeline/types.ts'

export type BasePath = Arrival['basePath']

/**
 * Paths under `/v1` are also mounted under `/api/v1`; links in an answer stay under the prefix that its client called.
 */
export function basePathOf({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): BasePath {
  return routeOptions.url?.startsWith('/api/v1/') === true ? '/api' : ''
}
