import { isForGateway } from '#domain/inference/gateway-fields.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Target } from '#providers/protocol.ts'
import { thinkingFields } from './thinking-fields.ts'

/**
 * The fields of other dialects that an upstream of this protocol also knows. Strict upstreams would reject the rest.
 */
export function takeExtras(extras: JsonObject, target: Target): TakenExtras {
  const taken: JsonObject = {}
  const ignored: string[] = []
  for (const [name, value] of Object.entries(extras)) {
    if (value === undefined || value === null) continue
    if (known.has(name) || (knownToOpenAi.has(name) && isTaken(name, target))) taken[name] = value
    else if (!isForGateway(name)) ignored.push(name)
  }
  return { extras: taken, ignored, hasThinking: thinkingFields.some((name) => taken[name] !== undefined) }
}

/** OpenAI's own fields are sent to its models, and to other upstreams that list them. */
function isTaken(name: string, { vendor, openAiFamily }: Target): boolean {
  return openAiFamily || (vendor.protocol === 'openai' && vendor.openai.takes?.has(name) === true)
}

interface TakenExtras {
  extras: JsonObject
  ignored: string[]
  /** The client requested thinking in a dialect field. */
  hasThinking: boolean
}

const known = new Set<string>([
  ...thinkingFields,
  'tools',
  'tool_choice',
  'response_format',
  'stream_options',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'structured_outputs',
  'plugins',
  'modalities',
  'audio',
  'image_config',
  'input_audio',
  'prediction',
  'web_search_options',
  'service_tier',
])

const knownToOpenAi = new Set<string>([
  'moderation',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'verbosity',
])
