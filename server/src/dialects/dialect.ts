import type { ToolKnowledge } from './responses/client-tools.ts'
import type { Model } from '#domain/catalogue/model.ts'
import type { CanonicalCall } from '#domain/inference/call.ts'
import type { ReasoningFormat } from '#domain/inference/parts.ts'
import type { CanonicalReply } from '#domain/inference/reply.ts'
import type { PromptSize } from '#domain/inference/prompt-matter.ts'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import type { Usage } from '#domain/inference/usage.ts'
import type { FormFile } from '#domain/media/media-file.ts'
import type { HostedImage, ImageResult, MediaResult } from '#domain/media/media-result.ts'
import type { MediaTask } from '#domain/media/media-task.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import type { PromptAccess } from './prompt-access.ts'
import type { TextAccess } from './texts/text-access.ts'
import type { StrippedCall } from './without-openai-fields.ts'

/** Every dialect, and whether it is a conversation or a media request. */
interface DialectFamilies {
  chat: 'conversation'
  responses: 'conversation'
  messages: 'conversation'
  completions: 'conversation'
  fim: 'conversation'
  embeddings: 'media'
  images: 'media'
  image_edits: 'media'
  speech: 'media'
  transcriptions: 'media'
  translations: 'media'
  realtime: 'media'
  rerank: 'media'
  moderations: 'media'
  videos: 'media'
}

type NameOf<Family> = { [Name in DialectName]: DialectFamilies[Name] extends Family ? Name : never }[DialectName]
type DialectName = keyof DialectFamilies
type ConversationName = NameOf<'conversation'>
type MediaName = NameOf<'media'>

/** The API format of a client. Pure. */
export type Dialect = ConversationDialect | MediaDialect

/** The members that the pipeline needs of every dialect. */
interface AnyDialect extends TextAccess {
  /** Rejects requests that no upstream could serve. Returns the data that the pipeline needs. */
  parse(body: JsonObject, files: readonly FormFile[]): DialectCall
  /** Rejects a request that the model does not support at any provider. */
  refuseUnfit(call: DialectCall, model: Model): void
  /** Advice for a client whose prompt only an upstream can read; null if the gateway can read all of it. */
  unreadableFor?(call: DialectCall): string | null
  /** The bytes sent while a stream is silent, and their interval; null if nothing may be inserted. */
  readonly keepAlive: KeepAlive | null
  /** The body of an error response, before anything was sent. */
  errorBody(error: GatewayError, requestId: string): string
  /** Additional response headers that clients of this dialect expect. */
  replyHeaders?(requestId: string): Readonly<Record<string, string>>
}

export interface KeepAlive {
  readonly bytes: string
  /** Defaults to the operator's setting. */
  readonly everyMs?: number
}

/** Text and tools: converts a body to a canonical call, and canonical parts to frames. */
export interface ConversationDialect extends AnyDialect {
  readonly family: 'conversation'
  readonly name: ConversationName
  parse(body: JsonObject): DialectCall
  readonly prompt: PromptAccess
  /** Checks that need the model. */
  checkFor?(call: DialectCall, model: { isOpenAiFamily: boolean }): void
  /** The whole call. It is needed only if the upstream does not speak this dialect. */
  toCanonical(call: DialectCall): CanonicalCall
  /** Rejects a request that only an upstream with the same API can serve. */
  refuseTranslated?(call: DialectCall): void
  /** The call for a model outside OpenAI's family, in dialects that reserve some fields for that family. */
  withoutOpenAiFields?(call: CanonicalCall): StrippedCall
  /**
   * The names of tools that the gateway drops, because the upstream would run and bill them or does not support their
   * type.
   */
  leftTools?(body: JsonObject, knowledge: ToolKnowledge): string[]
  /**
   * The body for an upstream that speaks this dialect and reads this reasoning format, without the data that other
   * upstreams gave the client to send back.
   */
  relayBody?(body: JsonObject, thoughts: ReasoningFormat): JsonObject
  /** Items that a client may reference by id instead of sending them. */
  readonly references?: ReferenceAccess
  /** Responses that a client may store, continue and run in the background. */
  readonly storage?: StorageAccess
  renderDocument(reply: CanonicalReply, charged: Charged | null, context: ReplyContext): string
  createWriter(context: ReplyContext): StreamWriter
}

/** How a dialect references items of earlier responses. */
export interface ReferenceAccess {
  /** The references in a body, in order. */
  find(body: JsonObject): readonly ItemReference[]
  /** The body with each reference replaced by its item, in the same order. */
  replace(body: JsonObject, items: readonly JsonObject[]): JsonObject
}

export interface ItemReference {
  readonly id: string
  /** The position in the body, such as `input[3]`. */
  readonly place: string
}

