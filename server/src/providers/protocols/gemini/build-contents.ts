import type { CanonicalCall, Turn } from '#domain/inference/call.ts'
import type { Part } from '#domain/inference/parts.ts'
import type { JsonObject } from '#lib/json.ts'
import { buildModelParts } from './build-model-parts.ts'
import { buildUserParts, type KnownCall } from './build-user-parts.ts'

/** The conversation in Gemini's form: two alternating roles, with the leading instructions separate. */
export function buildContents({ system, turns }: CanonicalCall, model: string): JsonObject {
  const instructions = system.filter(({ text }) => text !== '').map(({ text }): JsonObject => ({ text }))
  const contents = joinTurns(turns).flatMap(contentBuilder(model)).reduce<Content[]>(joinContent, [])
  // Gemini rejects a request with only instructions, though other upstreams accept it. They are then sent as a user
  // turn.
  if (contents.length === 0) return { contents: [{ role: 'user', parts: instructions }] }
  return {
    contents,
    ...(instructions.length === 0 ? {} : { systemInstruction: { parts: instructions } }),
  }
}

interface Content extends JsonObject {
  role: 'user' | 'model'
  parts: JsonObject[]
}

/**
 * Merges consecutive turns of one role. Instructions in the middle of a conversation keep their place as a user turn.
 */
function joinTurns(turns: readonly Turn[]): Turn[] {
  const joined: { role: Turn['role']; parts: Part[] }[] = []
  for (const { role, parts } of turns) {
    const side = role === 'assistant' ? 'assistant' : 'user'
    if (parts.length === 0) continue
    if (joined.at(-1)?.role !== side) joined.push({ role: side, parts: [] })
    for (const part of parts) joined.at(-1)?.parts.push(part)
  }
  return joined
}

/**
 * Records the calls, because a result must name its function and the client sent only the call's id. Ids may repeat
 * between turns; the latest call counts.
 */
function contentBuilder(model: string): (turn: Turn) => Content[] {
  const calls = new Map<string, KnownCall>()
  let position = 0
  return ({ role, parts }) => {
    const isModel = role === 'assistant'
    for (const part of parts) {
      if (part.kind !== 'tool-call') continue
      calls.set(part.id, { name: part.name, position })
      position += 1
    }
    const built = isModel ? buildModelParts(parts, model) : buildUserParts(parts, calls)
    return built.length === 0 ? [] : [{ role: isModel ? 'model' : 'user', parts: built }]
  }
}

/** If nothing of a turn is sent to Gemini, such as only another model's thoughts, its neighbors become adjacent. */
function joinContent(contents: Content[], next: Content): Content[] {
  if (contents.at(-1)?.role !== next.role) contents.push({ role: next.role, parts: [] })
  for (const part of next.parts) contents.at(-1)?.parts.push(part)
  return contents
}
