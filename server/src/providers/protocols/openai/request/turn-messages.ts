import type { CanonicalCall, Turn } from '#domain/inference/call.ts'
import type { Part, ReasoningPart, TextPart, ToolCallPart, ToolResultPart } from '#domain/inference/parts.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import type { OpenAiTarget } from '../openai-target.ts'
import { thoughtEdits } from './message-edits.ts'
import { messageMembers, partJson } from './part-json.ts'
import { canRead, reasoningDetails } from '../reasoning-formats.ts'

/** The conversation as chat messages for this upstream. */
export function turnMessages({ system, turns }: CanonicalCall, target: OpenAiTarget): JsonObject[] {
  const keepsCacheMarks = keepsMarks(target)
  const leading = system.length === 0 ? [] : [{ role: 'system', content: textContent(system, keepsCacheMarks, '\n\n') }]
  return [...leading, ...turns.flatMap((turn) => messagesOf(turn, target, keepsCacheMarks))]
}

/** Claude reads cache markers at every upstream. */
export function keepsMarks({ vendor, upstreamModel }: OpenAiTarget): boolean {
  return vendor.openai.takesCacheMarks === true || /claude/i.test(upstreamModel)
}

function messagesOf(turn: Turn, target: OpenAiTarget, keepsCacheMarks: boolean): JsonObject[] {
  switch (turn.role) {
    case 'system':
      return [{ role: 'system', content: content(turn.parts, keepsCacheMarks) }]
    case 'assistant':
      return [assistantMessage(turn.parts, target, keepsCacheMarks)]
    case 'user':
      return userMessages(turn.parts, keepsCacheMarks)
  }
}

/**
 * Results come first, because they must follow their calls. A tool message holds only text, so its media come after.
 */
function userMessages(parts: readonly Part[], keepsCacheMarks: boolean): JsonObject[] {
  const results = parts.filter((part) => part.kind === 'tool-result')
  const media = results.flatMap((result) => result.content.filter((part) => part.kind !== 'text'))
  const said = [...media, ...parts.filter((part) => part.kind !== 'tool-result')]
  const messages = results.map((result) => toolMessage(result, keepsCacheMarks))
  if (results.length > 0 && said.length === 0) return messages
  return [...messages, { role: 'user', content: content(said, keepsCacheMarks), ...messageMembers(said) }]
}

function toolMessage({ callId, content: parts, cache }: ToolResultPart, keepsCacheMarks: boolean): JsonObject {
  const texts = parts.filter((part) => part.kind === 'text')
  const last = texts.at(-1)
  const marked = cache === undefined || last === undefined ? texts : [...texts.slice(0, -1), { cache, ...last }]
  return { role: 'tool', tool_call_id: callId, content: textContent(marked, keepsCacheMarks, '\n') }
}

function assistantMessage(parts: readonly Part[], target: OpenAiTarget, keepsCacheMarks: boolean): JsonObject {
  const calls = parts.filter((part) => part.kind === 'tool-call')
  const said = parts.filter((part) => part.kind !== 'refusal')
  const refusal = parts.map((part) => (part.kind === 'refusal' ? part.text : '')).join('')
  const spoken = content(said, keepsCacheMarks)
  const members = messageMembers(parts)
  const otherCalls = Array.isArray(members.tool_calls) ? members.tool_calls : []
  const toolCalls = [...calls.map((call) => callJson(call, target)), ...otherCalls]
  const message: JsonObject = {
    role: 'assistant',
    content: spoken === '' && (toolCalls.length > 0 || refusal !== '') ? null : spoken,
    ...(refusal === '' ? {} : { refusal }),
    ...members,
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  }
  return withReplay(message, parts, target)
}

/** Adds the assistant's thinking, for upstreams that require it. */
function withReplay(message: JsonObject, parts: readonly Part[], target: OpenAiTarget): JsonObject {
  const { replay, thoughtsFor } = target.vendor.openai
  const reasoning = parts.filter((part) => part.kind === 'reasoning')
  if (replay === undefined) return message
  const text = reasoning.map((part: ReasoningPart) => part.text).join('')
  if (replay === 'content') {
    const remembered = text === '' ? message : { ...message, reasoning: text }
    // An upstream with strict rules for thoughts gets them in its own format when the request is built.
    return thoughtsFor === undefined ? thoughtEdits['content-with-tools'](remembered) : remembered
  }
  const details = [...reasoningDetails(reasoning, target.upstreamModel), ...callSignatures(parts, target)]
  if (text === '' && details.length === 0) return message
  return {
    ...message,
    ...(text === '' ? {} : { reasoning: text }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
  }
}

function callSignatures(parts: readonly Part[], target: OpenAiTarget): JsonObject[] {
  if (!canRead('google', target.upstreamModel)) return []
  return parts.flatMap((part) =>
    part.kind === 'tool-call' && part.signature !== undefined
      ? [{ type: 'reasoning.encrypted', data: part.signature, id: part.id, format: 'google-gemini-v1' }]
      : [],
  )
}

function callJson({ id, name, argumentsJson, signature }: ToolCallPart, target: OpenAiTarget): JsonObject {
  const isSigned = signature !== undefined && canRead('google', target.upstreamModel)
  return {
    id,
    type: 'function',
    function: { name, arguments: argumentsJson === '' ? '{}' : argumentsJson },
    ...(isSigned ? { extra_content: { google: { thought_signature: signature } } } : {}),
  }
}

/** A string if the content is a single text, since not every upstream accepts the array. */
function content(parts: readonly Part[], keepsCacheMarks: boolean): JsonValue {
  const [first, second] = parts.filter((part) => partJson(part, keepsCacheMarks) !== undefined)
  if (first === undefined) return ''
  if (second === undefined && first.kind === 'text') return textContent([first], keepsCacheMarks, '')
  return parts.map((part) => partJson(part, keepsCacheMarks)).filter((json) => json !== undefined)
}

function textContent(texts: readonly TextPart[], keepsCacheMarks: boolean, between: string): JsonValue {
  const isMarked = keepsCacheMarks && texts.some(({ cache }) => cache !== undefined)
  if (!isMarked) return texts.map(({ text }) => text).join(between)
  return texts.map((part) => partJson(part, keepsCacheMarks)).filter((json) => json !== undefined)
}
