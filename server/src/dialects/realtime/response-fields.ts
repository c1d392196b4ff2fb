import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectsIn } from '#lib/json.ts'
import { missingField } from '../media-fields.ts'
import {
  type Fields,
  functionsOnly,
  knownFields,
  outputCap,
  textOnly,
  unsupported,
  voiceName,
  within,
} from './known-fields.ts'

/** Images count in tokens that no catalogue prices for these models. */
function readContent(value: JsonValue, place: string): JsonValue {
  if (!Array.isArray(value)) throw malformed(`\`${place}\` must be an array.`)
  const other = value.findIndex((part) => !isJsonObject(part) || !contentTypes.has(part.type))
  if (other === -1) return value
  throw unsupported(`${place}[${other}]`, 'Content is text or audio.')
}

const contentTypes: ReadonlySet<JsonValue | undefined> = new Set([
  'input_text',
  'input_audio',
  'output_text',
  'output_audio',
])

const itemTypes: ReadonlySet<JsonValue> = new Set([
  'message',
  'function_call',
  'function_call_output',
  'item_reference',
])

const itemFields: Fields = {
  id: 'keep',
  object: 'keep',
  status: 'keep',
  role: 'keep',
  call_id: 'keep',
  name: 'keep',
  arguments: textOnly,
  output: textOnly,
  content: readContent,
  type: (value, place) => {
    if (itemTypes.has(value)) return value
    throw unsupported(place)
  },
}

export function readItem(value: JsonValue | undefined, place = 'item'): JsonObject {
  const item = knownFields(value, itemFields, place)
  if (item.type === undefined) throw missingField(`${place}.type`)
  return item
}

/** Whether a response refers to items of the session, each of which it may read any number of times. */
export function refersToItems({ input }: JsonObject): boolean {
  return objectsIn(input).some(({ type }) => type === 'item_reference')
}

const responseFields: Fields = {
  instructions: textOnly,
  output_modalities: 'keep',
  audio: within({ output: within({ format: 'keep', voice: voiceName }) }),
  tools: functionsOnly,
  tool_choice: 'keep',
  parallel_tool_calls: 'keep',
  max_output_tokens: outputCap,
  reasoning: 'keep',
  conversation: 'keep',
  metadata: 'keep',
  input: (value, place) => {
    if (!Array.isArray(value)) throw malformed(`\`${place}\` must be an array.`)
    return value.map((item, index) => readItem(item, `${place}[${index}]`))
  },
}

export function readResponse(value: JsonValue | undefined): JsonObject {
  return value === undefined || value === null ? {} : knownFields(value, responseFields, 'response')
}
