import type { Part, ToolCallPart } from '#domain/inference/parts.ts'
import type { CanonicalChoice, CanonicalReply } from '#domain/inference/reply.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { Charged, ReplyContext } from '../dialect.ts'
import { chatHead } from './chat-head.ts'
import { mediaUrlOf } from './data-uri.ts'
import { detailsOf, formatNames } from './reasoning-details.ts'
import { chatUsage } from './usage-json.ts'

/** Renders a complete response as a chat completion. */
export function renderDocument(reply: CanonicalReply, charged: Charged | null, context: ReplyContext): string {
  const choices = reply.choices.map((choice, index) => choiceJson(choice, index, context.excludeReasoning))
  return JSON.stringify({
    ...chatHead(context, 'chat.completion'),
    choices,
    ...(charged === null ? {} : { usage: chatUsage(charged.usage, charged.cost, charged.upstreamCost) }),
  })
}

function choiceJson(choice: CanonicalChoice, index: number, excludeReasoning: boolean): JsonObject {
  const { finishReason, nativeFinishReason: native } = choice
  return {
    index,
    message: messageJson(choice.parts, excludeReasoning),
    finish_reason: finishReason,
    ...(native === null || native === finishReason ? {} : { native_finish_reason: native }),
  }
}

function messageJson(parts: readonly Part[], excludeReasoning: boolean): JsonObject {
  const message: JsonObject = { role: 'assistant', content: null }
  const texts = parts.filter(({ kind }) => kind === 'text')
  if (texts.length > 0) message.content = textOf(parts, 'text')
  if (parts.some(({ kind }) => kind === 'refusal')) message.refusal = textOf(parts, 'refusal')
  if (!excludeReasoning) addReasoning(message, parts)
  const images = parts.filter((part) => part.kind === 'image')
  if (images.length > 0) {
    message.images = images.map(({ source }) => ({ type: 'image_url', image_url: { url: mediaUrlOf(source) } }))
  }
  const calls = parts.filter((part) => part.kind === 'tool-call')
  if (calls.length > 0) message.tool_calls = calls.map(callJson)
  for (const part of parts) {
    if (part.kind === 'opaque' && part.protocol === 'openai' && isJsonObject(part.value))
      addMembers(message, part.value)
  }
  return message
}

function textOf(parts: readonly Part[], kind: 'text' | 'refusal' | 'reasoning'): string {
  return parts.map((part) => (part.kind === kind ? part.text : '')).join('')
}

function addReasoning(message: JsonObject, parts: readonly Part[]): void {
  const text = textOf(parts, 'reasoning')
  if (text !== '') message.reasoning = text
  const details: JsonObject[] = []
  let saidBefore = 0
  for (const part of parts) {
    if (part.kind === 'text') saidBefore += part.text.length
    if (part.kind === 'reasoning') details.push(...detailsOf(part, details.length, saidBefore))
    if (part.kind === 'tool-call' && part.signature !== undefined) {
      details.push(signatureDetail({ id: part.id, signature: part.signature, index: details.length }))
    }
  }
  if (details.length > 0) message.reasoning_details = details
}

/** Clients keep either the details or the members of the calls, so a call's signature is sent in both. */
export function signatureDetail(signed: { id: string; signature: string; index: number }): JsonObject {
  const { id, signature, index } = signed
  return { type: 'reasoning.encrypted', data: signature, id, index, format: formatNames.google }
}

export function signatureMembers(signature: string | undefined): JsonObject {
  return signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } }
}

function callJson({ id, name, argumentsJson, signature }: ToolCallPart): JsonObject {
  const written = argumentsJson === '' ? '{}' : argumentsJson
  return { id, type: 'function', function: { name, arguments: written }, ...signatureMembers(signature) }
}

/** Adds members of the upstream's own message; an existing array grows. */
function addMembers(message: JsonObject, members: JsonObject): void {
  if (typeof members.type === 'string') return
  for (const [name, value] of Object.entries(members)) {
    const before = message[name]
    message[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value
  }
}
