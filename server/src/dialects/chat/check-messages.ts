import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'
import { checkRole } from '../check-role.ts'
import { refuseManyMessages, refuseManyToolCalls } from '../conversation-limits.ts'
import { checkShownImage } from '../image-url.ts'
import { refuseUnknownType } from '../refuse-unknown-type.ts'

// `function` is the legacy role of tool results.
const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function']

/** Rejects messages that no upstream could read. Returns the number of images. */
export function checkMessages(messages: readonly JsonValue[]): number {
  refuseManyMessages('messages', messages.length)
  const callIds = new Set<string>()
  let callCount = 0
  let imageCount = 0
  for (const [position, message] of messages.entries()) {
    if (!isJsonObject(message)) throw malformed(`messages[${position}] must be an object.`)
    checkRole(message.role, `messages[${position}]`, roles)
    imageCount += checkContent(message, position)
    if (message.role === 'tool') checkToolResult(message, position, callIds)
    callCount += callCountIn(message)
    refuseManyToolCalls(callCount)
    for (const id of callIdsIn(message)) callIds.add(id)
  }
  return imageCount
}

function checkToolResult(message: JsonObject, position: number, callIds: ReadonlySet<string>): void {
  const id = message.tool_call_id
  if (typeof id !== 'string') refuseResult(`messages[${position}].tool_call_id is required.`)
  if (!callIds.has(id)) refuseResult(`messages[${position}].tool_call_id does not match an earlier tool call.`)
}

function callCountIn({ tool_calls: calls }: JsonObject): number {
  return Array.isArray(calls) ? calls.length : 0
}

function callIdsIn({ role, tool_calls: calls }: JsonObject): string[] {
  if (role !== 'assistant' || !Array.isArray(calls)) return []
  return calls.flatMap((call) => (isJsonObject(call) ? (stringAt(call, 'id') ?? []) : []))
}

function checkContent(message: JsonObject, position: number): number {
  const { content, role } = message
  if (typeof content === 'string') return 0
  if (content === undefined || content === null) {
    if (role === 'assistant') return 0
    throw new GatewayError('missingRequiredField', { message: `messages[${position}].content is required.` })
  }
  if (!Array.isArray(content)) throw malformed(`messages[${position}].content must be a string or an array of parts.`)
  let imageCount = 0
  for (const [index, part] of content.entries()) {
    if (checkPart(part, `messages[${position}].content[${index}]`) === 'image_url') imageCount += 1
  }
  return imageCount
}

function checkPart(part: JsonValue, place: string): string {
  if (!isJsonObject(part) || typeof part.type !== 'string')
    throw malformed(`${place} must be an object with a \`type\`.`)
  switch (part.type) {
    case 'text':
      if (typeof part.text !== 'string') throw malformed(`${place}.text must be a string.`)
      break
    case 'image_url':
      checkShownImage(urlIn(part.image_url, `${place}.image_url`), `${place}.image_url.url`)
      break
    case 'video_url':
      urlIn(part.video_url, `${place}.video_url`)
      break
    case 'file':
      checkFile(part.file, `${place}.file`)
      break
    case 'input_audio':
      checkAudio(part.input_audio, `${place}.input_audio`)
      break
    default:
      refuseUnknownType(part.type, partTypes, place)
  }
  return part.type
}

// Some upstreams return parts of type `thinking`, and read them in later messages.
const partTypes = new Set(['text', 'image_url', 'file', 'input_audio', 'video_url', 'refusal', 'thinking'])

function urlIn(holder: JsonValue | undefined, place: string): string {
  if (isJsonObject(holder) && typeof holder.url === 'string' && holder.url !== '') return holder.url
  throw malformed(`${place}.url must be a string.`)
}

function checkFile(file: JsonValue | undefined, place: string): void {
  if (!isJsonObject(file)) throw malformed(`${place} must be an object.`)
  const data = file.file_data
  // Files known to the upstream by id have no data.
  if (data === undefined && typeof file.file_id === 'string') return
  if (typeof data !== 'string') throw malformed(`${place}.file_data must be a base64 data URI.`)
  if (!isDataUri(data)) throw malformed(`${place}.file_data must be a base64 data URI; URLs are not accepted.`)
  if (isPdf(data) && isEncryptedPdf(data)) {
    throw malformed(`${place} is a password-protected PDF. Remove the password and send it again.`)
  }
}

// Scheme and media type may be written in any case.
function isDataUri(text: string): boolean {
  return text.slice(0, 5).toLowerCase() === 'data:'
}

function isPdf(dataUri: string): boolean {
  return /^data:application\/pdf/i.test(dataUri)
}

// An encrypted document names its encryption dictionary in the trailer, which is never compressed itself.
function isEncryptedPdf(dataUri: string): boolean {
  const bytes = Buffer.from(dataUri.slice(dataUri.indexOf(',') + 1), 'base64')
  return /\/Encrypt\s*(?:\d+\s+\d+\s+R|<<)/.test(bytes.toString('latin1'))
}

function checkAudio(audio: JsonValue | undefined, place: string): void {
  if (!isJsonObject(audio)) throw malformed(`${place} must be an object.`)
  if (typeof audio.data !== 'string') throw malformed(`${place}.data must be base64.`)
  if (isDataUri(audio.data)) throw malformed(`${place}.data must be raw base64, without a data URI prefix.`)
  if (typeof audio.format !== 'string' || audio.format === '')
    throw malformed(`${place}.format is required, for example "wav" or "mp3".`)
}

function refuseResult(message: string): never {
  throw new GatewayError('malformedToolMessages', { message })
}
