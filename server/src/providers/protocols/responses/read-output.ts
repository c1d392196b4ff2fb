import type { Part, ReasoningPart } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'
import type { ResponsesQuirks } from '#providers/spec.ts'

/** The parts of a finished output item. Unknown items are kept for their upstream. */
export function readItem(item: JsonObject, { thoughts }: ResponsesQuirks): Part[] {
  switch (item.type) {
    case 'message':
      return objectsIn(item.content).flatMap(readContent)
    case 'reasoning':
      return readThought(item, thoughts)
    case 'function_call':
      return [
        {
          kind: 'tool-call',
          id: stringAt(item, 'call_id') ?? stringAt(item, 'id') ?? '',
          name: stringAt(item, 'name') ?? '',
          argumentsJson: stringAt(item, 'arguments') ?? '',
        },
      ]
    default:
      return [{ kind: 'opaque', protocol: 'responses', value: item }]
  }
}

function readContent(block: JsonObject): Part[] {
  const text = stringAt(block, 'text') ?? ''
  if (block.type === 'output_text') return text === '' ? [] : [{ kind: 'text', text }]
  return block.type === 'refusal' ? [{ kind: 'refusal', text: stringAt(block, 'refusal') ?? '' }] : []
}

/** The reasoning summary, or the reasoning itself if the upstream returns no summary. */
function readThought(item: JsonObject, format: ReasoningPart['format']): ReasoningPart[] {
  const summary = textsOf(item.summary)
  const text = summary === '' ? textsOf(item.content) : summary
  const encrypted = stringAt(item, 'encrypted_content')
  const id = stringAt(item, 'id')
  if (text === '' && (encrypted === undefined || encrypted === '')) return []
  return [
    {
      kind: 'reasoning',
      text,
      ...(summary === '' ? {} : { isSummary: true }),
      ...(encrypted === undefined || encrypted === '' ? {} : { encrypted }),
      ...(id === undefined ? {} : { id }),
      format,
    },
  ]
}

/** Several summaries of one thought are joined as paragraphs. */
export const betweenSummaries = '\n\n'

function textsOf(list: JsonValue | undefined): string {
  return objectsIn(list)
    .map((part) => stringAt(part, 'text') ?? '')
    .filter((text) => text !== '')
    .join(betweenSummaries)
}

function objectsIn(list: JsonValue | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}
