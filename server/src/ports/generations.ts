import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import type { PriceList } from '#domain/money/price-list.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Reads finished requests; one that the scope does not cover is as unknown as one that never was. */
export interface Generations {
  find(scope: UsageScope, id: Uuid): Promise<StoredGeneration | null>
}

export interface StoredGeneration {
  record: GenerationRecord
  /** The price version it was charged with. */
  price: PriceList | null
}
