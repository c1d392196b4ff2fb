import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type OpenedOrganization, openOrganization } from '#control/access/open-organization.ts'
import { accessRowOf } from '#domain/access/access-table.ts'
import type { Client } from '#domain/access/client.ts'
import { judgeCredential } from '#domain/access/judge-access.ts'
import { asGatewayError, GatewayError } from '#errors/gateway-error.ts'
import { unauthenticated } from '#pipeline/authenticate/unauthenticated.ts'
import type { Memberships } from '#ports/organizations.ts'
import { basePathOf } from './base-path-of.ts'
import { accountBodyBytesMax, type BodySizes, openBodyBytesMax } from './bodies/body-sizes.ts'
import type { Endpoint, EndpointReply, EndpointRequest, StreamedBody } from './endpoint.ts'
import { type InputDeps, receiveInput } from './receive-input.ts'
import { type ReplayWriteDeps, replayWrite, writeKeyOf } from './replay-write.ts'
import { requireOperatorSession } from './require-operator-session.ts'
import { refuseUnchangeable } from './refuse-unchangeable.ts'
import type { UnsentAnswers } from './unsent-answers.ts'

export interface EndpointDeps extends ReplayWriteDeps, InputDeps {
  /** The client; null without a credential. An invalid credential is rejected on every endpoint. */
  identify: (request: FastifyRequest, accepts: { apiKeyHeader: boolean; session: boolean }) => Promise<Client | null>
  /** Account reads have their own rate limit. */
  admit: (client: Client) => Promise<Readonly<Record<string, string>>>
  /** The remaining rate limit, for requests that do not count. */
  showRate: (client: Client) => Promise<Readonly<Record<string, string>>>
  memberships: Memberships
  bodySizes: Pick<BodySizes, 'conversationBytesMax'>
  clientIp: (request: FastifyRequest) => string | null
  /** Responses that clients have not read yet. */
  unsent: Pick<UnsentAnswers, 'watch'>
  nowMs: () => number
  /** A streamed response could not be completed; its client sees a broken connection. */
  onBroken: (request: FastifyRequest, error: GatewayError) => void
}

/** The handler of an endpoint. Every request passes the access table first. */
export function serveEndpoint(deps: EndpointDeps, endpoint: Endpoint) {
  const row = accessRowOf(endpoint.access)
  const isOpen = row.credentials.length === 0
  const bytesMax = bytesMaxOf(endpoint, { isOpen, sizes: deps.bodySizes })
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const params = textsOf(request.params)
    const client = await admitClient(deps, endpoint, request, reply)
    const organization = await openWithin(deps, endpoint, client, params)
    const input = await receiveInput(deps, endpoint, { request, reply, client, bytesMax })
    refuseUnchangeable(endpoint, input.body)
    const asked: EndpointRequest = {
      params,
      query: textsOf(request.query),
      body: input.body,
      files: input.files,
      headers: request.headers,
      requestId: request.id,
      basePath: basePathOf(request),
      nowMs: deps.nowMs(),
      clientIp: deps.clientIp(request),
      client,
      operates: row.operators !== undefined,
      identifyAgain: () => deps.identify(request, acceptsOf(endpoint)),
      organization,
    }
    const result = await actOn(deps, endpoint, asked).finally(input.discard)
    if (result.stream !== undefined) {
      const head = { status: result.status ?? endpoint.reply.status, headers: result.headers ?? {} }
      if (request.method === 'HEAD') return writeHead(reply, head, result.stream).send()
      return sendStream(reply, head, result.stream, (error) => deps.onBroken(request, error))
    }
    if (result.body === undefined)
      return reply
        .code(result.status ?? 204)
        .headers(result.headers ?? {})
        .send()
    reply.raw.once('prefinish', () => deps.unsent.watch(reply.raw))
    reply.type('application/json; charset=utf-8')
    if (result.headers !== undefined) reply.headers(result.headers)
    const text = typeof result.body === 'string' ? result.body : JSON.stringify(result.body)
    return reply.code(result.status ?? endpoint.reply.status).send(text)
  }
}

