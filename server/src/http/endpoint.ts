import type { TSchema } from 'typebox'
import type { Dialect } from '#dialects/dialect.ts'
import type { OpenedOrganization } from '#control/access/open-organization.ts'
import type { AccessAction } from '#domain/access/access-table.ts'
import type { Client } from '#domain/access/client.ts'
import type { Principal } from '#domain/access/principal.ts'
import type { ErrorName } from '#errors/catalogue.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import type { BasePath } from './base-path-of.ts'

/**
 * One endpoint, described once: the router, the OpenAPI document and the tests all read this. Paths under `/v1` are
 * mounted under `/api/v1` as well; those of the website begin with `/api`.
 */
export interface Endpoint {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Whether HEAD is answered as well, by the head of what GET answers. */
  readonly alsoHead?: true
  /** The first is the documented one, the others are aliases; parameters as `:name`. */
  readonly paths: readonly string[]
  readonly tag: 'Inference' | 'Models' | 'Account' | 'Keys' | 'Organizations' | 'Institutions' | 'Operators' | 'Console'
  readonly summary: string
  /** What the summary leaves out. */
  readonly description?: string
  /** Who may: a row of the access table. */
  readonly access: AccessAction
  /** Beside `Authorization`, as some vendors' clients send it. */
  readonly acceptsApiKeyHeader?: true
  /** Whether it may be asked as often as anybody likes; only for what costs one look at one row. */
  readonly isUnlimited?: true
  readonly query?: TSchema
  /** Whether a repeated request with the same `Idempotency-Key` acts once. */
  readonly takesIdempotencyKey?: true
  readonly body?: TSchema
  readonly reply: ReplyDescription
  /** Its own; `errors-of.ts` adds what its access row and its body imply. */
  readonly errors?: readonly ErrorName[]
  /** How clients of this endpoint read refusals, where that is not our own form. */
  readonly errorForm?: ErrorForm
  readonly handle: (request: EndpointRequest) => Promise<EndpointReply>
}

interface ReplyDescription {
  readonly status: number
  readonly description: string
  readonly schema: TSchema
  /** JSON, unless something else is named. */
  readonly contentTypes?: readonly string[]
}

/** Also for what is refused on the way to the handler, such as a body that is too large. */
export type ErrorForm = Pick<Dialect, 'errorBody' | 'replyHeaders'> & { readonly schema?: TSchema }

export interface EndpointRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly body: JsonObject
  readonly headers: FetchHeaders
  readonly requestId: string
  /** The prefix of the path that was called; relative links in answers begin with it. */
  readonly basePath: BasePath
  readonly nowMs: number
  readonly clientIp: string | null
  /** Null exactly where the access table needs no credential and the request has none. */
  readonly client: Client | null
  /** Present exactly when the access table says that the action is within an organization. */
  readonly organization: OpenedOrganization | null
}

/**
 * What a client may say of bytes that it has already or wants no more than a part of, and of a request that it may
 * repeat.
 */
interface FetchHeaders {
  readonly range?: string | undefined
  readonly 'if-range'?: string | string[] | undefined
  readonly 'if-none-match'?: string | undefined
  /** Makes a request that is sent again act once. */
  readonly 'idempotency-key'?: string | string[] | undefined
}

export function clientOf({ client }: EndpointRequest): Client {
  assert(client !== null, 'an endpoint that is not open to everybody has a client')
  return client
}

/** For endpoints that accept keys alone. */
export function principalOf(request: EndpointRequest): Principal {
  const client = clientOf(request)
  assert(client.kind === 'key', 'an endpoint for keys alone is called with one')
  return client.principal
}

export function organizationOf({ organization }: EndpointRequest): OpenedOrganization {
  assert(organization !== null, 'an endpoint within an organization has opened it')
  return organization
}

export interface EndpointReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Left out: no content. A text is sent as it is. */
  readonly body?: unknown
  /** In place of a body: what is too long to be made at once. */
  readonly stream?: StreamedBody
}

/** Made while it is sent, no faster than the client takes it. What fails before the first chunk is refused as usual. */
export interface StreamedBody {
  readonly contentType: string
  readonly chunks: AsyncIterable<string | Buffer>
}
