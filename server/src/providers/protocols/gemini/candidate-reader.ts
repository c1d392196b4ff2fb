import type { StreamPart } from '#domain/inference/stream-part.ts'
import { isJsonObject, type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { mintCallId } from './call-ids.ts'
import { finishReasonOf } from './finish-reason.ts'
import { createPartialArguments, type PartialArguments } from './partial-arguments.ts'

/** Reads one candidate through all of its frames. */
export interface CandidateReader {
  read(candidate: JsonObject, responseId: string | undefined): StreamPart[]
  readonly isFinished: boolean
}

export function createCandidateReader(choice: number): CandidateReader {
  let callCount = 0
  let isFinished = false
  /** A call whose arguments still arrive. Anything else that comes ends it, since the mark of its end can be missing. */
  let open: { index: number; pieces: PartialArguments } | null = null

  function read(candidate: JsonObject, responseId: string | undefined): StreamPart[] {
    const { parts } = objectAt(candidate, 'content')
    const read = (Array.isArray(parts) ? parts : []).filter(isJsonObject).flatMap((part) => readPart(part, responseId))
    const native = stringAt(candidate, 'finishReason')
    if (native === undefined || native === '' || isFinished) return read
    isFinished = true
    return [
      ...read,
      ...closeCall(),
      { kind: 'finished', choice, reason: finishReasonOf(native, callCount > 0), native },
    ]
  }

  function readPart(part: JsonObject, responseId: string | undefined): StreamPart[] {
    const signature = stringAt(part, 'thoughtSignature')
    if (isJsonObject(part.functionCall)) return readCall(part.functionCall, signature, responseId)
    const said = sayPart(part, choice)
    const signed: StreamPart[] =
      signature === undefined || said.some(({ kind }) => kind === 'opaque-added')
        ? said
        : [...said, { kind: 'reasoning-signed', choice, signature, format: 'google' }]
    return signed.length === 0 ? [] : [...closeCall(), ...signed]
  }

  function readCall(call: JsonObject, signature: string | undefined, responseId: string | undefined): StreamPart[] {
    const name = stringAt(call, 'name') ?? ''
    if (name === '' && open === null) return []
    const begun = name === '' ? [] : [...closeCall(), startCall(name, call, signature, responseId)]
    open ??= { index: callCount - 1, pieces: createPartialArguments() }
    open.pieces.add(call.partialArgs)
    if (isJsonObject(call.args)) open.pieces.merge(call.args)
    return call.willContinue === true ? begun : [...begun, ...closeCall()]
  }

  function startCall(
    name: string,
    call: JsonObject,
    signature: string | undefined,
    responseId: string | undefined,
  ): StreamPart {
    const index = callCount
    callCount += 1
    const id = stringAt(call, 'id') || mintCallId({ responseId, choice, index })
    return {
      kind: 'tool-call-started',
      choice,
      index,
      id,
      name,
      ...(signature === undefined ? {} : { signature }),
    }
  }

  function closeCall(): StreamPart[] {
    if (open === null) return []
    const { index, pieces } = open
    open = null
    return [{ kind: 'tool-call-added', choice, index, json: pieces.toJson() }]
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
      return [{ kind: 'image-added', choice, mediaType, base64 }]
  }
  // Keeps its signature inside, so that it returns as it came.
  const isEmpty = Object.keys(part).every((key) => key === 'thoughtSignature' || key === 'thought')
  return isEmpty ? [] : [{ kind: 'opaque-added', choice, part: { kind: 'opaque', protocol: 'gemini', value: part } }]
}
