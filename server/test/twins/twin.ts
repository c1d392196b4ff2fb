import type { JsonObject, JsonValue } from '#lib/json.ts'
import type { VendorSlug } from '#providers/registry.ts'

/** What the official SDK and our codec are both asked to do, in the order of the report's columns. */
export const capabilities = [
  'chat',
  'stream',
  'tools',
  'errors',
  'responses',
  'embeddings',
  'images',
  'edits',
  'speech',
  'transcription',
  'videos',
] as const
export type Capability = (typeof capabilities)[number]

/**
 * One call that is made twice: by a provider's official SDK and by our codec. Requests and answers must be the same,
 * but for the differences that are listed here with a reason.
 */
export interface Twin {
  readonly provider: VendorSlug
  readonly capability: Capability
  /** The name of the package. */
  readonly sdk: string
  /** The function of the SDK's module in `sdks/` that makes the call. */
  readonly call: string
  /** The simulator; each side gets one of its own, so that ids count alike. */
  readonly upstream: () => Promise<TwinUpstream>
  readonly ours: () => Promise<JsonValue>
  /** A field, such as `1.body.model`, and why it differs. A field stands for all that is below it. */
  readonly differences?: Readonly<Record<string, string>>
}

export interface TwinUpstream {
  readonly url: string
  close(): Promise<void>
}

/** A request as it arrived at the recording proxy. */
export interface RecordedCall {
  readonly method: string
  /** The host that the request was meant for; null where the SDK was given the proxy's own address. */
  readonly origin: string | null
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonValue
}

/**
 * A function of a module in `sdks/`: makes a call and gives what the SDK read, in the form that `ours` gives it too.
 */
export type SdkCall = (upstream: { origin: string; key: string }) => Promise<JsonObject>

/** What every simulator of these calls wants to be shown. */
export const upstreamKey = 'upstream-secret'
