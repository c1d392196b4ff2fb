import type { GatewayError } from '#errors/gateway-error.ts'
import { isJsonObject, type JsonObject, parseJsonObject } from '#lib/json.ts'
import { WholeBody } from '#lib/whole-body.ts'
import type { AnswerFailure, AnswerListener, AnswerReader } from '../../types.ts'
import { nestingFailure } from './nested-answer.ts'
import { oversizeAnswer } from './oversize-answer.ts'

/** The parts of reading a relayed document in which the dialects differ. */
interface DocumentRelay {
  readonly answerBytesMax: number
  /** The member that contains the output. */
  readonly contentField: 'content' | 'output'
  readonly failureIn: (document: JsonObject) => { readonly message: string } | undefined
  readonly deliver: (document: JsonObject, content: readonly JsonObject[]) => void
  readonly fail: (error: GatewayError) => string
}

/** Collects a document in the client's dialect, and delivers it once it is complete and contains output. */
export function createRelayDocumentReader(relay: DocumentRelay, listener: AnswerListener): AnswerReader {
  const body = new WholeBody(relay.answerBytesMax)
  let ended = false

  function data(bytes: Buffer): void {
    if (!ended && !body.add(bytes)) fail(oversizeAnswer)
  }

  function end(): void {
    if (ended) return
    if (body.isEmpty) return fail({ kind: 'empty', message: 'The upstream returned an empty response.' })
    const bytes = body.take()
    const nesting = nestingFailure(bytes)
    if (nesting !== null) return fail(nesting)
    const document = parseJsonObject(bytes.toString('utf8').replace(/^\uFEFF/, ''))
    if (document === undefined) return fail({ kind: 'broken', message: 'The upstream response is not valid JSON.' })
    const failure = relay.failureIn(document)
    if (failure !== undefined) return fail({ kind: 'error', message: failure.message })
    const content = document[relay.contentField]
    if (!Array.isArray(content))
      return fail({ kind: 'empty', message: 'The upstream returned a response without content.' })
    ended = true
    relay.deliver(document, content.filter(isJsonObject))
  }

  function fail(failure: AnswerFailure): void {
    ended = true
    listener.unusable(failure)
  }

  // The last byte must arrive before the answer can be billed.
  return { data, end, fail: relay.fail, outputTokensEstimate: 0, finalAnswer: null }
}
