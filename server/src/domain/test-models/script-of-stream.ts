import type { JsonObject } from '#lib/json.ts'
import { unreachable } from '#lib/unreachable.ts'
import type { Answer } from './answer.ts'
import { completionHead, lateError, usageJson } from './completion-head.ts'
import type { Script, Step } from './script.ts'
import type { ToolCall } from './tool-calls-for.ts'
import { piecesOf } from './words.ts'

/** The response as server-sent events, one frame per word. */
export function scriptOfStream(modelName: string, answer: Answer): Script {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    headersAfterMs: answer.ending === 'silent' ? null : 0,
    steps: stepsOf(completionHead(modelName, 'chat.completion.chunk'), answer),
  }
}

function stepsOf(head: JsonObject, answer: Answer): Step[] {
  const role = frame({ ...head, choices: [choice(roleDelta(answer))] }, answer.firstTokenAfterMs)
  const words = deltasOf(answer).map((delta, at) =>
    frame({ ...head, choices: [choice(delta)] }, at === 0 ? 0 : answer.betweenWordsMs),
  )
  const half = words.slice(0, Math.ceil(words.length / 2))
  switch (answer.ending) {
    case 'whole':
      return [role, ...words, ...closingFrames(head, answer), { kind: 'end' }]
    case 'truncated':
      return [role, ...words, { kind: 'end' }]
    case 'cut':
      return [role, ...half, { kind: 'cut' }]
    case 'stream-error':
      return [role, ...half, frame(lateError, 0), { kind: 'end' }]
    case 'stall':
      return [role, { kind: 'stall' }]
    case 'silent':
      return [{ kind: 'stall' }]
    default:
      return unreachable(answer.ending)
  }
}

function roleDelta(answer: Answer): JsonObject {
  return { role: 'assistant', content: answer.toolCalls.length > 0 ? null : '', refusal: null }
}

function deltasOf(answer: Answer): JsonObject[] {
  return [
    ...piecesOf(answer.reasoning).map((piece) => ({ reasoning_content: piece })),
    ...piecesOf(answer.text).map((piece) => ({ content: piece })),
    ...piecesOf(answer.refusal).map((piece) => ({ refusal: piece })),
    ...answer.toolCalls.flatMap(callDeltas),
  ]
}

/** The name first, then the arguments in two fragments, so that a client that does not join them fails at once. */
function callDeltas(call: ToolCall, index: number): JsonObject[] {
  const middle = Math.ceil(call.arguments.length / 2)
  const opening = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }
  const fragments = [call.arguments.slice(0, middle), call.arguments.slice(middle)]
  return [
    { tool_calls: [opening] },
    ...fragments.map((fragment) => ({ tool_calls: [{ index, function: { arguments: fragment } }] })),
  ]
}

function closingFrames(head: JsonObject, answer: Answer): Step[] {
  const finish = frame({ ...head, choices: [choice({}, answer.finish)] }, 0)
  const usage = answer.usage === null ? [] : [frame({ ...head, choices: [], usage: usageJson(answer.usage) }, 0)]
  return [finish, ...usage, { kind: 'bytes', text: 'data: [DONE]\n\n', afterMs: 0 }]
}

function choice(delta: JsonObject, finish: string | null = null): JsonObject {
  return { index: 0, delta, logprobs: null, finish_reason: finish }
}

function frame(value: JsonObject, afterMs: number): Step {
  return { kind: 'bytes', text: `data: ${JSON.stringify(value)}\n\n`, afterMs }
}
