import type { Turn } from '#domain/inference/call.ts'
import type { JsonObject } from '#lib/json.ts'
import { writeBlock } from './write-block.ts'

/**
 * The conversation, in the two roles there are, which must alternate: neighbours of one role become one message.
 * Instructions in mid-conversation have no role of their own here and keep their place as the user's.
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

/** Results must follow the calls they answer at once, before anything else that the user says. */
function resultsFirst(blocks: JsonObject[]): JsonObject[] {
  return [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))]
}

function isResult({ type }: JsonObject): boolean {
  return type === 'tool_result'
}
