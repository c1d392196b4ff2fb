import type { FastifyRequest } from 'fastify'
import type { Identify } from '#pipeline/authenticate/identify.ts'
import { viewHeader } from './plugins/views.ts'
import type { EndpointDeps } from './serve-endpoint.ts'

/** Authenticates a request by the headers that the endpoint accepts. */
export function createIdentifyRequest(deps: {
  readonly identify: Identify
  readonly clientIp: (request: FastifyRequest) => string | null
  readonly nowMs: () => number
}): EndpointDeps['identify'] {
  return (request, accepts) => {
    const { authorization, cookie, 'x-api-key': apiKey, [viewHeader]: viewId } = request.headers
    return deps.identify({
      authorization,
      apiKey: accepts.apiKeyHeader && typeof apiKey === 'string' ? apiKey : undefined,
      cookie: accepts.session ? cookie : undefined,
      viewId: viewId === undefined ? undefined : String(viewId),
      clientIp: deps.clientIp(request),
      nowMs: deps.nowMs(),
    })
  }
}