async function actOn(deps: EndpointDeps, endpoint: Endpoint, asked: EndpointRequest): Promise<EndpointReply> {
  const key = writeKeyOf(endpoint, asked)
  return key === null ? endpoint.handle(asked) : replayWrite(deps, endpoint, asked, key)
}

function bytesMaxOf(
  { takesConversation }: Endpoint,
  { isOpen, sizes }: { isOpen: boolean; sizes: EndpointDeps['bodySizes'] },
): number {
  if (takesConversation === true) return sizes.conversationBytesMax
  return isOpen ? openBodyBytesMax : accountBodyBytesMax
}

async function admitClient(
  deps: EndpointDeps,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Client | null> {
  const row = accessRowOf(endpoint.access)
  const isOpen = row.credentials.length === 0
  // A public endpoint must not fail because of a credential it does not need, but may show more to a valid one. A
  // session counts only if the endpoint accepts it; elsewhere a request with only a session has no credential.
  const identified = deps.identify(request, acceptsOf(endpoint))
  const client = await (isOpen ? identified.catch(() => null) : identified)
  const verdict = judgeCredential(row, client)
  if (!verdict.allowed) {
    if (verdict.refusal === 'unauthenticated') throw unauthenticated('no credential')
    throw new GatewayError(verdict.refusal, { message: verdict.message })
  }
  requireOperatorSession(row, { client, method: endpoint.method, nowMs: deps.nowMs() })
  const counts = !isOpen && endpoint.isUnlimited !== true
  if (client !== null) reply.headers(await (counts ? deps.admit : deps.showRate)(client))
  return client
}

function acceptsOf({ acceptsApiKeyHeader, access }: Endpoint): { apiKeyHeader: boolean; session: boolean } {
  return {
    apiKeyHeader: acceptsApiKeyHeader === true,
    session: accessRowOf(access).credentials.includes('session'),
  }
}

async function openWithin(
  deps: EndpointDeps,
  endpoint: Endpoint,
  client: Client | null,
  params: Readonly<Record<string, string>>,
): Promise<OpenedOrganization | null> {
  const row = accessRowOf(endpoint.access)
  if (row.within !== 'organization' || client === null) return null
  return openOrganization(deps.memberships, row, client, params)
}

// If a parameter is repeated, its first value counts.
function textsOf(value: unknown): Record<string, string> {
  const texts: Record<string, string> = {}
  if (typeof value !== 'object' || value === null) return texts
  for (const [key, entry] of Object.entries(value)) {
    const text: unknown = Array.isArray(entry) ? entry[0] : entry
    if (typeof text === 'string' && key !== '__proto__') texts[key] = text
  }
  return texts
}

// The same timeout as for a client that stops reading model output.
const idleTimeoutMs = 120_000

/**
 * Sends chunks at the client's speed. The first is created before the headers are sent, so that an early failure still
 * gets its status. A later failure breaks the connection, so that no client takes the response as complete.
 */
async function sendStream(
  reply: FastifyReply,
  head: StreamHead,
  stream: StreamedBody,
  onBroken: (error: GatewayError) => void,
): Promise<FastifyReply> {
  const iterator = stream.chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  reply.raw.setTimeout(idleTimeoutMs, () => reply.raw.destroy())
  return writeHead(reply, head, stream).send(Readable.from(goOn(first, iterator, onBroken)))
}

interface StreamHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** The headers only; no chunk is created. */
function writeHead(reply: FastifyReply, { status, headers }: StreamHead, stream: StreamedBody): FastifyReply {
  return reply.code(status).headers(headers).type(stream.contentType)
}

async function* goOn(
  first: IteratorResult<string | Buffer>,
  iterator: AsyncIterator<string | Buffer>,
  onBroken: (error: GatewayError) => void,
): AsyncGenerator<string | Buffer> {
  try {
    for (let next = first; next.done !== true; next = await iterator.next()) yield next.value
  } catch (error) {
    onBroken(asGatewayError(error))
    throw error
  } finally {
    // Runs also if the client disconnected.
    await iterator.return?.()
  }
}
