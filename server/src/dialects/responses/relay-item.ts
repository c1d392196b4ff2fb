import type { ReasoningFormat } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'
import { readReasoningItem } from './sealed-reasoning.ts'
import { readCallId } from './signed-call-id.ts'

/**
 * An input item for an upstream that speaks this dialect and reads this reasoning format; empty if the upstream would
 * reject the item.
 */
export function relayItem(item: JsonValue, thoughts: ReasoningFormat): JsonValue[] {
  if (!isJsonObject(item)) return [item]
  switch (item.type ?? 'message') {
    case 'reasoning':
      return relayThought(item, thoughts)
    case 'message':
      return [{ ...withoutOurId(item), ...(Array.isArray(item.content) ? { content: relayBlocks(item.content) } : {}) }]
    case 'function_call':
    case 'custom_tool_call':
      return [{ ...withoutOurId(item), call_id: readCallId(stringAt(item, 'call_id') ?? '').id }]
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const output = Array.isArray(item.output) ? { output: relayBlocks(item.output) } : {}
      return [{ ...withoutOurId(item), call_id: readCallId(stringAt(item, 'call_id') ?? '').id, ...output }]
    }
    // Another model created the image, so this upstream does not know the call.
    case 'image_generation_call':
      return isOurs(item.id) ? [] : [item]
    default:
      return [item]
  }
}

/** Nothing is stored, so reasoning is useful only with the data that the upstream itself encrypted. */
function relayThought(item: JsonObject, thoughts: ReasoningFormat): JsonObject[] {
  const part = readReasoningItem(item)
  if (part?.kind !== 'reasoning' || part.format !== thoughts || part.encrypted === undefined) return []
  if (part.encrypted === item.encrypted_content) return [withoutOurId(item)]
  return [
    {
      type: 'reasoning',
      ...(part.id === undefined ? {} : { id: part.id }),
      summary: part.text === '' ? [] : [{ type: 'summary_text', text: part.text }],
      encrypted_content: part.encrypted,
    },
  ]
}

/** A file id would refer to the operator's files. Prompt cache markers are for other vendors. */
function relayBlocks(blocks: readonly JsonValue[]): JsonValue[] {
  return blocks
    .filter((block) => !(isJsonObject(block) && typeof block.file_id === 'string'))
    .map((block) => {
      if (!isJsonObject(block) || block.cache_control === undefined) return block
      const { cache_control: _, ...rest } = block
      return rest
    })
}

function withoutOurId(item: JsonObject): JsonObject {
  if (!isOurs(item.id)) return item
  const { id: _, ...rest } = item
  return rest
}

function isOurs(id: JsonValue | undefined): boolean {
  return typeof id === 'string' && ourId.test(id)
}

const ourId = /^[a-z]+_weir_/
