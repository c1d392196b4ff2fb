import type { Part, ReasoningFormat, ReasoningPart } from '#domain/inference/parts.ts'
import type { JsonObject } from '#lib/json.ts'

/** A thought that this upstream can read. Nothing is stored, so a thought without encrypted content is left out. */
export function writeThought({ text, encrypted, id, format }: ReasoningPart, readable: ReasoningFormat): JsonObject[] {
  if (format !== readable || encrypted === undefined || encrypted === '') return []
  return [
    {
      type: 'reasoning',
      ...(id === undefined ? {} : { id }),
      summary: text === '' ? [] : [{ type: 'summary_text', text }],
      encrypted_content: encrypted,
    },
  ]
}

/** Some clients separate the summary of a thought from its encrypted content, one after the other under one id. */
export function joinThoughts(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.kind === 'reasoning' && last?.kind === 'reasoning' && isRestOf(part, last)) {
      joined[joined.length - 1] = { ...last, ...part, text: last.text, isSummary: true }
    } else joined.push(part)
  }
  return joined
}

function isRestOf(part: ReasoningPart, before: ReasoningPart): boolean {
  const isSame = part.format === before.format && part.id === before.id
  return isSame && part.text === '' && part.encrypted !== undefined && before.encrypted === undefined
}
