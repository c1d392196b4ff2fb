import { createHash } from 'node:crypto'
import type { CanonicalReply } from '#domain/inference/reply.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import type { Charged, ConversationDialect, ReplyContext } from '../dialect.ts'
import { refuseUnfitFor } from '../refuse-unfit.ts'
import { changeContent, changeContentOf } from '../texts/change-content.ts'
import { changeItems, changeMember } from '../texts/change-member.ts'
import { textAccess } from '../texts/text-access.ts'
import { messagesErrorBody } from './error-json.ts'
import { pingFrame } from './frames.ts'
import { messagesPrompt } from './messages-prompt.ts'
import { MessagesWriter } from './messages-writer.ts'
import { parseMessages } from './parse-messages.ts'
import { renderBlock } from './render-block.ts'
import { isSealed } from './sealed-thought.ts'
import { stopReasonOf } from './stop-reason.ts'
import { toCanonical } from './to-canonical.ts'
import { readToolUseId } from './tool-use-id.ts'
import { chargedUsage } from './usage-json.ts'

/** The system prompt and the messages, including tool results. */
const messagesTexts = textAccess((body, change) => {
  const changed = changeMember(body, 'system', (system) => changeContent(system, change))
  return changeMember(changed, 'messages', (messages) =>
    changeItems(messages, (message) => changeContentOf(message, change)),
  )
})

/** The Messages API. */
export const messagesDialect: ConversationDialect = {
  family: 'conversation',
  name: 'messages',
  parse: parseMessages,
  prompt: messagesPrompt,
  refuseUnfit: refuseUnfitFor(messagesPrompt),
  ...messagesTexts,
  toCanonical,
  relayBody,
  renderDocument,
  createWriter: (context) => new MessagesWriter(context),
  keepAlive: { bytes: pingFrame },
  errorBody: messagesErrorBody,
  replyHeaders: (requestId) => ({ 'request-id': requestId }),
}

/** Renders a complete response as a Messages document. There is one choice, because the API allows no more. */
function renderDocument(reply: CanonicalReply, charged: Charged | null, context: ReplyContext): string {
  const [choice] = reply.choices
  const parts = choice?.parts ?? []
  const blocks = parts.map((part) => renderBlock(part, context)).filter((block) => block !== null)
  const stopSequence = choice?.stopSequence
  const head = { id: context.id, type: 'message', role: 'assistant', model: context.model }
  const tail = {
    stop_reason: stopReasonOf({
      reason: choice?.finishReason ?? null,
      native: choice?.nativeFinishReason ?? null,
      stopSequence,
      hasToolCalls: parts.some(({ kind }) => kind === 'tool-call'),
      hasRefusal: parts.some(({ kind }) => kind === 'refusal'),
    }),
    stop_sequence: stopSequence ?? null,
    usage: chargedUsage(charged),
  }
  return `${JSON.stringify(head).slice(0, -1)},"content":[${blocks.join(',')}],${JSON.stringify(tail).slice(1)}`
}

/**
 * The body for an upstream that speaks Messages: as sent, but without the data that other upstreams gave the client
 * earlier in the conversation. Anthropic would reject foreign reasoning for its signature, and ids with embedded data
 * for their length.
 */
export function relayBody(body: JsonObject): JsonObject {
  if (!Array.isArray(body.messages)) return body
  return { ...body, messages: body.messages.map(relayMessage).filter((message) => message !== null) }
}

// An empty message would be rejected, so it is dropped.
function relayMessage(message: JsonValue): JsonValue | null {
  if (!isJsonObject(message) || !Array.isArray(message.content)) return message
  const content = message.content.filter((block) => !isForeignThought(block)).map(relayBlock)
  return content.length === 0 && message.content.length > 0 ? null : { ...message, content }
}

function isForeignThought(block: JsonValue): boolean {
  if (!isJsonObject(block)) return false
  if (block.type === 'thinking') return typeof block.signature !== 'string' || isUnsigned(block.signature)
  return block.type === 'redacted_thinking' && typeof block.data === 'string' && isSealed(block.data)
}

function isUnsigned(signature: string): boolean {
  return signature === '' || isSealed(signature)
}

function relayBlock(block: JsonValue): JsonValue {
  if (!isJsonObject(block)) return block
  if (block.type === 'tool_use') return { ...block, id: relayId(block.id) }
  if (block.type === 'tool_result') return { ...block, tool_use_id: relayId(block.tool_use_id) }
  return block
}

// The mapping is deterministic, so that results still match their calls.
function relayId(id: JsonValue | undefined): JsonValue | undefined {
  if (typeof id !== 'string') return id
  const own = readToolUseId(id).id
  if (own === id || plainForm.test(own)) return own
  return `toolu_${createHash('sha256').update(own).digest('hex').slice(0, 24)}`
}

const plainForm = /^[a-zA-Z0-9_-]+$/
