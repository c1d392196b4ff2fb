import type { TSchema } from 'typebox'
import type { Dialect } from '#dialects/dialect.ts'
import type { OpenedOrganization } from '#control/access/open-organization.ts'
import type { AccessAction } from '#domain/access/access-table.ts'
import type { Client } from '#domain/access/client.ts'
import type { Principal } from '#domain/access/principal.ts'
import type { ErrorName } from '#errors/catalogue.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import type { FormFile } from '#domain/media/media-file.ts'
import type { BasePath } from './base-path-of.ts'
import type { FormTerms } from './inference/inference-endpoint.ts'

/**
 * One endpoint definition. The router, the OpenAPI document and the tests all read it. Paths under `/v1` are also
 * mounted under `/api/v1`; those of the website begin with `/api`.
 */
export interface Endpoint {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Whether HEAD is supported, with the headers of GET. */
  readonly alsoHead?: true
  /** The first is documented, the others are aliases; parameters as `:name`. */
  readonly paths: readonly string[]
  readonly tag: 'Inference' | 'Models' | 'Account' | 'Keys' | 'Organizations' | 'Institutions' | 'Operators' | 'Console'
  readonly summary: string
  /** Details beyond the summary. */
  readonly description?: string
  /** A row of the access table. */
  readonly access: AccessAction
  /** Also accepts `X-Api-Key`, which some vendors' clients send. */
  readonly acceptsApiKeyHeader?: true
  /** Whether it has no rate limit; only for requests that cost one row lookup. */
  readonly isUnlimited?: true
  readonly query?: TSchema
  /** Set if the endpoint stores the `Idempotency-Key` itself for 90 days, together with the money that it moves. */
  readonly takesIdempotencyKey?: true
  readonly body?: TSchema
  /** Set if the body is a conversation, which has a larger maximum size than other account requests. */
  readonly takesConversation?: true
  /** Set if files are sent as `multipart/form-data`. Only for endpoints that accept keys alone. */
  readonly form?: FormTerms
  readonly reply: ReplyDescription
  /** The endpoint's own errors; `errors-of.ts` adds the errors that its access row and body imply. */
  readonly errors?: readonly ErrorName[]
  /** The error format of this endpoint's clients, if it differs from ours. */
  readonly errorForm?: ErrorForm
  readonly handle: (request: EndpointRequest) => Promise<EndpointReply>
}

interface ReplyDescription {
  readonly status: number
  readonly description: string
  readonly schema: TSchema
  /** Defaults to JSON. */
  readonly contentTypes?: readonly string[]
}

/** The error format also applies to errors before the handler, such as a body that is too large. */
export type ErrorForm = Pick<Dialect, 'errorBody' | 'replyHeaders'> & { readonly schema?: TSchema }

export interface EndpointRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly body: JsonObject
  /** Files of a form. They are deleted after the handler. */
  readonly files: readonly FormFile[]
  readonly headers: FetchHeaders
  readonly requestId: string
  /** The prefix of the called path; relative links in responses begin with it. */
  readonly basePath: BasePath
  readonly nowMs: number
  readonly clientIp: string | null
  /** Null exactly if the access table needs no credential and the request has none. */
  readonly client: Client | null
  /** Whether the access table lets only operators do this. */
  readonly operates: boolean
  /** Authenticates the request once more, for a response that goes on for minutes. */
  readonly identifyAgain: () => Promise<Client | null>
  /** Present exactly if the action is within an organization according to the access table. */
  readonly organization: OpenedOrganization | null
}

/** Headers for conditional, range and idempotent requests. */
interface FetchHeaders {
  readonly range?: string | undefined
  readonly 'if-range'?: string | string[] | undefined
  readonly 'if-none-match'?: string | undefined
  /** Whether the client asks for events. */
  readonly accept?: string | undefined
  /** The customer, the run and the maximum cost of a quoted request. */
  readonly 'x-weir-customer'?: string | string[] | undefined
  readonly 'x-weir-max-cost'?: string | string[] | undefined
  readonly 'x-weir-run'?: string | string[] | undefined
  readonly 'x-weir-run-budget'?: string | string[] | undefined
  readonly 'x-weir-parent-run'?: string | string[] | undefined
  /** Makes a repeated request act once. */
  readonly 'idempotency-key'?: string | string[] | undefined
}

export function clientOf({ client }: EndpointRequest): Client {
  assert(client !== null, 'an endpoint that is not open to everybody has a client')
  return client
}

/** For endpoints that accept only keys. */
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
  /** Missing means no content. A string is sent unchanged. */
  readonly body?: unknown
  /** Replaces the body if it is too long to build at once. */
  readonly stream?: StreamedBody
}

/** Generated while it is sent, at the client's speed. A failure before the first chunk is a normal error response. */
export interface StreamedBody {
  readonly contentType: string
  readonly chunks: AsyncIterable<string | Buffer>
}
