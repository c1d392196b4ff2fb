import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'

/** The categories of OpenAI's clients. */
const categories = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/instructions',
  'self-harm/intent',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
] as const

const charactersPerToken = 4

/** Flags the categories whose names a text contains. */
export function verdictsOf({ input }: JsonObject): JsonObject {
  const inputs = Array.isArray(input) ? input : [input ?? '']
  const texts = inputs.every((item) => typeof item === 'string') ? inputs : [inputs.map(textOf).join(' ')]
  const tokens = texts.reduce((sum, text) => sum + Math.ceil(text.length / charactersPerToken), 0)
  return { results: texts.map(verdictOf), usage: { prompt_tokens: tokens, total_tokens: tokens } }
}

function textOf(part: JsonValue): string {
  return isJsonObject(part) ? (stringAt(part, 'text') ?? '') : String(part)
}

function verdictOf(text: string): JsonObject {
  const named = new Set(text.toLowerCase().split(/[^a-z/-]+/))
  const flags = categories.map((name) => [name, named.has(name)] as const)
  return {
    flagged: flags.some(([, isNamed]) => isNamed),
    categories: Object.fromEntries(flags),
    category_scores: Object.fromEntries(flags.map(([name, isNamed]) => [name, isNamed ? 1 : 0])),
    category_applied_input_types: Object.fromEntries(flags.map(([name, isNamed]) => [name, isNamed ? ['text'] : []])),
  }
}
