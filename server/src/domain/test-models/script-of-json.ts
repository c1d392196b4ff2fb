import type { JsonObject } from '#lib/json.ts'
import { unreachable } from '#lib/unreachable.ts'
import type { Answer } from './answer.ts'
import { completionHead, lateError, usageJson } from './completion-head.ts'
import type { Script, Step } from './script.ts'
import { piecesOf } from './words.ts'

/** The response in one JSON body. The headers wait until it is complete, as with real upstreams. */
export function scriptOfJson(modelName: string, answer: Answer): Script {
  const wordCount = piecesOf(answer.reasoning).length + piecesOf(answer.text).length + piecesOf(answer.refusal).length
  const waitMs = answer.firstTokenAfterMs + answer.betweenWordsMs * Math.max(0, wordCount - 1)
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    headersAfterMs: answer.ending === 'silent' ? null : waitMs,
    steps: stepsOf(modelName, answer),
  }
}

function stepsOf(modelName: string, answer: Answer): Step[] {
  const body = JSON.stringify(completionOf(modelName, answer))
  const half = body.slice(0, Math.floor(body.length / 2))
  switch (answer.ending) {
    case 'whole':
      return [bytes(body), { kind: 'end' }]
    case 'truncated':
      return [bytes(half), { kind: 'end' }]
    case 'cut':
      return [bytes(half), { kind: 'cut' }]
    case 'stream-error':
      return [bytes(JSON.stringify(lateError)), { kind: 'end' }]
    case 'stall':
    case 'silent':
      return [{ kind: 'stall' }]
    default:
      return unreachable(answer.ending)
  }
}

function completionOf(modelName: string, answer: Answer): JsonObject {
  const message: JsonObject = {
    role: 'assistant',
    content: answer.toolCalls.length > 0 || answer.refusal !== '' ? null : answer.text,
    refusal: answer.refusal === '' ? null : answer.refusal,
    ...(answer.reasoning === '' ? {} : { reasoning_content: answer.reasoning }),
  }
  if (answer.toolCalls.length > 0) {
    message.tool_calls = answer.toolCalls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    }))
  }
  return {
    ...completionHead(modelName, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: answer.finish }],
    ...(answer.usage === null ? {} : { usage: usageJson(answer.usage) }),
  }
}

function bytes(text: string): Step {
  return { kind: 'bytes', text, afterMs: 0 }
}
