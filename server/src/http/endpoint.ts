import type { TSchema } from 'typebox'
import type { Dialect } from '#dialects/dialect.ts'
import type { Principal } from '#domain/access/principal.ts'
import type { ErrorName } from '#errors/catalogue.ts'
import type { JsonObject } from '#lib/json.ts'

/**
 * One endpoint, described once: the router, the OpenAPI document and the tests all read this. Paths are written as under
 * `/v1`; every one of them is mounted under `/api/v1` as well.
 */
export interface Endpoint {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The first is the documented one, the others are aliases; parameters as `:name`. */
  readonly paths: readonly string[]
  readonly tag: 'Inference' | 'Models' | 'Account'
  readonly summary: string
  readonly authentication: 'none' | 'key'
  /** Beside `Authorization`, as some vendors' clients send it. */
  readonly acceptsApiKeyHeader?: true
  readonly query?: TSchema
  readonly body?: TSchema
  readonly reply: { readonly status: number; readonly description: string; readonly schema: TSchema }
  readonly errors: readonly ErrorName[]
  /** How clients of this endpoint read refusals, where that is not our own form. */
  readonly errorForm?: ErrorForm
  readonly handle: (request: EndpointRequest) => Promise<EndpointReply>
}

/** Also for what is refused on the way to the handler, such as a body that is too large. */
export type ErrorForm = Pick<Dialect, 'errorBody' | 'replyHeaders'>

export interface EndpointRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly body: JsonObject
  readonly requestId: string
  readonly nowMs: number
  /** Present exactly when the endpoint asks for a key. */
  readonly principal: Principal | null
}

export interface EndpointReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}
