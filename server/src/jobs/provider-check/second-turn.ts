import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import type { CanonicalReply } from '#domain/inference/reply.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { isJsonObject, type JsonObject, objectAt, objectsIn, parseJsonObject } from '#lib/json.ts'
import type { ExchangeScript } from '#providers/codecs/exchange-script.ts'
import type { Answered } from './answered.ts'
import { chatCall, thinkingFields, toolFields } from './conversation-calls.ts'
import { type Asked, converse } from './converse.ts'

const question = { role: 'user', content: 'What time is it? Call get_time.' }

export function firstTurn(candidate: Candidate): Asked {
  return chatCall(candidate, { ...thinkingFields, ...toolFields, messages: [question] })
}

/** The second turn at its largest: the first response may have filled its cap. */
export function largestSecondTurn(candidate: Candidate): Asked {
  const { dialect, call } = firstTurn(candidate)
  const added = (call.maxTokens ?? 0) + resultTokensMax
  return { dialect, call: { ...call, promptTokensHeld: call.promptTokensHeld + added } }
}

const resultTokensMax = 1_000

/** Returns the reasoning and tool calls of a first response with the results of the calls, as an agent does. */
export function* returnThoughts(candidate: Candidate): ExchangeScript<Answered> {
  const { reply, ...first } = yield* converse(candidate, firstTurn(candidate))
  const said = messageOf(reply)
  const messages = [question, said, ...answersTo(said)]
  const asked = chatCall(candidate, { ...thinkingFields, ...toolFields, messages })
  const { reply: _, ...second } = yield* converse(candidate, asked)
  return { ...second, earlier: [first], note: noteOf(reply) }
}

/** The message in the format that a chat client gets and returns. */
function messageOf(reply: CanonicalReply): JsonObject {
  const context = { id: 'gen-check', createdS: 0, model: '', requestBody: {}, excludeReasoning: false }
  const document = parseJsonObject(chatDialect.renderDocument(reply, null, context)) ?? {}
  return objectAt(objectsIn(document.choices)[0] ?? {}, 'message')
}

function answersTo(said: JsonObject): JsonObject[] {
  const calls = Array.isArray(said.tool_calls) ? said.tool_calls.filter(isJsonObject) : []
  if (calls.length === 0) return [{ role: 'user', content: 'Say hi.' }]
  return calls.map(({ id }) => ({ role: 'tool', tool_call_id: id ?? '', content: '12:00' }))
}

function noteOf({ choices: [choice] }: CanonicalReply): string {
  const parts = choice?.parts ?? []
  const thoughts = parts.filter(({ kind }) => kind === 'reasoning').length
  const proven = parts.filter((part) => 'signature' in part || 'encrypted' in part).length
  const calls = parts.filter(({ kind }) => kind === 'tool-call').length
  if (thoughts === 0 && proven === 0) return `the first answer had no thoughts to return, and ${counted(calls, 'call')}`
  return `returned ${counted(thoughts, 'thought')}, ${proven} signed or encrypted, and ${counted(calls, 'call')}`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
