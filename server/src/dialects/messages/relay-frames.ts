import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { eventFrame } from './frames.ts'

/** The events of a complete message up to its end, for a client that asked for a stream when the upstream sent none. */
export function openingFrames(message: JsonObject, blocks: readonly JsonObject[]): string {
  const usage = withCounts(isJsonObject(message.usage) ? { ...message.usage, output_tokens: 0 } : {})
  // The stop reason is sent at the end.
  const stop = { stop_reason: null, stop_sequence: null, ...('stop_details' in message ? { stop_details: null } : {}) }
  const head = { ...message, content: [], ...stop, usage }
  return eventFrame({ type: 'message_start', message: head }) + blocks.map(blockFrames).join('')
}

/** The end of a message, with usage that clients can rely on. */
export function closingFrames(ending: JsonObject, usage: JsonObject): string {
  const delta = eventFrame({ ...ending, type: 'message_delta', usage: withCounts(usage) })
  return delta + eventFrame({ type: 'message_stop' })
}

/** Clients read these two counts without checking that they exist. */
export function withCounts(usage: JsonObject): JsonObject {
  return { input_tokens: 0, output_tokens: 0, ...usage }
}

function blockFrames(block: JsonObject, index: number): string {
  const { opening, deltas } = splitBlock(block)
  return [
    eventFrame({ type: 'content_block_start', index, content_block: opening }),
    ...deltas.map((delta) => eventFrame({ type: 'content_block_delta', index, delta })),
    eventFrame({ type: 'content_block_stop', index }),
  ].join('')
}

/** Text, reasoning and input come as deltas; every other block is complete from its start. */
function splitBlock(block: JsonObject): { opening: JsonObject; deltas: JsonObject[] } {
  switch (block.type) {
    case 'text':
      return { opening: { ...block, text: '' }, deltas: [{ type: 'text_delta', text: block.text }] }
    case 'thinking': {
      const deltas = [
        { type: 'thinking_delta', thinking: block.thinking },
        { type: 'signature_delta', signature: block.signature },
      ]
      return { opening: { ...block, thinking: '', signature: '' }, deltas }
    }
    case 'tool_use':
    case 'server_tool_use': {
      const json = JSON.stringify(block.input ?? {})
      return { opening: { ...block, input: {} }, deltas: [{ type: 'input_json_delta', partial_json: json }] }
    }
    default:
      return { opening: block, deltas: [] }
  }
}
