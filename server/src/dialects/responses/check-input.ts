import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { checkRole } from '../check-role.ts'
import { refuseManyMessages, refuseManyToolCalls } from '../conversation-limits.ts'
import { checkShownImage } from '../image-url.ts'
import { sendItemsAdvice } from '../send-items-advice.ts'
import { refuseUnknownType } from '../refuse-unknown-type.ts'

/** Rejects input that no upstream could read. */
export function checkInput(input: JsonValue | undefined): void {
  if (input === undefined || input === null) {
    throw new GatewayError('missingRequiredField', { message: 'The field `input` is required.' })
  }
  if (typeof input === 'string') {
    if (input === '') throw malformed('`input` must not be empty.')
    return
  }
  if (!Array.isArray(input)) throw malformed('`input` must be a string or an array of items.')
  if (input.length === 0) throw malformed('`input` must contain at least one item.')
  refuseManyMessages('input', input.length)
  let callCount = 0
  for (const [position, item] of input.entries()) {
    if (checkItem(item, `input[${position}]`) === 'function_call') callCount += 1
  }
  refuseManyToolCalls(callCount)
}

/** Returns the type of the item. */
function checkItem(item: JsonValue, place: string): JsonValue {
  if (!isJsonObject(item)) throw malformed(`${place} must be an object.`)
  const type = item.type ?? 'message'
  switch (type) {
    case 'message':
      checkMessage(item, place)
      break
    case 'function_call':
      checkNames(item, ['call_id', 'name'], place)
      break
    case 'function_call_output':
      checkNames(item, ['call_id'], place)
      break
    case 'item_reference':
      // If items are stored, references were replaced before this check.
      if (typeof item.id !== 'string' || item.id === '') throw malformed(`${place}.id must be the id of an item.`)
      throw new GatewayError('invalidPrompt', {
        message: `${place} refers to an item by its id, but this gateway keeps no items. ${sendItemsAdvice}`,
      })
    default:
      if (typeof type !== 'string') throw malformed(`${place}.type must be a string.`)
      refuseUnknownType(type, itemTypes, place)
  }
  return type
}

/**
 * The item types of the API. Calls of provider-run tools pass to upstreams of this dialect, and other upstreams don't
 * get them.
 */
const itemTypes = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'tool_search_call',
  'tool_search_output',
  'additional_tools',
  'configuration_update',
  'compaction',
  'compaction_trigger',
  'local_shell_call',
  'local_shell_call_output',
  'shell_call',
  'shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
  'computer_call',
  'computer_call_output',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'mcp_call',
  'program',
  'program_output',
])

const blockTypes = new Set([
  'input_text',
  'output_text',
  'text',
  'input_image',
  'image_url',
  'input_file',
  'input_audio',
  'input_video',
  'refusal',
])

const roles = ['user', 'assistant', 'system', 'developer']

function checkMessage(item: JsonObject, place: string): void {
  checkRole(item.role, place, roles)
  const { content } = item
  if (typeof content === 'string') return
  if (!Array.isArray(content)) throw malformed(`${place}.content must be a string or an array of blocks.`)
  for (const [index, block] of content.entries()) {
    if (!isJsonObject(block) || typeof block.type !== 'string') {
      throw malformed(`${place}.content[${index}] must be an object with a \`type\`.`)
    }
    refuseUnknownType(block.type, blockTypes, `${place}.content[${index}]`)
    if (block.type === 'input_image' && typeof block.image_url === 'string') {
      checkShownImage(block.image_url, `${place}.content[${index}].image_url`)
    }
  }
}

function checkNames(item: JsonObject, names: readonly string[], place: string): void {
  for (const name of names) {
    if (typeof item[name] !== 'string' || item[name] === '') {
      throw new GatewayError('malformedToolMessages', { message: `${place}.${name} is required.` })
    }
  }
}
