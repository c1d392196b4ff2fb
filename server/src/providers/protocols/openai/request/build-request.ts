import { isForGateway } from '#domain/inference/gateway-fields.ts'
import type { OutputCapField } from '#domain/routing/trait-overrides.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { oncePer } from '#lib/once-per.ts'
import { addressOf } from '#providers/address-of.ts'
import { applyFeatures } from '#providers/features/apply-features.ts'
import { credentialHeaders, jsonHeaders } from '#providers/request-headers.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'
import type { OpenAiTarget } from '../openai-target.ts'
import { editMessages } from './edit-messages.ts'
import { chatFeaturesOf } from './features.ts'
import { optionalFields } from './known-fields.ts'
import { thoughtEdits } from './message-edits.ts'
import { isForeignCap, isOutputCap } from './output-cap.ts'
import { sayThinking } from './say-thinking.ts'
import { stripMarks } from './strip-marks.ts'
import { thinkingDefault } from './thinking-default.ts'
import { isThinkingField } from './thinking-fields.ts'
import { keepsMarks } from './turn-messages.ts'

/**
 * The request for one candidate. The client's body is sent unchanged, unknown fields included, except for fields that
 * the gateway sets and fields that this upstream would reject. The client's object is not modified: another candidate
 * may need it.
 */
export function buildChatRequest(target: OpenAiTarget, call: ChatCall): ChatRequest {
  const { origin, path, headers } = headOf(target)
  const ignored: string[] = []
  const body = buildBody({ ...target, ...call }, ignored)
  return {
    origin,
    path,
    headers: call.stream ? headers.ofStream : headers.ofDocument,
    body: JSON.stringify(body),
    ignored,
  }
}

/** The part of a request that its body does not change. */
const headOf = oncePer((target: OpenAiTarget) => {
  const { authentication, chatPath } = target.vendor
  const { origin, prefix, search } = addressOf(target)
  const credential = credentialHeaders(authentication, target.credential)
  return {
    origin,
    path: prefix + chatPath + search,
    headers: {
      ofStream: { ...jsonHeaders(true), ...credential },
      ofDocument: { ...jsonHeaders(false), ...credential },
    },
  }
})

export interface ChatRequestInput extends OpenAiTarget, ChatCall {}

interface ChatCall {
  body: JsonObject
  stream: boolean
  /** The output cap, from either of the two fields. Null sends none. */
  maxTokens: number | null
}

interface ChatRequest {
  origin: string
  path: string
  headers: Readonly<Record<string, string>>
  body: string
  /** Client fields that were dropped because this upstream or model does not accept them. */
  ignored: string[]
}

/** Sent only to OpenAI's models, as the contract says. */
export const openAiOnly: ReadonlySet<string> = new Set([
  'user',
  'logprobs',
  'top_logprobs',
  'logit_bias',
  'parallel_tool_calls',
  'service_tier',
])

function buildBody(input: ChatRequestInput, ignored: string[]): JsonObject {
  const { stream } = input
  const { body, left } = applyFeatures(input.body, chatFeaturesOf(input.vendor), input.prices)
  ignored.push(...left)
  const quirks = input.vendor.openai
  const target: JsonObject = { model: input.upstreamModel }
  for (const key of Object.keys(body)) {
    if (isOutputCap(key) || (isForGateway(key) && quirks.gatewayFields?.includes(key) !== true)) continue
    if (isIgnored(key, input)) ignored.push(key)
    // Zero means no top-k sampling, which is expressed by omitting the field.
    else if (key !== 'top_k' || body.top_k !== 0) target[key] = body[key]
  }
  if (isStrictAboutMarks(input) && stripMarks(target)) ignored.push('cache_control')
  ignored.push(...sayThinking(target, input))
  Object.assign(target, thinkingDefault(body, input))
  if (input.maxTokens !== null) target[capFieldOf(input)] = input.maxTokens
  target.stream = stream
  if (stream && quirks.streamUsage === 'ask') target.stream_options = streamOptionsOf(body)
  rename(target, quirks)
  const thoughts = quirks.thoughtsFor?.(input.upstreamModel)
  if (thoughts !== undefined) editMessages(target, thoughtEdits[thoughts])
  quirks.finishBody?.(target)
  return target
}

function isIgnored(key: string, input: ChatRequestInput): boolean {
  const { vendor, openAiFamily, upstreamModel, overrides } = input
  if (isForeignCap(key)) return true
  if (overrides?.send !== undefined && Object.hasOwn(overrides.send, key)) return false
  if (openAiOnly.has(key) && !openAiFamily) return true
  if (key === 'plugins' && vendor.openai.acceptsPlugins === undefined) return true
  if (vendor.openai.refusesFor?.(upstreamModel).includes(key) === true) return true
  // Thinking can be requested in other fields.
  return optionalFields.has(key) && !isThinkingField(key) && vendor.openai.takes?.has(key) === false
}

/** Upstreams with a fixed list of fields also reject unknown members of a message. */
function isStrictAboutMarks(input: ChatRequestInput): boolean {
  return input.vendor.openai.takes !== undefined && !keepsMarks(input)
}

/**
 * Sends exactly one field, because some providers reject a request with both. The client does not choose it: an
 * upstream that ignores the name would respond without a cap, and the operator would pay for output that no hold
 * covers.
 */
function capFieldOf({ vendor, upstreamModel, model }: ChatRequestInput): OutputCapField {
  return vendor.openai.outputCapFor?.(upstreamModel, model) ?? 'max_tokens'
}

function streamOptionsOf(body: JsonObject): JsonObject {
  const options = body.stream_options
  return isJsonObject(options) ? { ...options, include_usage: true } : { include_usage: true }
}

function rename(target: JsonObject, { renames }: OpenAiQuirks): void {
  if (renames === undefined) return
  for (const [from, to] of Object.entries(renames)) {
    const value = target[from]
    if (value === undefined) continue
    delete target[from]
    target[to] = value
  }
}
