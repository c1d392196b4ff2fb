import { assert } from '#lib/assert.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { OpenAiQuirks, OpenAiVendor } from '#providers/spec.ts'
import { thinkingDefault } from './thinking-default.ts'

/**
 * The request for one candidate. The body travels as the caller wrote it, unknown fields included, except for what
 * is ours to say and what this host would refuse. The caller's body is left alone: another candidate may need it.
 */
export function buildChatRequest(input: ChatRequestInput): ChatRequest {
  const { vendor, credential, stream } = input
  const { origin, path } = locate(vendor, input.baseUrl)
  const ignored: string[] = []
  const body = buildBody(input, ignored)
  return { origin, path, headers: headersFor(vendor, credential, stream), body: JSON.stringify(body), ignored }
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

/** Said by us below, meant for the gateway alone, or, in the last case, a trap for whoever assigns by key. */
export const neverCopied: ReadonlySet<string> = new Set([
  'model',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'models',
  'route',
  'provider',
  'transforms',
  'usage',
  'max_cost_usd',
  '__proto__',
])

const openAiOnly = new Set(['user', 'logprobs', 'top_logprobs', 'logit_bias', 'parallel_tool_calls', 'service_tier'])

function buildBody(input: ChatRequestInput, ignored: string[]): JsonObject {
  const { body, stream } = input
  const quirks = input.vendor.openai
  const target: JsonObject = { model: input.upstreamModel }
  for (const key of Object.keys(body)) {
    if (neverCopied.has(key) && quirks.gatewayFields?.includes(key) !== true) continue
    if (isIgnored(key, input)) ignored.push(key)
    // Zero means no top-k sampling, which hosts express by its absence.
    else if (key !== 'top_k' || body.top_k !== 0) target[key] = body[key]
  }
  Object.assign(target, thinkingDefault(body, [input.upstreamModel, input.model ?? '']))
  if (input.maxTokens !== null) target[capFieldOf(input)] = input.maxTokens
  target.stream = stream
  if (stream && quirks.streamUsage === 'ask') target.stream_options = streamOptionsOf(body)
  rename(target, quirks)
  quirks.finishBody?.(target)
  return target
}

function isIgnored(key: string, { vendor, openAiFamily }: ChatRequestInput): boolean {
  if (openAiOnly.has(key) && !openAiFamily) return true
  if (key === 'plugins' && vendor.openai.acceptsPlugins === undefined) return true
  return vendor.openai.refuses?.includes(key) ?? false
}

/** Exactly one field is sent, since some hosts refuse a request that has both. */
function capFieldOf({ vendor, upstreamModel, body }: ChatRequestInput): string {
  const wanted = vendor.openai.outputCapFor?.(upstreamModel)
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

function locate(vendor: OpenAiVendor, ownBaseUrl: string | null): { origin: string; path: string } {
  const baseUrl = ownBaseUrl ?? vendor.baseUrl
  assert(baseUrl !== null, `${vendor.slug} has no base URL, so its account must give one`)
  const { origin, pathname, search } = new URL(baseUrl)
  const prefix = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
  return { origin, path: prefix + vendor.chatPath + search }
}

/** Nothing of the caller's headers travels on. Encoded bodies are not asked for: streams are scanned as bytes. */
function headersFor(vendor: OpenAiVendor, credential: string | null, stream: boolean): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: stream ? 'text/event-stream' : 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'weir',
  }
  const { authentication } = vendor
  if (credential === null) return headers
  if (authentication.kind === 'header') headers[authentication.name] = credential
  else headers.authorization = `Bearer ${credential}`
  return headers
}
