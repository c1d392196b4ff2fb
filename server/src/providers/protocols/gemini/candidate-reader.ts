import { nativeReason } from '#domain/inference/finish-reason.ts'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import { isJsonObject, type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { createCallReader } from './call-reader.ts'
import { finishReasonOf } from './finish-reason.ts'

/** Reads one candidate across all its frames. */
export interface CandidateReader {
  read(candidate: JsonObject, responseId: string | undefined): StreamPart[]
  readonly isFinished: boolean
}

export function createCandidateReader(choice: number): CandidateReader {
  const calls = createCallReader(choice)
  let isFinished = false

  function read(candidate: JsonObject, responseId: string | undefined): StreamPart[] {
    const { parts } = objectAt(candidate, 'content')
    const read = (Array.isArray(parts) ? parts : []).filter(isJsonObject).flatMap((part) => readPart(part, responseId))
    const native = stringAt(candidate, 'finishReason')
    if (native === undefined || native === '' || isFinished) return read
    isFinished = true
    const reason = finishReasonOf(native, calls.count > 0)
    return [...read, ...calls.close(), { kind: 'finished', choice, reason, native: nativeReason(native) }]
  }

  function readPart(part: JsonObject, responseId: string | undefined): StreamPart[] {
    const signature = stringAt(part, 'thoughtSignature')
    if (isJsonObject(part.functionCall)) return calls.read({ call: part.functionCall, signature, responseId })
    const said = sayPart(part, choice)
    const isWhole = signature === undefined || said.some(({ kind }) => kind === 'opaque-added')
    if (isWhole) return said.length === 0 ? [] : [...calls.close(), ...said]
    return [...calls.close(), ...said, { kind: 'reasoning-signed', choice, signature, format: 'google' }]
  }

  return {
    read,
    get isFinished() {
      return isFinished
    },
  }
}

function sayPart(part: JsonObject, choice: number): StreamPart[] {
  const isThought = part.thought === true
  const { text, inlineData } = part
  if (typeof text === 'string') {
    if (text === '') return []
    if (!isThought) return [{ kind: 'text-added', choice, text }]
    return [{ kind: 'reasoning-added', choice, text, isSummary: true, format: 'google' }]
  }
  if (isJsonObject(inlineData) && !isThought) {
    const mediaType = stringAt(inlineData, 'mimeType') ?? ''
    const base64 = stringAt(inlineData, 'data')
    if (mediaType.startsWith('image/') && base64 !== undefined)
      return [{ kind: 'image-added', choice, source: { kind: 'data', mediaType, base64 } }]
  }
  // The part contains its signature, so that it is sent back unchanged.
  const isEmpty = Object.keys(part).every((key) => key === 'thoughtSignature' || key === 'thought')
  return isEmpty ? [] : [{ kind: 'opaque-added', choice, part: { kind: 'opaque', protocol: 'gemini', value: part } }]
}
