import type { Part } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject, stringAt } from '#lib/json.ts'

/** A whole content block as a part. A block without a canonical form is kept, to be sent back unchanged. */
export function readBlock(block: JsonObject, toolPosition: number): Part {
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: stringAt(block, 'text') ?? '' }
    case 'thinking':
      return readThinking(block)
    case 'redacted_thinking':
      return { kind: 'reasoning', text: '', encrypted: stringAt(block, 'data') ?? '', format: 'anthropic' }
    case 'tool_use': {
      const id = toolCallId(block, toolPosition)
      return { kind: 'tool-call', id, name: stringAt(block, 'name') ?? '', argumentsJson: inputText(block) }
    }
    default:
      return { kind: 'opaque', protocol: 'anthropic', value: block }
  }
}

/** A tool result needs the call's id, so a call without an id gets one. */
export function toolCallId(block: JsonObject, toolPosition: number): string {
  return stringAt(block, 'id') || `call_${toolPosition}`
}

/** Some upstreams send the input as a string. */
export function inputText({ input }: JsonObject): string {
  if (typeof input === 'string' && input !== '') return input
  return isJsonObject(input) || Array.isArray(input) ? JSON.stringify(input) : '{}'
}

function readThinking(block: JsonObject): Part {
  const signature = stringAt(block, 'signature') ?? ''
  const sealed = signature === '' ? {} : { signature }
  return { kind: 'reasoning', text: stringAt(block, 'thinking') ?? '', ...sealed, format: 'anthropic' }
}
