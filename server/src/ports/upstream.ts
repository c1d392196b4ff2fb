import type { BodyPiece } from '#domain/media/body-piece.ts'

/** Opens exchanges with upstreams: over the network, or simulated by a test model inside the process. */
export interface Upstreams {
  open(request: UpstreamRequest, handler: UpstreamHandler): UpstreamExchange
}

/**
 * Authorizes a finished request, which must not change afterwards. Throws a GatewayError if the credential is unusable.
 */
export type AuthorizeRequest = (
  request: UpstreamRequest,
  credential: string,
  way: LateAuthentication,
) => Promise<UpstreamRequest>

type LateAuthentication =
  /** The request itself is signed (AWS Signature Version 4). */
  | { readonly kind: 'sigv4'; readonly service: string }
  /** A token is created for the credential's service account. */
  | { readonly kind: 'google' }

export interface UpstreamRequest {
  /** POST by default. A GET has no body. */
  method?: 'GET' | 'POST'
  /** The connection pool, if owners must not share connections: the id of an organization's own key. */
  pool?: string
  /** The account that chose the host, if the operator did not: an organization, or else a wallet. */
  account?: string
  /** `https://host` or `http://host:port`. */
  origin: string
  path: string
  headers: Readonly<Record<string, string>>
  body: string | readonly BodyPiece[]
  headersTimeoutMs: number
  bodyTimeoutMs: number
  connectTimeoutMs: number
}

/** Called in order: headers once, data any number of times, then exactly one of end and failed. */
export interface UpstreamHandler {
  headers(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void
  data(bytes: Buffer): void
  end(): void
  failed(failure: UpstreamFailure): void
}

export interface UpstreamExchange {
  pause(): void
  resume(): void
  /** Closes the connection. Nothing is called afterwards. */
  abort(): void
}

export interface UpstreamFailure {
  kind: 'unreachable' | 'timeout' | 'broken'
  message: string
}
