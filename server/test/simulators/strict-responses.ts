import { isJsonObject, type JsonObject, type JsonValue } from './json-value.ts'
import type { StrictRefusal } from './strict-refusal.ts'

/**
 * OpenAI's own error for a Responses request with something unsupported, by its SDK 7.53 and community reports; null if
 * it accepts everything.
 */
export function refusalOfResponses(body: JsonObject): StrictRefusal | null {
  const stranger = strangerIn(body)
  if (stranger !== undefined) return refuse(`Unknown parameter: '${stranger}'.`, stranger, 'unknown_parameter')
  const [complaint] = complaintsAbout(body)
  return complaint ?? null
}

const fields = words(`access_programs background context_management conversation image include input instructions
  max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key
  prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature
  text tool_choice tools top_logprobs top_p truncation user`)

const inside: Readonly<Record<string, ReadonlySet<string>>> = {
  reasoning: words('context effort generate_summary mode summary'),
  text: words('format verbosity'),
  stream_options: words('include_obfuscation'),
}

const itemFields: Readonly<Record<string, ReadonlySet<string>>> = {
  message: words('type role content id status phase'),
  reasoning: words('type id summary content encrypted_content status'),
  function_call: words('type id call_id name arguments status'),
  function_call_output: words('type id call_id output status'),
  custom_tool_call: words('type id call_id name input status'),
  custom_tool_call_output: words('type id call_id output status'),
}

const blockFields: Readonly<Record<string, ReadonlySet<string>>> = {
  input_text: words('type text'),
  output_text: words('type text annotations logprobs'),
  refusal: words('type refusal'),
  input_image: words('type image_url file_id detail'),
  input_file: words('type file_data file_id file_url filename'),
}

const toolFields: Readonly<Record<string, ReadonlySet<string>>> = {
  function: words('type name description parameters strict'),
  custom: words('type name description format'),
  namespace: words('type name description tools'),
  tool_search: words('type execution description parameters'),
}

/** The first path that this upstream does not know. */
function strangerIn(body: JsonObject): string | undefined {
  return [
    ...unknownOf(body, fields, ''),
    ...Object.entries(inside).flatMap(([name, known]) => unknownOf(body[name], known, `${name}.`)),
    ...listOf(body.tools).flatMap((tool, index) => unknownByType(tool, 'function', toolFields, `tools[${index}]`)),
    ...listOf(body.input).flatMap((item, index) => strangersInItem(item, `input[${index}]`)),
  ][0]
}

function strangersInItem(item: JsonValue, place: string): string[] {
  if (!isJsonObject(item)) return [place]
  const blocks = [...listOf(item.content), ...listOf(item.output)]
  return [
    ...unknownByType(item, 'message', itemFields, place),
    ...(item.type === 'reasoning'
      ? []
      : blocks.flatMap((block, index) => unknownByType(block, '', blockFields, `${place}.content[${index}]`))),
  ]
}

function unknownByType(
  value: JsonValue,
  usualType: string,
  table: Readonly<Record<string, ReadonlySet<string>>>,
  place: string,
): string[] {
  if (!isJsonObject(value)) return [place]
  const known = table[String(value.type ?? usualType)]
  return known === undefined ? [`${place}.type`] : unknownOf(value, known, `${place}.`)
}

function unknownOf(value: JsonValue | undefined, known: ReadonlySet<string>, prefix: string): string[] {
  if (!isJsonObject(value)) return []
  return Object.keys(value)
    .filter((name) => !known.has(name))
    .map((name) => prefix + name)
}

function complaintsAbout(body: JsonObject): StrictRefusal[] {
  const thinks = /^(?:o\d|gpt-[5-9]|codex-)/.test(String(body.model))
  const cap = body.max_output_tokens
  const included = listOf(body.include)
  const items = listOf(body.input).filter(isJsonObject)
  const names = listOf(body.tools).map((tool) => (isJsonObject(tool) ? tool.name : null))
  const choice = isJsonObject(body.tool_choice) ? body.tool_choice.name : undefined
  const bareThought = items.findIndex(({ type, encrypted_content: sealed }) => type === 'reasoning' && !isText(sealed))
  const due: readonly (readonly [isDue: boolean, refusal: StrictRefusal])[] = [
    [
      typeof cap === 'number' && cap < 16,
      refuse(
        `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${cap} instead.`,
        'max_output_tokens',
        'integer_below_min_value',
      ),
    ],
    [
      !thinks && included.includes('reasoning.encrypted_content'),
      refuse('Encrypted content is not supported with this model.', 'include', null),
    ],
    [
      !thinks && body.reasoning !== undefined,
      refuse(
        "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
        'reasoning.effort',
        'unsupported_parameter',
      ),
    ],
    [
      thinks && (body.temperature !== undefined || body.top_p !== undefined),
      refuse(
        "Unsupported parameter: 'temperature' is not supported with this model.",
        'temperature',
        'unsupported_parameter',
      ),
    ],
    [
      bareThought !== -1,
      refuse(
        `Item '${String(items[bareThought]?.id)}' not found. Items are not persisted when \`store\` is set to false.`,
        'input',
        null,
      ),
    ],
    [
      choice !== undefined && !names.includes(choice),
      refuse(`Tool choice '${String(choice)}' not found in 'tools' parameter.`, 'tool_choice', null),
    ],
    [body.store !== false, refuse('The simulator keeps nothing, so it refuses to be asked to.', 'store', null)],
  ]
  return due.filter(([isDue]) => isDue).map(([, refusal]) => refusal)
}

function refuse(message: string, param: string, code: string | null): StrictRefusal {
  return { status: 400, body: { error: { message, type: 'invalid_request_error', param, code } } }
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value !== ''
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : []
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}
