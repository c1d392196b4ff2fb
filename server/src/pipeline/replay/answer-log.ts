import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import type { Answers, AnswerProgress, WritableAnswer } from '#ports/answers.ts'
import type { AnswerHead } from '../types.ts'

export interface AnswerLogOptions {
  readonly answers: Pick<Answers, 'put' | 'note'>
  readonly answer: WritableAnswer
  /** A longer answer is not stored. */
  readonly bytesMax: number
  /** How long bytes may wait for others, so that clients on other gateways follow the answer. */
  readonly delayMs: number
  readonly onError: (error: unknown) => void
}

// Larger chunks save nothing, and a client that joins must read the whole first chunk.
const chunkBytesMax = 262_144

/**
 * Stores an answer in chunks while it is written. A chunk is written as a blob before the row counts it, so a reader
 * never sees a count without its bytes. If storing fails, the request continues without a stored answer.
 */
export class AnswerLog {
  readonly #options: AnswerLogOptions
  #pending: Buffer[] = []
  #pendingBytes = 0
  #seenBytes = 0
  #chunks = 0
  #isKept = true
  #timer: NodeJS.Timeout | null = null
  #storing: Promise<void> = Promise.resolve()

  constructor(options: AnswerLogOptions) {
    this.#options = options
  }

  open(head: AnswerHead): void {
    this.add(`${JSON.stringify(head)}\n`)
  }

  add(bytes: Buffer | string): void {
    if (!this.#isKept || bytes.length === 0) return
    const added = Buffer.from(bytes)
    this.#seenBytes += added.length
    if (this.#seenBytes > this.#options.bytesMax) return this.#drop()
    this.#pending.push(added)
    this.#pendingBytes += added.length
    if (this.#pendingBytes >= chunkBytesMax) this.#store('running')
    else this.#timer ??= setTimeout(() => this.#store('running'), this.#options.delayMs).unref()
  }

  /** Stores the rest. From then on the answer is replayed, once it is settled. */
  close(): Promise<void> {
    this.#store('written')
    return this.#storing
  }

  /** Waits for what is being stored. */
  async idle(): Promise<void> {
    this.#stopTimer()
    await this.#storing
  }

  /** After the settle is durable. */
  settled(): void {
    this.#storing = this.#storing.then(() => this.#note('settled'))
  }

  /** The stored answer is wrong, so it is not kept. */
  unkeep(): void {
    this.#drop()
  }

  #drop(): void {
    this.#isKept = false
    this.#pending = []
    this.#pendingBytes = 0
  }

  #store(state: AnswerProgress['state']): void {
    this.#stopTimer()
    const bytes = Buffer.concat(this.#pending)
    this.#pending = []
    this.#pendingBytes = 0
    this.#storing = this.#storing.then(() => this.#put(bytes)).then(() => this.#note(state))
  }

  async #put(bytes: Buffer): Promise<void> {
    if (bytes.length === 0 || !this.#isKept) return
    try {
      await this.#options.answers.put(this.#options.answer, this.#chunks, bytes)
      this.#chunks += 1
      if (failpointsArmed) await failpoint('after-chunk')
    } catch (error) {
      this.#options.onError(error)
      this.#drop()
    }
  }

  async #note(state: AnswerProgress['state']): Promise<void> {
    const progress = { state, chunks: this.#chunks, isKept: this.#isKept }
    await this.#options.answers.note(this.#options.answer.id, progress).catch(this.#options.onError)
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}
