import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import { messagesDialect } from '#dialects/messages/messages-dialect.ts'
import type { ServiceTier } from '#domain/inference/service-tier.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Asked } from './converse.ts'

/** Sixteen tokens, because some providers reject a lower cap. */
const common = { messages: [{ role: 'user', content: 'Say hi.' }], max_tokens: 16 }

/** A short chat with these fields. */
export function chatCall({ model }: Candidate, fields: JsonObject): Asked {
  return { dialect: chatDialect, call: chatDialect.parse({ model: model.id, ...common, ...fields }) }
}

export const toolFields: JsonObject = {
  tools: [{ type: 'function', function: { name: 'get_time', parameters: { type: 'object', properties: {} } } }],
  tool_choice: 'auto',
}

// The reasoning budget must be below the cap, and Claude accepts no budget below 1,024.
export const thinkingFields: JsonObject = { reasoning: { effort: 'low' }, max_tokens: 2_048 }

/** Requests a service tier, in the form that the model's author uses. */
export function tierCall(candidate: Candidate, tier: ServiceTier): Asked {
  if (candidate.model.author !== 'anthropic') return chatCall(candidate, { service_tier: tier })
  const speed = tier === 'priority' ? { speed: 'fast' } : {}
  return { dialect: messagesDialect, call: messagesDialect.parse({ model: candidate.model.id, ...common, ...speed }) }
}

/** One search, with enough output tokens for its result. */
export function searchCall(candidate: Candidate): Asked {
  const messages = [{ role: 'user', content: 'Search the web: which version of Node.js is the newest? One line.' }]
  return chatCall(candidate, { messages, max_tokens: 512, plugins: [{ id: 'web', max_results: 1 }] })
}

/** Providers cache prompts of 1,024 tokens or more; some Claude models need 4,096. */
const handbook = Array.from({ length: 450 }, (_, line) => `Line ${line + 1} of the handbook says nothing new.`).join(
  '\n',
)

/** A prompt that is long enough for every cache, with `cache_control` for providers that need it. */
export function cacheCall(candidate: Candidate): Asked {
  const content = [{ type: 'text', text: handbook, cache_control: { type: 'ephemeral' } }]
  return chatCall(candidate, { messages: [{ role: 'system', content }, ...common.messages] })
}
