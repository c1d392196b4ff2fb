import { type JsonObject, objectAt, objectsIn, stringAt } from '#lib/json.ts'
import { type KnownMembers, type NoteUnknown, noteUsage, noteWord } from '#providers/note-unknown.ts'
import { isKnownStop } from './finish-reason.ts'

/** From Anthropic's SDK 1.9. */
const usageMembers: KnownMembers = {
  input_tokens: true,
  output_tokens: true,
  cache_read_input_tokens: true,
  cache_creation_input_tokens: true,
  cache_creation: { ephemeral_5m_input_tokens: true, ephemeral_1h_input_tokens: true },
  output_tokens_details: { thinking_tokens: true },
  server_tool_use: { web_search_requests: true, web_fetch_requests: true },
  service_tier: true,
  speed: true,
  inference_geo: true,
  iterations: true,
}

const events = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
  'error',
])

const blocks = new Set([
  'text',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'server_tool_use',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'tool_search_tool_result',
])

const serverTools = new Set(['web_search', 'web_fetch', 'tool_search_tool_bm25', 'tool_search_tool_regex'])

/** Reports unknown words in an event or a whole message, and features that the gateway never requests. */
export function noteMessage(event: JsonObject, note: NoteUnknown): void {
  switch (event.type) {
    case 'content_block_delta':
    case 'content_block_stop':
      return
    case 'content_block_start':
      return noteBlock(objectAt(event, 'content_block'), note)
    case 'message_start':
      return noteCounts(objectAt(event, 'message'), note)
    case 'message':
      for (const block of objectsIn(event.content)) noteBlock(block, note)
      noteStop(event, note)
      return noteCounts(event, note)
    case 'message_delta':
      noteStop(objectAt(event, 'delta'), note)
      return noteCounts(event, note)
    default:
      noteWord('event', event.type, events, note)
  }
}

function noteBlock(block: JsonObject, note: NoteUnknown): void {
  noteWord('block', block.type, blocks, note)
  if (block.type === 'server_tool_use') noteWord('tool', block.name, serverTools, note)
}

function noteStop({ stop_reason: reason }: JsonObject, note: NoteUnknown): void {
  noteWord('finish_reason', reason, { has: isKnownStop }, note)
}

/** Anthropic bills for other iterations besides the top-level usage, and the gateway never requests them. */
function noteCounts({ usage }: JsonObject, note: NoteUnknown): void {
  noteUsage(usage, usageMembers, note)
  for (const iteration of objectsIn(objectAt({ usage }, 'usage').iterations)) {
    const type = stringAt(iteration, 'type') ?? 'message'
    if (type !== 'message') note('usage', `iterations.${type}`)
  }
}
