import { type JsonObject, objectAt, objectsIn } from '#lib/json.ts'
import { type KnownMembers, type NoteUnknown, noteUsage, noteWord } from '#providers/note-unknown.ts'
import { isKnownFinish } from './finish-reason.ts'

/** From Google's SDK 3.1. */
const usageMembers: KnownMembers = {
  promptTokenCount: true,
  candidatesTokenCount: true,
  thoughtsTokenCount: true,
  toolUsePromptTokenCount: true,
  cachedContentTokenCount: true,
  totalTokenCount: true,
  initialPromptTokenCount: true,
  promptTokensDetails: true,
  candidatesTokensDetails: true,
  cacheTokensDetails: true,
  toolUsePromptTokensDetails: true,
  trafficType: true,
  serviceTier: true,
}

/** Parts for code that Google itself runs are missing, because the gateway never requests it. */
const partMembers = new Set([
  'text',
  'thought',
  'thoughtSignature',
  'inlineData',
  'fileData',
  'functionCall',
  'partMetadata',
])

/** Reports unknown words in a frame. */
export function noteFrame(frame: JsonObject, note: NoteUnknown): void {
  noteUsage(frame.usageMetadata, usageMembers, note)
  for (const candidate of objectsIn(frame.candidates)) {
    noteWord('finish_reason', candidate.finishReason, { has: isKnownFinish }, note)
    for (const part of objectsIn(objectAt(candidate, 'content').parts)) {
      for (const member of Object.keys(part)) if (!partMembers.has(member)) note('block', member)
    }
  }
}
