import type { StreamPart } from '#domain/inference/stream-part.ts'
import { isJsonObject, type JsonObject, stringAt } from '#lib/json.ts'
import { mintCallId } from './call-ids.ts'
import { createPartialArguments, type PartialArguments } from './partial-arguments.ts'

/** Reads the calls of one candidate. Most arrive whole. */
interface CallReader {
  read(part: CallInPart): StreamPart[]
  /**
   * Ends a call whose arguments are still arriving. Any other part ends it too, since its end marker can be missing.
   */
  close(): StreamPart[]
  readonly count: number
}

interface CallInPart {
  readonly call: JsonObject
  readonly signature: string | undefined
  readonly responseId: string | undefined
}

export function createCallReader(choice: number): CallReader {
  let count = 0
  let open: { index: number; pieces: PartialArguments } | null = null

  function read(part: CallInPart): StreamPart[] {
    const { call } = part
    const name = stringAt(call, 'name') ?? ''
    if (name === '' && open === null) return []
    const begun = name === '' ? [] : [...close(), start(name, part)]
    open ??= { index: count - 1, pieces: createPartialArguments() }
    open.pieces.add(call.partialArgs)
    if (isJsonObject(call.args)) open.pieces.merge(call.args)
    return call.willContinue === true ? begun : [...begun, ...close()]
  }

  function start(name: string, { call, signature, responseId }: CallInPart): StreamPart {
    const index = count
    count += 1
    const id = stringAt(call, 'id') || mintCallId({ responseId, choice, index })
    const signed = signature === undefined ? {} : { signature }
    return { kind: 'tool-call-started', choice, index, id, name, ...signed }
  }

  function close(): StreamPart[] {
    if (open === null) return []
    const { index, pieces } = open
    open = null
    return [{ kind: 'tool-call-added', choice, index, json: pieces.toJson() }]
  }

  return {
    read,
    close,
    get count() {
      return count
    },
  }
}
