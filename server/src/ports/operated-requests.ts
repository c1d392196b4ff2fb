import type { Attempt, RefundReason } from '#domain/ledger/generation-record.ts'
import type { RequestOutcome } from '#domain/ledger/request-outcome.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { CustomerName } from './customers.ts'
import type { BookedTransfer } from './ledger.ts'

/** Finished and refused requests of all customers, for operators. */
export interface OperatedRequests {
  /** The newest first. */
  list(query: OperatedRequestQuery): Promise<OperatedRequestPage>
  /** The wallet that pays for a key's requests, or null if there is no such key. */
  findWallet(keyId: Uuid): Promise<Uuid | null>
  /** Every ledger transaction of one request. More than one charge would be a fault. */
  listTransfers(request: { readonly id: Uuid; readonly walletId: Uuid }): Promise<readonly BookedTransfer[]>
  /** The newest failed attempts at one of the platform's provider accounts, among recent requests. */
  listFailures(query: { readonly account: string; readonly limit: number }): Promise<readonly FailedAttempt[]>
}

export interface FailedAttempt extends Pick<Attempt, 'model' | 'outcome' | 'status' | 'said'> {
  readonly requestId: Uuid
}

/** A null field filters nothing. */
export interface OperatedRequestFilter {
  readonly id: Uuid | null
  readonly walletId: Uuid | null
  readonly keyId: Uuid | null
  readonly model: string | null
  readonly provider: string | null
  readonly outcome: RequestOutcome | null
  /** The name of the error of a refusal, or the reason of a refund. */
  readonly error: string | null
  /** Start time, and the exclusive end time. */
  readonly fromMs: number | null
  readonly toMs: number | null
}

export interface OperatedRequestQuery {
  readonly filter: OperatedRequestFilter
  /** Only requests with smaller ids. Null to start from now. */
  readonly before: Uuid | null
  readonly limit: number
  readonly nowMs: number
}

/** A page may have few requests or none and still have a next one, as in `GenerationPage`. */
export interface OperatedRequestPage {
  readonly records: readonly OperatedRequest[]
  readonly next: Uuid | null
}

export interface OperatedRequest {
  readonly id: Uuid
  readonly walletId: Uuid
  readonly customer: CustomerName | null
  readonly key: { readonly id: Uuid; readonly name: string | null; readonly shown: string | null }
  readonly endpoint: string
  readonly model: string | null
  readonly provider: string | null
  readonly isRefused: boolean
  /** HTTP status of the refusal, or of the upstream. */
  readonly status: number | null
  readonly error: string | null
  readonly refundReason: RefundReason | null
  readonly cost: NanoUsd
  readonly durationMs: number | null
  readonly attemptCount: number
}
