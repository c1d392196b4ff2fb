import { isJsonObject, type JsonObject, objectsIn } from '#lib/json.ts'
import { type KnownMembers, type NoteUnknown, noteUsage, noteWord } from '#providers/note-unknown.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'
import { isKnownFinish } from './finish-reason.ts'

const promptDetails: KnownMembers = {
  cached_tokens: true,
  cache_write_tokens: true,
  cache_write_tokens_details: { ttl_30m_tokens: true, ttl_12h_tokens: true },
  cache_creation_input_tokens: true,
  cache_creation: true,
  cache_type: true,
  audio_tokens: true,
  image_tokens: true,
  text_tokens: true,
  video_tokens: true,
}

/**
 * The usage members of OpenAI, and those that compatible providers add. We list a member once we know whether it is
 * billed.
 */
const usageMembers: KnownMembers = {
  prompt_tokens: true,
  completion_tokens: true,
  total_tokens: true,
  prompt_tokens_details: promptDetails,
  prompt_token_details: promptDetails,
  completion_tokens_details: {
    reasoning_tokens: true,
    audio_tokens: true,
    image_tokens: true,
    text_tokens: true,
    // Part of the completion tokens.
    accepted_prediction_tokens: true,
    rejected_prediction_tokens: true,
  },
  // DeepSeek, Moonshot, Together, Mistral: cached tokens.
  prompt_cache_hit_tokens: true,
  prompt_cache_miss_tokens: true,
  cached_tokens: true,
  num_cached_tokens: true,
  reasoning_tokens: true,
  // Searches, and their cost as stated by the provider.
  server_tool_use: { web_search_requests: true },
  num_sources_used: true,
  num_search_queries: true,
  search_context_size: true,
  citation_tokens: true,
  cost: true,
  cost_details: true,
  cost_in_usd_ticks: true,
  estimated_cost: true,
  is_byok: true,
  // Durations.
  queue_time: true,
  prompt_time: true,
  completion_time: true,
  total_time: true,
  start_time: true,
  end_time: true,
  total_latency: true,
  time_to_first_token: true,
  completion_tokens_per_sec: true,
  completion_tokens_after_first_per_sec: true,
  completion_tokens_after_first_per_sec_first_ten: true,
  total_tokens_per_sec: true,
  acceptance_rate: true,
  is_last_response: true,
  stop_reason: true,
  // MiniMax, and servers that also count in other units.
  total_characters: true,
}

const tools = new Set(['function', 'custom'])

/**
 * Reports unknown words in a chunk or completion. It must run before normalization, which replaces unknown finish
 * reasons.
 */
export function noteChunk(chunk: JsonObject, quirks: OpenAiQuirks, note: NoteUnknown): void {
  const usage = isJsonObject(chunk.usage) ? chunk.usage : quirks.findUsage?.(chunk)
  if (usage !== undefined) noteUsage(usage, usageMembers, note)
  for (const choice of objectsIn(chunk.choices)) {
    noteWord('finish_reason', choice.finish_reason, { has: (word) => isKnownFinish(word, quirks) }, note)
    for (const said of [choice.delta, choice.message]) {
      if (!isJsonObject(said) || said.tool_calls === undefined) continue
      for (const call of objectsIn(said.tool_calls)) noteWord('tool', call.type, tools, note)
    }
  }
}
