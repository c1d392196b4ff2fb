import { type JsonObject, objectAt, objectsIn } from '#lib/json.ts'
import { type KnownMembers, type NoteUnknown, noteUsage, noteWord } from '#providers/note-unknown.ts'
import { isKnownFinish } from './finish-reason.ts'

const usageMembers: KnownMembers = {
  inputTokens: true,
  outputTokens: true,
  totalTokens: true,
  cacheReadInputTokens: true,
  cacheWriteInputTokens: true,
  // Older responses have two names for the same count.
  cacheReadInputTokenCount: true,
  cacheWriteInputTokenCount: true,
  cacheDetails: true,
  serverToolUsage: {},
}

const events = new Set([
  'messageStart',
  'contentBlockStart',
  'contentBlockDelta',
  'contentBlockStop',
  'messageStop',
  'metadata',
])

const blocks = new Set(['text', 'toolUse', 'reasoningContent', 'citationsContent', 'image'])

/** Reports unknown words in a stream event. */
export function noteConverseEvent(type: string, event: JsonObject, note: NoteUnknown): void {
  if (type === 'contentBlockDelta' || type === 'contentBlockStop') return
  noteWord('event', type, events, note)
  if (type === 'contentBlockStart') noteBlock(objectAt(event, 'start'), note)
  if (type === 'messageStop') noteWord('finish_reason', event.stopReason, { has: isKnownFinish }, note)
  if (type === 'metadata') noteUsage(event.usage, usageMembers, note)
}

/** The same for a whole answer. */
export function noteConverse(document: JsonObject, note: NoteUnknown): void {
  for (const block of objectsIn(objectAt(objectAt(document, 'output'), 'message').content)) noteBlock(block, note)
  noteWord('finish_reason', document.stopReason, { has: isKnownFinish }, note)
  noteUsage(document.usage, usageMembers, note)
}

function noteBlock(block: JsonObject, note: NoteUnknown): void {
  for (const member of Object.keys(block)) if (!blocks.has(member)) note('block', member)
  if (objectAt(block, 'toolUse').type === 'server_tool_use') note('tool', 'server_tool_use')
}
