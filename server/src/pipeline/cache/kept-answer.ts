import type { Usage } from '#domain/inference/usage.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { CachedAnswer } from '../types.ts'
import { BytesTemplate, type Stamp, TextTemplate } from './template.ts'

/** The facts about an answer besides its bytes. */
export interface AnswerFacts {
  /** Of the request that got the answer from its upstream. */
  readonly createdS: number
  readonly status: number
  /** Null for the usual type: JSON, or an event stream. */
  readonly contentType: string | null
  /** Parameters that the contract drops silently for this model. */
  readonly ignored: readonly string[]
  readonly server: Server
  /** Whether the first request was charged. Hits of an answer that was free are free. */
  readonly isCharged: boolean
  readonly usage: Usage
  readonly finishReason: string | null
  readonly nativeFinishReason: string | null
  /** The output items that later requests may refer to, or null if they must not be kept. */
  readonly output: readonly JsonObject[] | null
  /** Written in place of the cost. It occurs nowhere else in the answer. */
  readonly costText: string
}

/** Which candidate answered. */
export interface Server {
  readonly account: string
  readonly model: string
  readonly upstreamModel: string
}

/**
 * The client's bytes: a stream up to its end, and its last bytes or a whole document, with a placeholder for the cost.
 */
export interface WrittenAnswer {
  readonly body: readonly Buffer[]
  readonly end: string
}

export function serverOf({ account, model, upstreamModel }: Candidate): Server {
  return { account: account.id, model: model.id, upstreamModel }
}

export function isServer({ account, model, upstreamModel }: Candidate, server: Server): boolean {
  return account.id === server.account && model.id === server.model && upstreamModel === server.upstreamModel
}

/** An answer as it is kept: a line with its facts and the length of its body, the body, and the end. */
export function writeKept(facts: AnswerFacts, { body, end }: WrittenAnswer): Buffer {
  const bodyBytes = body.reduce((sum, piece) => sum + piece.length, 0)
  const head = Buffer.from(`${JSON.stringify({ ...facts, bodyBytes })}\n`)
  return Buffer.concat([head, ...body, Buffer.from(end)])
}

// A stream up to this size is sent in one write, once its cost is known.
const heldBytesMax = 65_536

/** A kept answer, ready to be sent for any request. */
export class KeptAnswer {
  /** The request that got the answer from its upstream. */
  readonly id: Uuid
  readonly facts: AnswerFacts
  /** Memory of the answer. */
  readonly byteCount: number
  /** What is sent before the cost is known. */
  readonly #body: BytesTemplate
  /** The rest, without the costs in between. */
  readonly #end: readonly TextTemplate[]
  readonly #output: TextTemplate | null

  /** Only `writeKept` writes these bytes, and sealed bytes cannot be changed by others. */
  constructor(id: Uuid, kept: Buffer) {
    const headEnd = kept.indexOf('\n')
    const { bodyBytes, ...facts }: AnswerFacts & { bodyBytes: number } = JSON.parse(kept.toString('utf8', 0, headEnd))
    const stamp = { generationId: id, createdS: facts.createdS }
    const bodyEnd = headEnd + 1 + (bodyBytes > heldBytesMax ? bodyBytes : 0)
    const end = kept.toString('utf8', bodyEnd).split(facts.costText)
    this.id = id
    this.facts = facts
    this.#body = new BytesTemplate(kept.subarray(headEnd + 1, bodyEnd), stamp)
    this.#end = end.map((piece) => new TextTemplate(piece, stamp))
    this.#output = facts.output === null ? null : new TextTemplate(JSON.stringify(facts.output), stamp)
    // Text may take two bytes for each of its characters.
    this.byteCount = this.#body.byteCount + 2 * (kept.length - bodyEnd)
  }

  /** The answer under the id and the time of another request. */
  for(stamp: Stamp): CachedAnswer {
    const { status, contentType, ignored, usage, finishReason, nativeFinishReason } = this.facts
    return {
      from: this.id,
      status,
      ...(contentType === null ? {} : { contentType }),
      ignored,
      answer: { usage, finishReason, nativeFinishReason },
      body: () => this.#body.for(stamp),
      end: (cost) => this.#end.map((piece) => piece.for(stamp)).join(formatUsd(cost)),
      output: () => (this.#output === null ? null : JSON.parse(this.#output.for(stamp))),
    }
  }
}
