import type { JsonObject, JsonValue } from '#lib/json.ts'
import type { VendorSlug } from '#providers/registry.ts'

/** The capabilities in which the official SDK and our codec are compared, in the order of the report's columns. */
export const capabilities = [
  'chat',
  'stream',
  'tools',
  'errors',
  'responses',
  'embeddings',
  'rerank',
  'moderations',
  'images',
  'edits',
  'speech',
  'transcription',
  'videos',
] as const
export type Capability = (typeof capabilities)[number]

/**
 * One call that is made twice: by a provider's official SDK and by our codec. Requests and responses must be the same,
 * except for the differences listed here with a reason.
 */
export interface Twin {
  readonly provider: VendorSlug
  readonly capability: Capability
  /** The package name. */
  readonly sdk: string
  /** The function of the SDK's module in `sdks/` that makes the call. */
  readonly call: string
  /** The simulator; each side gets its own, so that ids count alike. */
  readonly upstream: () => Promise<TwinUpstream>
  readonly ours: () => Promise<JsonValue>
  /** A field, such as `1.body.model`, and why it differs. A field includes everything below it. */
  readonly differences?: Readonly<Record<string, string>>
}

export interface TwinUpstream {
  readonly url: string
  close(): Promise<void>
}

/** A request as it arrived at the recording proxy. */
export interface RecordedCall {
  readonly method: string
  /** The intended host of the request, or null if the SDK had the proxy's own address. */
  readonly origin: string | null
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonValue
}

/** A function of a module in `sdks/`: makes a call and returns the SDK's result, in the same form as `ours`. */
export type SdkCall = (upstream: { origin: string; key: string }) => Promise<JsonObject>

/** The key that every simulator of these calls requires. */
export const upstreamKey = 'upstream-secret'
