import type { CanonicalCall, Turn } from '#domain/inference/call.ts'
import type { ToolCallPart } from '#domain/inference/parts.ts'
import type { JsonObject } from '#lib/json.ts'
import { buildModelParts } from './build-model-parts.ts'
import { buildUserParts } from './build-user-parts.ts'

/** The conversation in Gemini's form: two roles that take turns, and the leading instructions beside them. */
export function buildContents({ system, turns }: CanonicalCall, model: string): JsonObject {
  const instructions = system.filter(({ text }) => text !== '').map(({ text }): JsonObject => ({ text }))
  const contents = joinTurns(turns).flatMap(contentBuilder(model)).reduce(joinContent, [])
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
  const joined: Turn[] = []
  for (const { role, parts } of turns) {
    const side = role === 'assistant' ? 'assistant' : 'user'
    const last = joined.at(-1)
    if (parts.length === 0) continue
    if (last?.role === side) joined[joined.length - 1] = { role: side, parts: [...last.parts, ...parts] }
    else joined.push({ role: side, parts })
  }
  return joined
}

/** Remembers the calls as it goes, because a result names its function and the caller gave only the call's id. */
function contentBuilder(model: string): (turn: Turn) => Content[] {
  const calls = new Map<string, ToolCallPart>()
  return ({ role, parts }) => {
    const isModel = role === 'assistant'
    for (const part of parts) if (part.kind === 'tool-call') remember(calls, part)
    const built = isModel ? buildModelParts(parts, model) : buildUserParts(parts, calls)
    return built.length === 0 ? [] : [{ role: isModel ? 'model' : 'user', parts: built }]
  }
}

/** A turn of which Gemini is told nothing, such as another model's thoughts alone, leaves its neighbours side by side. */
function joinContent(contents: Content[], next: Content): Content[] {
  const last = contents.at(-1)
  if (last?.role === next.role) last.parts.push(...next.parts)
  else contents.push(next)
  return contents
}

/** Ids may repeat between turns. The latest call is meant, and it moves to the end, so that the order is that of speech. */
function remember(calls: Map<string, ToolCallPart>, call: ToolCallPart): void {
  calls.delete(call.id)
  calls.set(call.id, call)
}
