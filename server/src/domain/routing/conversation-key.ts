import { hash } from 'node:crypto'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

const textMax = 500
const textsMax = 8

/**
 * Identifies a conversation by its payer and its beginning, which all its turns share: everything before the first
 * question, and that question. Two conversations with the same beginning also share a prompt cache, so they may share a
 * key.
 */
export function conversationKey(walletId: string, body: JsonObject): string {
  const opening: string[] = []
  for (const field of ['system', 'instructions']) collect(body[field], opening, 0)
  for (const field of ['messages', 'input']) collectUntilQuestion(body[field], opening)
  return hash('sha256', `${walletId}\n${opening.join('\n')}`, 'base64url').slice(0, 24)
}

function collectUntilQuestion(turns: JsonValue | undefined, texts: string[]): void {
  if (!Array.isArray(turns)) return collect(turns, texts, 0)
  for (const turn of turns.slice(0, textsMax)) {
    collect(turn, texts, 0)
    // Later parts do not exist yet in the first turn.
    if (isJsonObject(turn) && turn.role === 'user') return
  }
}

// Reads the first few texts only, so that a long conversation costs no more than a short one.
function collect(value: JsonValue | undefined, texts: string[], depth: number): void {
  if (texts.length >= textsMax || depth > 6) return
  if (typeof value === 'string') texts.push(value.slice(0, textMax))
  else if (Array.isArray(value)) {
    for (const item of value.slice(0, textsMax)) collect(item, texts, depth + 1)
  } else if (isJsonObject(value)) {
    collect(value.content ?? value.text, texts, depth + 1)
  }
}
