import type { CanonicalCall, Turn } from '#domain/inference/call.ts'
import type { Part } from '#domain/inference/parts.ts'
import type { JsonObject } from '#lib/json.ts'
import { buildModelParts } from './build-model-parts.ts'
import { buildUserParts, type KnownCall } from './build-user-parts.ts'

/** The conversation in Gemini's form: two roles that take turns, and the leading instructions beside them. */
export function buildContents({ system, turns }: CanonicalCall, model: string): JsonObject {
  const instructions = system.filter(({ text }) => text !== '').map(({ text }): JsonObject => ({ text }))
  const contents = joinTurns(turns).flatMap(contentBuilder(model)).reduce<Content[]>(joinContent, [])
  // Instructions alone are no request here, though other upstreams answer them: they are said by the user then.
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

/** Consecutive turns of one side become one. Instructions in mid-conversation keep their place, said by the user. */
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
 * Remembers the calls as it goes, because a result names its function and the client gave only the call's id. Ids may
 * repeat between turns, and then the latest call is meant.
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

/**
 * A turn of which Gemini is told nothing, such as another model's thoughts alone, leaves its neighbours side by side.
 */
function joinContent(contents: Content[], next: Content): Content[] {
  if (contents.at(-1)?.role !== next.role) contents.push({ role: next.role, parts: [] })
  for (const part of next.parts) contents.at(-1)?.parts.push(part)
  return contents
}
