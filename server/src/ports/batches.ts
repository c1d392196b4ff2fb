import type { Batch, BatchApi, BatchError, LineAnswer, LineResult, PricedLine } from '#domain/batches/batch.ts'
import type { FileOwner } from '#domain/files/file-owner.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Batches as their owners see them. */
export interface Batches {
  /** `full`: the wallet has too many batches that have not ended. */
  create(batch: NewBatch): Promise<Batch | 'full'>
  find(owner: FileOwner, which: BatchReference): Promise<Batch | null>
  list(owner: FileOwner, query: BatchListQuery): Promise<Batch[]>
  /** Lines that have not started never start. Null if there is no such batch. A batch that has ended stays as it is. */
  cancel(owner: FileOwner, which: BatchReference, nowMs: number): Promise<Batch | null>
  /** Deletes a batch that has ended. */
  remove(owner: FileOwner, which: BatchReference): Promise<'removed' | 'running' | 'missing'>
}

export interface BatchReference {
  readonly api: BatchApi
  readonly id: Uuid
}

export interface NewBatch extends FileOwner, BatchReference {
  /** The network that created it, for limits per address. */
  readonly network: string
  readonly userId: Uuid | null
  readonly keyId: Uuid
  readonly endpoint: string
  readonly inputFileId: Uuid
  readonly metadata: JsonObject | null
  readonly createdAtMs: number
  readonly expiresAtMs: number
  /** Maximum batches of the wallet that have not ended, including this one. */
  readonly openMax: number
}

export interface BatchListQuery {
  readonly api: BatchApi
  /** Batches older than this one. */
  readonly after: Uuid | null
  /** Batches newer than this one, the closest last. */
  readonly before: Uuid | null
  readonly limit: number
}

/** Batches as gateways run them. Writes with a lost claim change nothing. */
export interface BatchQueue {
  claim(atMost: number): Promise<readonly ClaimedBatch[]>
  renew(claims: readonly ClaimedBatch[]): Promise<void>
  /** Lets any gateway claim the batch after this time. */
  release(claim: ClaimedBatch, dueInMs: number): Promise<void>
  /** The worst cost of the lines that have not started, of other batches. */
  readPromised(claim: ClaimedBatch): Promise<PromisedSpend>
  /** Ends a batch that was cancelled, or has expired, before its lines were checked. False if it goes on. */
  abandon(claim: ClaimedBatch, nowMs: number): Promise<boolean>
  fail(claim: ClaimedBatch, errors: readonly BatchError[], nowMs: number): Promise<void>
  /** Stores the lines. With an answer, no line runs, and each gets this answer. */
  begin(claim: ClaimedBatch, lines: readonly PricedLine[], nowMs: number, answer: LineAnswer | null): Promise<void>
  /** Lines to run, except those under way here. Lines that a dead gateway has started come again. */
  take(claim: ClaimedBatch, query: TakeQuery): Promise<readonly TakenLine[]>
  /** For a line that nothing has run. */
  putBack(claim: ClaimedBatch, line: number): Promise<void>
  /** Stores the answer to a line, unless it has one. */
  answer(claim: ClaimedBatch, line: number, answer: LineAnswer): Promise<void>
  /** Ends the lines that have not started, once no line runs. False if some do. */
  finalize(claim: ClaimedBatch, nowMs: number): Promise<boolean>
  /** The ended lines in order, a page at a time. */
  results(claim: ClaimedBatch): AsyncIterable<LineResult>
  end(claim: ClaimedBatch, files: BatchFiles, nowMs: number): Promise<void>
}

export interface ClaimedBatch extends FileOwner {
  readonly id: Uuid
  /** The network that created it. Its lines count as requests from there. */
  readonly network: string
  readonly api: BatchApi
  readonly userId: Uuid | null
  readonly keyId: Uuid
  readonly endpoint: string
  readonly inputFileId: Uuid
  readonly status: 'validating' | 'in_progress' | 'finalizing'
  readonly expiresAtMs: number
  /** The fencing token. */
  readonly claim: number
  /** Encrypts results. Null if no configured secret decrypts it. */
  readonly dataKey: Buffer | null
}

export interface PromisedSpend {
  readonly wallet: NanoUsd
  readonly key: NanoUsd
}

export interface TakeQuery {
  readonly atMost: number
  readonly underWay: readonly number[]
  readonly nowMs: number
}

export interface TakenLine {
  readonly line: number
  readonly customId: string
  readonly firstByte: number
  readonly byteCount: number
  /** Whether another run may have charged it. */
  readonly isAgain: boolean
  /** Whether that was so long ago that its answer is no longer stored. */
  readonly isLost: boolean
}

export interface BatchFiles {
  readonly outputFileId: Uuid | null
  readonly errorFileId: Uuid | null
}
