import type { Turn } from '#domain/inference/call.ts'
import type { JsonObject } from '#lib/json.ts'
import { writeBlock } from './write-block.ts'

/**
 * The conversation in the two available roles, which must alternate: adjacent turns of one role become one message.
 * Instructions in the middle of a conversation have no role here and keep their position as user content.
 */
export function writeTurns(turns: readonly Turn[], ignored: Set<string>): JsonObject[] {
  const messages: { role: 'user' | 'assistant'; content: JsonObject[] }[] = []
  for (const turn of turns) {
    const role = turn.role === 'assistant' ? 'assistant' : 'user'
    const blocks = turn.parts.flatMap((part) => writeBlock(part, role, ignored))
    if (blocks.length === 0) continue
    const last = messages.at(-1)
    if (last?.role === role) last.content.push(...blocks)
    else messages.push({ role, content: blocks })
  }
  return messages.map(({ role, content }) => ({ role, content: role === 'user' ? resultsFirst(content) : content }))
}

/** Results must directly follow their calls, before any other user content. */
function resultsFirst(blocks: JsonObject[]): JsonObject[] {
  return [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))]
}

function isResult({ type }: JsonObject): boolean {
  return type === 'tool_result'
}
