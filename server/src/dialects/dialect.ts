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
import type { JsonObject } from '#lib/json.ts'
import type { PromptAccess } from './prompt-access.ts'
import type { TextAccess } from './texts/text-access.ts'
import type { StrippedCall } from './without-openai-fields.ts'

/** Every dialect, and whether it is a conversation or makes something else. */
interface DialectFamilies {
  chat: 'conversation'
  responses: 'conversation'
  messages: 'conversation'
  embeddings: 'media'
  images: 'media'
  image_edits: 'media'
  speech: 'media'
  transcriptions: 'media'
  videos: 'media'
}

type NameOf<Family> = { [Name in DialectName]: DialectFamilies[Name] extends Family ? Name : never }[DialectName]
type DialectName = keyof DialectFamilies
type ConversationName = NameOf<'conversation'>
type MediaName = NameOf<'media'>

/** What a client speaks. Pure. */
export type Dialect = ConversationDialect | MediaDialect

/** What the pipeline needs of every dialect. */
interface AnyDialect extends TextAccess {
  /** Refuses what no upstream could serve; gives what the pipeline must know. */
  parse(body: JsonObject, files: readonly FormFile[]): DialectCall
  /** Refuses what a model cannot do at any provider. */
  refuseUnfit(call: DialectCall, model: Model): void
  /** What to do about a prompt whose words cannot be read here though an upstream can; null where all can be read. */
  unreadableFor?(call: DialectCall): string | null
  /** Sent while a stream is silent, and how long that may be; null where nothing may stand between the bytes. */
  readonly keepAlive: KeepAlive | null
  /** The body of a refusal before anything was sent. */
  errorBody(error: GatewayError, requestId: string): string
  /** Response headers that this dialect's clients expect beside ours. */
  replyHeaders?(requestId: string): Readonly<Record<string, string>>
}

export interface KeepAlive {
  readonly bytes: string
  /** Left out: as often as the operator has set. */
  readonly everyMs?: number
}

/** Text and its tools: from a body to a canonical call, from canonical parts to frames. */
export interface ConversationDialect extends AnyDialect {
  readonly family: 'conversation'
  readonly name: ConversationName
  parse(body: JsonObject): DialectCall
  readonly prompt: PromptAccess
  /** What can only be judged once the model is known. */
  checkFor?(call: DialectCall, model: { isOpenAiFamily: boolean }): void
  /** The whole call; only needed where the upstream does not speak this dialect itself. */
  toCanonical(call: DialectCall): CanonicalCall
  /**
   * The call for a model outside of OpenAI's family, in dialects that promise some of their fields to that family
   * alone.
   */
  withoutOpenAiFields?(call: CanonicalCall): StrippedCall
  /**
   * The names of tools that the gateway drops, because the upstream would run and bill them or does not support their
   * type.
   */
  leftTools?(body: JsonObject, knowledge: ToolKnowledge): string[]
  /**
   * The body for an upstream that speaks this dialect itself and can read these thoughts, without what others gave the
   * client to keep.
   */
  relayBody?(body: JsonObject, thoughts: ReasoningFormat): JsonObject
  /** Items that a client may refer to by their ids instead of sending them. */
  readonly references?: ReferenceAccess
  renderDocument(reply: CanonicalReply, charged: Charged | null, context: ReplyContext): string
  createWriter(context: ReplyContext): StreamWriter
}

/** How a dialect refers to items of earlier answers. */
export interface ReferenceAccess {
  /** The references of a body, in order. */
  find(body: JsonObject): readonly ItemReference[]
  /** The body with an item in the place of each reference, in the same order. */
  replace(body: JsonObject, items: readonly JsonObject[]): JsonObject
}

export interface ItemReference {
  readonly id: string
  /** Where it stands in the body, such as `input[3]`. */
  readonly place: string
}

/** Everything that is not a conversation: from a body to a task, from its result to a document or a few events. */
export interface MediaDialect extends AnyDialect {
  readonly family: 'media'
  readonly name: MediaName
  render(result: RenderedResult, charged: Charged | null, context: MediaContext): RenderedDocument
  /**
   * The events of a result where a stream was asked for; the cost is in those of `closeStream`, which is called last.
   */
  writeStream?(result: RenderedResult, context: MediaContext): string
  closeStream?(result: RenderedResult, charged: Charged | null, context: MediaContext): string
  /** The last bytes of a stream that failed; null where only a broken connection tells. */
  failFrames(error: GatewayError): string | null
}

/** What a media dialect shows: images are where their client can fetch them. */
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
  /** Our id of the model that answers. */
  readonly model: string
  readonly task: MediaTask
  readonly requestBody: JsonObject
  readonly durationMs: number
}

/** What the pipeline knows of a request, whatever its dialect. */
export interface DialectCall extends PromptSize {
  /** As named by the client, without the client-side prefix. */
  readonly modelName: string
  readonly stream: boolean
  /** The output cap, whichever field gave it. */
  readonly maxTokens: number | null
  readonly choiceCount: number
  /** Whether the model is offered functions to call. */
  readonly hasTools: boolean
  /** As sent, or as it would have been sent in this dialect's plain form. */
  readonly body: JsonObject
  /** How many images a conversation is to answer with; absent where it asked for none. */
  readonly imageCount?: number
  /** How many images a conversation shows to the model; absent where none, or where its dialect does not count them. */
  readonly shownImages?: number
  /** What a media endpoint is asked to make; absent for conversations. */
  readonly media?: MediaAsk
  /** What is left out for models whose context is too small, by model id; absent where nothing is. */
  readonly trims?: ReadonlyMap<string, Trim>
  /** Set if the hold covers everything that an upstream within its cap can count, not just what it usually counts. */
  readonly holdsExactly?: true
}

export interface MediaAsk {
  readonly task: MediaTask
  /** The most that it may come to, for the hold; whatever a host does not price costs nothing there. */
  readonly worst: Usage
  /** The same with a token for each byte of its text, which no vocabulary exceeds. Absent: no more than that. */
  readonly most?: Usage
  /** The same for one model, where its limits and defaults decide; refuses what it cannot make. */
  readonly fitTo?: (model: Model) => MediaAsk
}

/** Which messages of a conversation stay, and what the prompt is then. */
export interface Trim extends PromptSize {
  readonly keeps: readonly boolean[]
}

export interface Charged {
  readonly usage: Usage
  readonly cost: NanoUsd
  /** What the provider bills for it, of a call with an organization's own key alone; null: unknown. */
  readonly upstreamCost?: NanoUsd | null
}

/** What is written into every answer. */
export interface ReplyContext {
  /** The public generation id, `gen-…`. */
  readonly id: string
  readonly createdS: number
  /** Our id of the model that answers. */
  readonly model: string
  readonly requestBody: JsonObject
  /** The client wants no reasoning text, though the model may reason. */
  readonly excludeReasoning: boolean
  /** Set for a call with an organization's own key alone: what the provider bills for it; null: unknown. */
  readonly upstreamCostOf?: (usage: Usage) => NanoUsd | null
  /** Receives the output items of a complete answer; absent where they must not be kept. */
  readonly noteOutput?: (items: readonly JsonObject[]) => void
  /** The time, read when an answer ends; without it, answers end when they began. */
  readonly nowS?: () => number
}

/** Writes one stream. Gives the frames to send at once, or an empty text. */
export interface StreamWriter {
  write(part: StreamPart): string
  /**
   * The last frames, which show the cost: asked for only after it is settled. `charged` is null without a usage record.
   */
  close(charged: Charged | null): string
  /** The last frames of a stream that failed, in whatever state it is. */
  fail(error: GatewayError): string
}
