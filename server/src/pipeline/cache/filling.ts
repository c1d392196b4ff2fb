import { randomBytes } from 'node:crypto'
import type { RefundReason } from '#domain/ledger/generation-record.ts'
import { formatUsd, type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import type { CachedAnswers, CacheSlot } from '#ports/cached-answers.ts'
import { toldCap } from '../told-cap.ts'
import type { AnswerEnd, CacheFilling, Judged, LastBytes, Ticket } from '../types.ts'
import { serverOf, writeKept } from './kept-answer.ts'

interface FillingOptions {
  readonly answers: Pick<CachedAnswers, 'fill' | 'refuse' | 'forget'>
  readonly slot: CacheSlot
  readonly ttlMs: number
  readonly answerBytesMax: number
  readonly walletBytesMax: number
  readonly onError: (error: unknown) => void
  /** Called once, when identical requests need not wait any more. */
  readonly onEnd: () => void
}

/** The end of the answer, which is written at most once: writers of streams count their frames. */
interface Ending {
  readonly write: () => string
  readonly facts: Omit<AnswerEnd, 'close'>
}

/**
 * Keeps the answer of a request as its client gets it, beside the request. It is open until the settle decides: only an
 * answer that was settled as complete is kept, so a failed request or a dead gateway leaves nothing to be replayed.
 */
export class Filling implements CacheFilling {
  readonly #options: FillingOptions
  /** Written in place of the cost. No upstream can guess it, so it occurs nowhere else. */
  readonly #standIn: NanoUsd
  readonly #costText: string
  readonly #body: Buffer[] = []
  #bodyBytes = 0
  #ending: Ending | null = null
  #isOver = false

  constructor(options: FillingOptions) {
    this.#options = options
    this.#standIn = nanoUsd(randomBytes(8).readBigUInt64BE() + 1_000_000_000_000_000_000n)
    this.#costText = formatUsd(this.#standIn)
  }

  wrote(bytes: LastBytes): void {
    if (this.#isOver) return
    const piece = Buffer.from(bytes)
    this.#bodyBytes += piece.length
    if (this.#bodyBytes <= this.#options.answerBytesMax) this.#body.push(piece)
    else this.#body.length = 0
  }

  ending({ close, ...facts }: AnswerEnd): (cost: NanoUsd) => string {
    let written: string | null = null
    const write = (): string => {
      written ??= String(close(this.#standIn))
      return written
    }
    this.#ending = { write, facts }
    return (cost) => write().replaceAll(this.#costText, formatUsd(cost))
  }

  settled(ticket: Ticket, judged: Judged): void {
    if (this.#isOver) return
    const { outcome } = judged
    if (outcome.kind === 'refunded' || outcome.cancelled || this.#ending === null) return this.forget()
    const kept = mayBeKept(ticket, judged) ? this.#write(ticket, outcome, this.#ending) : null
    const { answers, slot, ttlMs, walletBytesMax } = this.#options
    this.#end(kept === null ? answers.refuse(slot) : answers.fill(slot, { bytes: kept, ttlMs, walletBytesMax }))
  }

  forget(): void {
    if (!this.#isOver) this.#end(this.#options.answers.forget(this.#options.slot))
  }

  released(): void {
    this.forget()
  }

  /** Null if the answer is too long. */
  #write(
    ticket: Ticket,
    { candidate, status, answer }: Judged['outcome'] & { kind: 'answered' },
    { write, facts: { contentType, ignored } }: Ending,
  ): Buffer | null {
    const { usage, finishReason, nativeFinishReason } = answer
    const end = withoutUpstreamCost(write(), this.#costText)
    if (usage === null || this.#bodyBytes + Buffer.byteLength(end) > this.#options.answerBytesMax) return null
    const facts = {
      createdS: Math.floor(ticket.arrival.receivedAtMs / 1_000),
      status,
      contentType: contentType ?? null,
      ignored,
      server: serverOf(candidate),
      isCharged: candidate.billing === 'charged',
      usage,
      finishReason,
      nativeFinishReason,
      // The end was written, and the output items were noted with it.
      output: ticket.output ?? null,
      costText: this.#costText,
    }
    return writeKept(facts, { body: this.#body, end })
  }

  #end(stored: Promise<void>): void {
    const { onEnd, onError } = this.#options
    this.#isOver = true
    this.#body.length = 0
    stored.catch(onError).finally(onEnd)
  }
}

/** Excludes the provider's cost of an own key, which follows the cost: the provider bills only the first request. */
function withoutUpstreamCost(end: string, costText: string): string {
  return end
    .split(costText)
    .map((piece) => piece.replace(/^,"cost_details":\{"upstream_inference_cost":(?:null|[\d.]+)\}/, ''))
    .join(costText)
}

/**
 * Whether the answer is the one that every identical request would want: complete, paid as reported, and not cut off.
 */
function mayBeKept(ticket: Ticket, { outcome, refundReason, usageDoubted, absorbed }: Judged): boolean {
  const { candidate, answer } = outcome
  if (candidate === null || answer?.usage == null || usageDoubted || absorbed !== 0n) return false
  if (refundReason !== null && !unpaidByTerms.has(refundReason)) return false
  const { call } = ticket.plan
  // Embeddings are complete or failed.
  if (call.media !== undefined) return true
  // The wallet's credit capped it.
  if (toldCap(ticket, candidate) !== null) return false
  const { finishReason } = answer
  if (finishReason === 'length') return call.maxTokens !== null
  return finishReason === 'stop' || finishReason === 'tool_calls'
}

const unpaidByTerms: ReadonlySet<RefundReason> = new Set(['not_billed', 'free_tier', 'own_key'])
