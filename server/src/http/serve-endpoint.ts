import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '#domain/access/principal.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Endpoint } from './endpoint.ts'
import { parseJsonBody } from './parse-json-body.ts'

export interface EndpointDeps {
  authenticate: (request: FastifyRequest, acceptsApiKeyHeader: boolean) => Promise<Principal>
  /** Account reads have a rate of their own. */
  admit: (principal: Principal) => Promise<Readonly<Record<string, string>>>
  nowMs: () => number
}

/** The handler of a described endpoint. */
export function serveEndpoint(deps: EndpointDeps, endpoint: Endpoint) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const principal =
      endpoint.authentication === 'key' ? await deps.authenticate(request, endpoint.acceptsApiKeyHeader === true) : null
    if (principal !== null) reply.headers(await deps.admit(principal))
    const result = await endpoint.handle({
      params: textsOf(request.params),
      query: textsOf(request.query),
      body: bodyOf(request),
      requestId: request.id,
      nowMs: deps.nowMs(),
      principal,
    })
    if (result.headers !== undefined) reply.headers(result.headers)
    const body = typeof result.body === 'string' ? result.body : JSON.stringify(result.body)
    return reply
      .code(result.status ?? 200)
      .type('application/json; charset=utf-8')
      .send(body)
  }
}

function bodyOf(request: FastifyRequest): JsonObject {
  return Buffer.isBuffer(request.body) && request.body.length > 0 ? parseJsonBody(request.body) : {}
}

// A parameter given twice counts by its first value.
function textsOf(value: unknown): Record<string, string> {
  const texts: Record<string, string> = {}
  if (typeof value !== 'object' || value === null) return texts
  for (const [key, entry] of Object.entries(value)) {
    const text: unknown = Array.isArray(entry) ? entry[0] : entry
    if (typeof text === 'string' && key !== '__proto__') texts[key] = text
  }
  return texts
}
