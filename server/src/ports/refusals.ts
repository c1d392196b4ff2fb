import type { Refusal, RefusalCount } from '#domain/ledger/refusal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { GenerationFilter, GenerationListQuery } from './account-reads.ts'

/** Takes refused requests in memory. Neither waits nor fails. */
export interface Refusals {
  note(refusal: Refusal): void
}

export interface RefusalBatch {
  readonly writer: Uuid
  /** Grows by one with each batch of a writer. */
  readonly number: number
  readonly refusals: readonly Refusal[]
  readonly counts: readonly RefusalCount[]
}

export interface RefusalStore {
  /** Writes a batch once, however often it is sent. `lost`: the store rejected it, and would reject it again. */
  write(batch: RefusalBatch): Promise<'written' | 'lost'>
}

/** Refused requests by page, the newest first. */
export interface RefusalLists {
  list(query: RefusalListQuery): Promise<RefusalPage>
  /** The exact number of refusals by error, over whole hours. */
  count(query: RefusalCountQuery): Promise<readonly { readonly error: string; readonly count: number }[]>
}

export interface RefusalListQuery extends Omit<GenerationListQuery, 'filter'> {
  readonly filter: Pick<GenerationFilter, 'model' | 'keyId' | 'teamId' | 'fromMs' | 'toMs'>
}

export interface RefusalCountQuery extends Pick<GenerationListQuery, 'scope'> {
  readonly keyId: Uuid | null
  readonly fromMs: number
  readonly toMs: number
}

/** As `GenerationPage`. */
export interface RefusalPage {
  readonly records: readonly Refusal[]
  readonly next: Uuid | null
}
