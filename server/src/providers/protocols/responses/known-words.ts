import { type JsonObject, objectAt, objectsIn } from '#lib/json.ts'
import { type KnownMembers, type NoteUnknown, noteUsage, noteWord } from '#providers/note-unknown.ts'

/** From OpenAI's SDK 7.55, with xAI's additions. */
const usageMembers: KnownMembers = {
  input_tokens: true,
  output_tokens: true,
  total_tokens: true,
  input_tokens_details: {
    cached_tokens: true,
    cache_write_tokens: true,
    cache_write_tokens_details: { ttl_30m_tokens: true, ttl_12h_tokens: true },
    text_tokens: true,
    image_tokens: true,
    audio_tokens: true,
  },
  output_tokens_details: { reasoning_tokens: true, text_tokens: true },
  context_details: true,
  cost_in_usd_ticks: true,
}

/**
 * Items of the client's tools and of the model. All others belong to tools that the provider runs, which the gateway
 * never requests.
 */
const items = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'local_shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
  'tool_search_call',
  'tool_search_output',
])

const contents = new Set(['output_text', 'refusal', 'reasoning_text', 'summary_text'])

const events = new Set([
  'error',
  'response.created',
  'response.queued',
  'response.in_progress',
  'response.failed',
  'response.content_part.added',
  'response.content_part.done',
  'response.output_text.annotation.added',
  'response.output_text.delta',
  'response.output_text.done',
  'response.refusal.delta',
  'response.refusal.done',
  'response.reasoning_text.delta',
  'response.reasoning_text.done',
  'response.reasoning_summary_part.added',
  'response.reasoning_summary_part.done',
  'response.reasoning_summary_text.delta',
  'response.reasoning_summary_text.done',
  'response.function_call_arguments.delta',
  'response.function_call_arguments.done',
  'response.custom_tool_call_input.delta',
  'response.custom_tool_call_input.done',
])

const reasons = new Set(['max_output_tokens', 'max_tokens', 'content_filter'])

/** Reports unknown words in an event, and features that the gateway never requests. */
export function noteResponseEvent(event: JsonObject, note: NoteUnknown): void {
  switch (event.type) {
    case 'response.output_item.done':
      return noteItem(objectAt(event, 'item'), note)
    case 'response.completed':
    case 'response.incomplete':
      return noteEnd(objectAt(event, 'response'), note)
    case 'response.output_item.added':
      return
    default:
      noteWord('event', event.type, events, note)
  }
}

/** The same for a whole response. */
export function noteResponse(response: JsonObject, note: NoteUnknown): void {
  for (const item of objectsIn(response.output)) noteItem(item, note)
  noteEnd(response, note)
}

function noteItem(item: JsonObject, note: NoteUnknown): void {
  noteWord('tool', item.type, items, note)
  if (item.type === 'message') for (const { type } of objectsIn(item.content)) noteWord('block', type, contents, note)
}

function noteEnd(response: JsonObject, note: NoteUnknown): void {
  noteUsage(response.usage, usageMembers, note)
  noteWord('finish_reason', objectAt(response, 'incomplete_details').reason, reasons, note)
}
