import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonValue } from '#lib/json.ts'
import { checkRole } from '../check-role.ts'
import { refuseManyMessages, refuseManyToolCalls } from '../conversation-limits.ts'
import { checkShownImage } from '../image-url.ts'

const roles = ['user', 'assistant', 'system']

/** Rejects messages that no upstream could read. Unknown block types are passed on. */
export function checkMessages(messages: readonly JsonValue[]): void {
  refuseManyMessages('messages', messages.length)
  let callCount = 0
  for (const [position, message] of messages.entries()) {
    const place = `messages[${position}]`
    if (!isJsonObject(message)) throw malformed(`${place} must be an object.`)
    checkRole(message.role, place, roles)
    const { content } = message
    if (typeof content === 'string') continue
    if (content === undefined || content === null) {
      throw new GatewayError('missingRequiredField', { message: `${place}.content is required.` })
    }
    if (!Array.isArray(content)) throw malformed(`${place}.content must be a string or an array of blocks.`)
    for (const [index, block] of content.entries()) {
      if (checkBlock(block, `${place}.content[${index}]`) === 'tool_use') callCount += 1
    }
    refuseManyToolCalls(callCount)
  }
}

export function checkSystem(system: JsonValue | undefined): void {
  if (system === undefined || system === null || typeof system === 'string') return
  if (!Array.isArray(system)) throw malformed('`system` must be a string or an array of blocks.')
  for (const [index, block] of system.entries()) checkBlock(block, `system[${index}]`)
}

/** Returns the type of the block. */
function checkBlock(block: JsonValue, place: string): string {
  if (!isJsonObject(block) || typeof block.type !== 'string')
    throw malformed(`${place} must be an object with a \`type\`.`)
  switch (block.type) {
    case 'text':
      if (typeof block.text !== 'string') throw malformed(`${place}.text must be a string.`)
      break
    case 'image':
    case 'document':
      if (!isJsonObject(block.source)) throw malformed(`${place}.source must be an object.`)
      if (block.type === 'image' && typeof block.source.url === 'string') {
        checkShownImage(block.source.url, `${place}.source.url`)
      }
      break
    case 'tool_use':
      if (typeof block.id !== 'string' || typeof block.name !== 'string') {
        refuseTools(`${place} needs an \`id\` and a \`name\`.`)
      }
      break
    case 'tool_result':
      if (typeof block.tool_use_id !== 'string') refuseTools(`${place}.tool_use_id is required.`)
      break
    default:
  }
  return block.type
}

function refuseTools(message: string): never {
  throw new GatewayError('malformedToolMessages', { message })
}
