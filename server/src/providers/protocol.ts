import type { CanonicalCall } from '#domain/inference/call.ts'
import type { CanonicalReply } from '#domain/inference/reply.ts'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import type { TraitOverrides } from '#domain/routing/trait-overrides.ts'
import type { JsonValue } from '#lib/json.ts'
import type { PricedFeatures } from './features/feature-table.ts'
import type { NoteUnknown } from './note-unknown.ts'
import type { ResponseHeaders, UpstreamRefusal } from './refusal.ts'
import type { ProtocolName, VendorSpec } from './spec.ts'
import type { UpstreamFailureText } from './upstream-failure.ts'

/** An upstream's protocol: turns a canonical call into its request, and its bytes into canonical parts. Pure. */
export interface Protocol {
  readonly name: ProtocolName
  /**
   * The optional top-level fields that the gateway adds or translates: without them the prompt, the instructions, the
   * caps and the response format stay the same. The gateway omits only these if an upstream rejects them. Each has a
   * value for the test request.
   */
  readonly learnableFields: Readonly<Record<string, JsonValue>>
  buildRequest(call: CanonicalCall, target: Target): ProtocolRequest
  /** Whether a response of this content type is read part by part. */
  isStream(contentType: string): boolean
  /** `note` receives unknown words. */
  createStreamReader(vendor: VendorSpec, note?: NoteUnknown): PartReader
  readDocument(bytes: Buffer, vendor: VendorSpec, note?: NoteUnknown): DocumentRead
  readFailure(status: number, headers: ResponseHeaders, bodyText: string): UpstreamRefusal
}

/** The destination of a call. */
export interface Target {
  readonly vendor: VendorSpec
  /** The operator's own base URL, in place of the vendor's. */
  readonly baseUrl: string | null
  readonly credential: string | null
  readonly upstreamModel: string
  /** Our model id, if its rules depend on it. */
  readonly model?: string
  /** Whether the model is one of OpenAI's. Some of OpenAI's fields are sent only to those. */
  readonly openAiFamily: boolean
  /** The features that have a price besides tokens; absent if the organization pays the provider itself. */
  readonly prices?: PricedFeatures
  /** The operator's corrections to the tables of accepted fields and values. */
  readonly overrides?: TraitOverrides | undefined
}

export interface ProtocolRequest {
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Requested options that this upstream does not support. A response header names them. */
  readonly ignored: readonly string[]
}

/**
 * Reads a stream whose bytes are split anywhere. Never throws: invalid bytes are a `failed` part, after which nothing
 * follows. `end` is called when the connection has closed cleanly; the parts, not this reader, show whether that was
 * too early.
 */
export interface PartReader {
  push(bytes: Buffer): StreamPart[]
  end(): StreamPart[]
}

export type DocumentRead =
  | { readonly ok: true; readonly reply: CanonicalReply }
  | { readonly ok: false; readonly failure: UpstreamFailureText }
