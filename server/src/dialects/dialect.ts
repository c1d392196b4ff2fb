import type { CanonicalCall } from '#domain/inference/call.ts'
import type { CanonicalReply } from '#domain/inference/reply.ts'
import type { PromptSize } from '#domain/inference/prompt-matter.ts'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import type { UsageClasses } from '#domain/inference/usage.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import type { PromptAccess } from './prompt-access.ts'
import type { TextAccess } from './texts/text-access.ts'
import type { StrippedCall } from './without-openai-fields.ts'

export const dialectNames = ['chat', 'responses', 'messages'] as const
export type DialectName = (typeof dialectNames)[number]

/** What a caller speaks: from its body to a canonical call, from canonical parts to its frames. Pure. */
export interface Dialect extends TextAccess {
  readonly name: DialectName
  readonly prompt: PromptAccess
  /** Refuses what no upstream could serve; gives what the pipeline must know. */
  parse(body: JsonObject): DialectCall
  /** What can only be judged once the model is known. */
  checkFor?(call: DialectCall, model: { isOpenAiFamily: boolean }): void
  /** The whole call; only needed where the upstream does not speak this dialect itself. */
  toCanonical(call: DialectCall): CanonicalCall
  /** The call for a model outside of OpenAI's family, in dialects that promise some of their fields to that family alone. */
  withoutOpenAiFields?(call: CanonicalCall): StrippedCall
  /** The body for an upstream that speaks this dialect itself, without what others gave the caller to keep. */
  relayBody?(body: JsonObject): JsonObject
  renderDocument(reply: CanonicalReply, charged: Charged | null, context: ReplyContext): string
  createWriter(context: ReplyContext): StreamWriter
  /** Sent while a stream is silent. */
  readonly keepAlive: string
  /** The body of a refusal before anything was sent. */
  errorBody(error: GatewayError, requestId: string): string
  /** Response headers that this dialect's clients expect beside ours. */
  replyHeaders?(requestId: string): Readonly<Record<string, string>>
}

/** What the pipeline knows of a request, whatever its dialect. */
export interface DialectCall extends PromptSize {
  /** As named by the caller, without the client-side prefix. */
  readonly modelName: string
  readonly stream: boolean
  /** The output cap, whichever field gave it. */
  readonly maxTokens: number | null
  readonly choiceCount: number
  /** Whether the model is offered functions to call. */
  readonly hasTools: boolean
  /** As sent, or as it would have been sent in this dialect's plain form. */
  readonly body: JsonObject
  /** What is left out for models whose context is too small, by model id; absent where nothing is. */
  readonly trims?: ReadonlyMap<string, Trim>
}

/** Which messages of a conversation stay, and what the prompt is then. */
export interface Trim extends PromptSize {
  readonly keeps: readonly boolean[]
}

export interface Charged {
  readonly usage: UsageClasses
  readonly cost: NanoUsd
  /** What the provider bills for it, of a call with an organization's own key alone; null: nobody knows. */
  readonly upstreamCost?: NanoUsd | null
}

/** What is written into every answer, whoever gave it. */
export interface ReplyContext {
  /** The public generation id, `gen-…`. */
  readonly id: string
  readonly createdS: number
  /** Our id of the model that answers. */
  readonly model: string
  readonly requestBody: JsonObject
  /** The caller wants no reasoning text, though the model may reason. */
  readonly excludeReasoning: boolean
  /** Set for a call with an organization's own key alone: what the provider bills for it; null: nobody knows. */
  readonly upstreamCostOf?: (usage: UsageClasses) => NanoUsd | null
  /** The time, read when an answer ends; without it, answers end when they began. */
  readonly nowS?: () => number
}

/** Writes one stream. Gives the frames to send at once, or an empty text. */
export interface StreamWriter {
  write(part: StreamPart): string
  /** The last frames, which show the cost: asked for only after it is settled. `charged` is null without a usage record. */
  close(charged: Charged | null): string
  /** The last frames of a stream that failed, in whatever state it is. */
  fail(error: GatewayError): string
}
