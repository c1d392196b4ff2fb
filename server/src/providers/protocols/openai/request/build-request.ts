import { isForGateway } from '#domain/inference/gateway-fields.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { addressOf } from '#providers/address-of.ts'
import { credentialHeaders, jsonHeaders } from '#providers/request-headers.ts'
import type { OpenAiQuirks, OpenAiVendor } from '#providers/spec.ts'
import { editMessages } from './edit-messages.ts'
import { optionalFields } from './known-fields.ts'
import { thoughtEdits } from './message-edits.ts'
import { sayThinking } from './say-thinking.ts'
import { thinkingDefault } from './thinking-default.ts'
import { isThinkingField } from './thinking-fields.ts'

/**
 * The request for one candidate. The body travels as the caller wrote it, unknown fields included, except for what
 * is ours to say and what this host would refuse. The caller's body is left alone: another candidate may need it.
 */
export function buildChatRequest(input: ChatRequestInput): ChatRequest {
  const { vendor } = input
  const { origin, prefix, search } = addressOf(input)
  const ignored: string[] = []
  const body = buildBody(input, ignored)
  return {
    origin,
    path: prefix + vendor.chatPath + search,
    headers: { ...jsonHeaders(input.stream), ...credentialHeaders(vendor.authentication, input.credential) },
    body: JSON.stringify(body),
    ignored,
  }
}

export interface ChatRequestInput {
  vendor: OpenAiVendor
  /** The operator's own, in place of the vendor's. */
  baseUrl: string | null
  credential: string | null
  upstreamModel: string
  /** Our id of the model, where the upstream may know it by a name that says nothing. */
  model?: string
  body: JsonObject
  /** Whether the model is one of OpenAI's, which alone are sent a handful of OpenAI's fields. */
  openAiFamily: boolean
  stream: boolean
  /** The output cap, whichever of the two fields gave it; null sends none. */
  maxTokens: number | null
}

export interface ChatRequest {
  origin: string
  path: string
  headers: Record<string, string>
  body: string
  /** Fields of the caller that were dropped because this host or model does not take them. */
  ignored: string[]
}

/** Said below, in the one field that this host takes it in. */
const outputCaps = new Set(['max_tokens', 'max_completion_tokens'])

const openAiOnly = new Set(['user', 'logprobs', 'top_logprobs', 'logit_bias', 'parallel_tool_calls', 'service_tier'])

function buildBody(asked: ChatRequestInput, ignored: string[]): JsonObject {
  const input = { ...asked, vendor: vendorAt(asked) }
  const { body, stream } = input
  const quirks = input.vendor.openai
  const target: JsonObject = { model: input.upstreamModel }
  for (const key of Object.keys(body)) {
    if (outputCaps.has(key) || (isForGateway(key) && quirks.gatewayFields?.includes(key) !== true)) continue
    if (isIgnored(key, input)) ignored.push(key)
    // Zero means no top-k sampling, which hosts express by its absence.
    else if (key !== 'top_k' || body.top_k !== 0) target[key] = body[key]
  }
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

/** Many servers imitate a vendor, and operators reach them by its name and an address of their own. They are not held to its limits. */
function vendorAt({ vendor, baseUrl }: ChatRequestInput): OpenAiVendor {
  const { ownBase } = vendor.openai
  if (ownBase === undefined || baseUrl === null || ownBase.test(baseUrl)) return vendor
  const known = imitated.get(vendor)
  if (known !== undefined) return known
  const { takes: _takes, thoughtsFor: _thoughtsFor, ...openai } = vendor.openai
  const imitation = { ...vendor, openai }
  imitated.set(vendor, imitation)
  return imitation
}

/** Made once for each vendor: a request should not pay for it. */
const imitated = new WeakMap<OpenAiVendor, OpenAiVendor>()

function isIgnored(key: string, { vendor, openAiFamily, upstreamModel }: ChatRequestInput): boolean {
  if (openAiOnly.has(key) && !openAiFamily) return true
  if (key === 'plugins' && vendor.openai.acceptsPlugins === undefined) return true
  if (vendor.openai.refusesFor?.(upstreamModel).includes(key) === true) return true
  // How much to think may be said in other words.
  return optionalFields.has(key) && !isThinkingField(key) && vendor.openai.takes?.has(key) === false
}

/** Exactly one field is sent, since some hosts refuse a request that has both. */
function capFieldOf({ vendor, upstreamModel, model, body }: ChatRequestInput): string {
  const wanted = vendor.openai.outputCapFor?.(upstreamModel, model)
  if (wanted !== undefined) return wanted
  return typeof body.max_completion_tokens === 'number' ? 'max_completion_tokens' : 'max_tokens'
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
