import type { Part } from '#domain/inference/parts.ts'
import { isJsonObject, objectAt, parseJsonObject } from '#lib/json.ts'
import { ignoreUnknown, type NoteUnknown } from '#providers/note-unknown.ts'
import type { DocumentRead } from '#providers/protocol.ts'
import { upstreamFailure } from '#providers/upstream-failure.ts'
import { noteMessage } from './known-words.ts'
import { readBlock } from './read-block.ts'
import { failureIn } from './read-failure.ts'
import { readStop } from './read-stop.ts'
import { readMessageUsage } from './read-usage.ts'

/** A whole message, or an error, whatever the status. */
export function readMessage(bytes: Buffer, note: NoteUnknown = ignoreUnknown): DocumentRead {
  const message = parseJsonObject(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  if (message === undefined) return { ok: false, failure: upstreamFailure('The upstream response is not valid JSON.') }
  const failure = failureIn(message)
  if (failure !== undefined) return { ok: false, failure }
  if (!Array.isArray(message.content))
    return { ok: false, failure: upstreamFailure('The upstream response is not a message object.') }
  noteMessage({ ...message, type: 'message' }, note)
  const parts: Part[] = []
  let toolCount = 0
  for (const block of message.content) {
    if (!isJsonObject(block)) continue
    const part = readBlock(block, toolCount)
    if (part.kind === 'tool-call') toolCount += 1
    parts.push(part)
  }
  const stop = readStop(message, toolCount > 0)
  if (stop !== undefined && stop.explanation !== '') parts.push({ kind: 'refusal', text: stop.explanation })
  const choice = {
    parts,
    finishReason: stop?.reason ?? null,
    nativeFinishReason: stop?.native ?? null,
    ...stop?.sequence,
  }
  const usage = readMessageUsage(objectAt(message, 'usage')) ?? null
  return { ok: true, reply: { choices: [choice], usage } }
}
