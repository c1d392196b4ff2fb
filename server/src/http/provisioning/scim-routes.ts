import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ProvisioningDeps } from '#control/provisioning/change-provisioned.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { OpenScimToken, ScimTokens } from '#ports/provisioning.ts'
import type { BodyReader } from '../bodies/body-reader.ts'
import { replyWithError, toGatewayError } from '../error-reply.ts'
import { scimErrorBody, scimType } from './scim-bodies.ts'
import { type ScimOperation, scimOperations } from './scim-operations.ts'

export interface ScimRouteDeps extends ProvisioningDeps {
  readonly tokens: ScimTokens
  readonly bodies: Pick<BodyReader, 'readJson'>
  /** All tokens of an organization share a rate limit. Returns its headers. */
  readonly admit: (token: OpenScimToken) => Promise<Readonly<Record<string, string>>>
  /** Null if it is not configured; URLs then name the host of the request. */
  readonly publicOrigin: string | null
  readonly nowMs: () => number
  readonly onError: (request: FastifyRequest, error: GatewayError) => void
}

// Ten thousand members of a group are about 600 KB.
const bodyBytesMax = 1_048_576
const prefix = '/scim/v2'
const options = { config: { ignoresSession: true } } as const

/**
 * SCIM 2.0 (RFC 7643, 7644) for directories. It has its own credential, content type and errors, and describes itself
 * under `/Schemas`, so its routes are no endpoints of the OpenAPI document.
 */
export function addScimRoutes(server: FastifyInstance, deps: ScimRouteDeps): void {
  const senders = new WeakMap<FastifyRequest, OpenScimToken>()
  server.register(
    async (scope) => {
      scope.addContentTypeParser(/^application\/scim\+json(?:\s*;|$)/i, (_request, _payload, done) => done(null))
      scope.setErrorHandler((error, request, reply) => {
        const refusal = toGatewayError(error)
        deps.onError(request, refusal)
        noteFailure(deps, { request, refusal, token: senders.get(request) })
        replyWithError(reply, refusal, scimErrorBody(refusal), scimType)
      })
      scope.setNotFoundHandler((_request, reply) => {
        const refusal = new GatewayError('notFound', { message: 'No such SCIM resource.' })
        replyWithError(reply, refusal, scimErrorBody(refusal), scimType)
      })
      for (const operation of scimOperations(deps)) {
        scope.route({
          method: operation.method,
          url: operation.path,
          ...options,
          handler: async (request, reply) => {
            const token = await authenticate(deps, request)
            senders.set(request, token)
            reply.headers(await deps.admit(token))
            return answer(deps, operation, token, { request, reply })
          },
        })
      }
    },
    { prefix },
  )
}

async function answer(
  deps: ScimRouteDeps,
  operation: ScimOperation,
  token: OpenScimToken,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { body } = await deps.bodies.readJson(request, reply, { bytesMax: bodyBytesMax })
  const { organizationId, id, name } = token
  const done = await operation.handle({
    organizationId,
    stamp: { chainId: organizationId, actor: { kind: 'scim_token', id, name }, requestId: request.id },
    id: textsOf(request.params)['id'] ?? '',
    query: textsOf(request.query),
    body: body ?? {},
    baseUrl: (deps.publicOrigin ?? `${request.protocol}://${request.host}`) + prefix,
    nowMs: deps.nowMs(),
  })
  reply.code(done.status).type(scimType)
  const location = done.status === 201 ? locationOf(done.body) : null
  if (location !== null) reply.header('location', location)
  return reply.send(done.body === undefined ? undefined : JSON.stringify(done.body))
}

function locationOf(body: Record<string, unknown> | undefined): string | null {
  const meta = body?.['meta']
  const location = typeof meta === 'object' && meta !== null && 'location' in meta ? meta.location : null
  return typeof location === 'string' ? location : null
}

// A longer header is no token of ours, and is not matched against the pattern.
const headerLengthMax = 100

async function authenticate({ tokens, nowMs }: ScimRouteDeps, request: FastifyRequest): Promise<OpenScimToken> {
  const header = request.headers.authorization ?? ''
  const secret = header.length > headerLengthMax ? undefined : /^bearer +(scim-weir-\w+) *$/i.exec(header)?.[1]
  const token = secret === undefined ? null : await tokens.findUsable(hash('sha256', secret), nowMs())
  if (token !== null) return token
  throw new GatewayError('unauthenticated', {
    message: 'No valid provisioning token was provided. Send it as "Authorization: Bearer scim-weir-...".',
    headers: { 'www-authenticate': 'Bearer' },
  })
}

// Directories look for people before they create them, so an unknown id is no failure; nor is a rate limit.
const expected = new Set([404, 429])

function noteFailure(
  { provisioning, onError }: ScimRouteDeps,
  { request, refusal, token }: { request: FastifyRequest; refusal: GatewayError; token: OpenScimToken | undefined },
): void {
  const { status } = refusal.row
  if (token === undefined || expected.has(status)) return
  const [path = ''] = request.url.split('?')
  const failure = {
    organizationId: token.organizationId,
    request: `${request.method} ${path}`.slice(0, 200),
    status,
    detail: refusal.message.slice(0, 500),
  }
  provisioning.noteFailure(failure).catch((error: unknown) => onError(request, toGatewayError(error)))
}

// If a parameter is repeated, its first value counts.
function textsOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {}
  const entries = Object.entries(value).map(([name, given]): [string, unknown] => [
    name,
    Array.isArray(given) ? given[0] : given,
  ])
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