/** How a dialect asks for stored responses. */
export interface StorageAccess {
  /**
   * What a body asks for; null if it asks for nothing. `isDefault` says whether responses are stored unless the body
   * says otherwise.
   */
  asked(body: JsonObject, isDefault: boolean): AskedStorage | null
  /** The body without these fields, with the conversation of an earlier response before its input. */
  continued(
    body: JsonObject,
    earlier: { readonly input: JsonValue[]; readonly response: JsonObject } | null,
  ): JsonObject
  /** The input items, each with an id. */
  inputItems(body: JsonObject, context: Pick<ReplyContext, 'id'>): JsonValue[]
  /** The response before it runs, as a document. */
  queued(context: ReplyContext): string
  /** The same response after it failed. */
  failed(queued: string, error: GatewayError): string
  /** Whether a response has ended with output that a later request can continue. */
  isComplete(response: JsonObject): boolean
  /** The response in a document, or in the last bytes of a stream. */
  endedIn(bytes: string): JsonObject | null
}

export interface AskedStorage {
  readonly isStored: boolean
  /** Whether the client gets the response later. */
  readonly isBackground: boolean
  /** The response whose conversation the request continues. */
  readonly previousId: string | null
}

/**
 * Every dialect that is not a conversation: converts a body to a task, and its result to a document or a few events.
 */
export interface MediaDialect extends AnyDialect {
  readonly family: 'media'
  readonly name: MediaName
  render(result: RenderedResult, charged: Charged | null, context: MediaContext): RenderedDocument
  /** The events of a streamed result. The cost is in the events of `closeStream`, which is called last. */
  writeStream?(result: RenderedResult, context: MediaContext): string
  closeStream?(result: RenderedResult, charged: Charged | null, context: MediaContext): string
  /** The last bytes of a failed stream, or null if only a broken connection can signal the failure. */
  failFrames(error: GatewayError): string | null
}

/** The results that a media dialect renders. Images are already at URLs that the client can fetch. */
export type RenderedResult = Exclude<MediaResult, ImageResult> | HostedImages

export interface HostedImages {
  readonly kind: 'image'
  readonly images: readonly HostedImage[]
  readonly text: string | null
}

export interface RenderedDocument {
  readonly contentType: string
  readonly body: string
}

export interface MediaContext {
  /** The public generation id, `gen-…`. */
  readonly id: string
  readonly createdS: number
  /** Our id of the serving model. */
  readonly model: string
  readonly task: MediaTask
  readonly requestBody: JsonObject
  readonly durationMs: number
}

/** The data that the pipeline needs of a request, whatever its dialect. */
export interface DialectCall extends PromptSize {
  /** The client's model name, without the client-side prefix. */
  readonly modelName: string
  readonly stream: boolean
  /** The output cap, from whichever field set it. */
  readonly maxTokens: number | null
  readonly choiceCount: number
  /** Whether the request offers functions to the model. */
  readonly hasTools: boolean
  /** The body as sent, or converted to this dialect's plain form. */
  readonly body: JsonObject
  /** Number of images that a conversation requests; missing if none. */
  readonly imageCount?: number
  /**
   * Number of images that a conversation shows to the model; missing if none, or if its dialect does not count them.
   */
  readonly shownImages?: number
  /** The task of a media endpoint; missing for conversations. */
  readonly media?: MediaAsk
  /** Messages dropped for models whose context is too small, by model id; missing if none. */
  readonly trims?: ReadonlyMap<string, Trim>
  /** Set if the hold covers everything that an upstream within its cap can count, not just its usual count. */
  readonly holdsExactly?: true
}

export interface MediaAsk {
  readonly task: MediaTask
  /** The maximum usage, for the hold. Units that a provider does not price cost nothing there. */
  readonly worst: Usage
  /** The same with one token per byte of text, which no tokenizer exceeds. Missing if it equals `worst`. */
  readonly most?: Usage
  /** The same for one model, if its limits and defaults matter. Rejects a task that the model cannot produce. */
  readonly fitTo?: (model: Model) => MediaAsk
}

/** The kept messages of a conversation, and the resulting prompt size. */
export interface Trim extends PromptSize {
  readonly keeps: readonly boolean[]
}

export interface Charged {
  readonly usage: Usage
  readonly cost: NanoUsd
  /** The provider's cost, only for a request with an organization's own key; null if unknown. */
  readonly upstreamCost?: NanoUsd | null
}

/** Data that is written into every response. */
export interface ReplyContext {
  /** The public generation id, `gen-…`. */
  readonly id: string
  readonly createdS: number
  /** Our id of the serving model. */
  readonly model: string
  readonly requestBody: JsonObject
  /** The client wants no reasoning text, although the model may reason. */
  readonly excludeReasoning: boolean
  /** Only set for a request with an organization's own key: the provider's cost; null if unknown. */
  readonly upstreamCostOf?: (usage: Usage) => NanoUsd | null
  /** Receives the output items of a complete response; missing if they must not be stored. */
  readonly noteOutput?: (items: readonly JsonObject[]) => void
  /** What the request asks of stored responses; missing if nothing. */
  readonly storage?: AskedStorage
  /** The time, read when a response ends; without it, a response ends when it began. */
  readonly nowS?: () => number
}

/** Writes one stream. Returns the frames to send now, or an empty string. */
export interface StreamWriter {
  write(part: StreamPart): string
  /**
   * The last frames, which contain the cost, so they are requested only after settling. `charged` is null without a
   * usage record.
   */
  close(charged: Charged | null): string
  /** The last frames of a failed stream, in any state. */
  fail(error: GatewayError): string
}
