import type { ReasoningFormat, ReasoningPart } from '#domain/inference/parts.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'

/** The names by which aggregators identify the vendor of reasoning. */
const names = {
  anthropic: 'anthropic-claude-v1',
  google: 'google-gemini-v1',
  openai: 'openai-responses-v1',
  grok: 'xai-responses-v1',
  unknown: 'unknown',
} as const satisfies Record<ReasoningFormat, string>

const formats: ReadonlyMap<JsonValue | undefined, ReasoningFormat> = new Map([
  [names.anthropic, 'anthropic'],
  [names.google, 'google'],
  [names.openai, 'openai'],
  [names.grok, 'grok'],
])

export function reasoningFormatOf(name: JsonValue | undefined): ReasoningFormat {
  return formats.get(name) ?? 'unknown'
}

/** Whether the model can read reasoning that this vendor signed or encrypted. Any other model would reject it. */
export function canRead(format: ReasoningFormat, upstreamModel: string): boolean {
  return makers[format].test(upstreamModel)
}

const makers = {
  anthropic: /claude|anthropic/i,
  google: /gemini|google/i,
  openai: /openai|gpt|codex|(?:^|\/)o\d/i,
  grok: /grok/i,
  unknown: /(?:)/,
} as const satisfies Record<ReasoningFormat, RegExp>

/** Reasoning in the aggregators' format, for the next turn. */
export function reasoningDetails(parts: readonly ReasoningPart[], upstreamModel: string): JsonObject[] {
  const details: JsonObject[] = []
  for (const part of parts) {
    const format = names[part.format]
    const id = part.id === undefined ? {} : { id: part.id }
    const isReadable = canRead(part.format, upstreamModel)
    const signature = isReadable && part.signature !== undefined ? { signature: part.signature } : {}
    if (part.isSummary) {
      details.push({ type: 'reasoning.summary', summary: part.text, ...id, index: details.length, format })
    } else if (part.text !== '' || 'signature' in signature) {
      details.push({ type: 'reasoning.text', text: part.text, ...signature, ...id, index: details.length, format })
    }
    if (isReadable && part.encrypted !== undefined) {
      details.push({ type: 'reasoning.encrypted', data: part.encrypted, ...id, index: details.length, format })
    }
  }
  return details
}
