import type { EndCustomerTerms } from '#domain/end-customers/end-customer.ts'
import type { RunTerms } from '#domain/runs/run.ts'
import type { Uuid } from '#lib/uuid.ts'

/** For whom and for what a request is, if it says so. The customer's limits apply besides those of the key. */
export interface Attribution {
  readonly endCustomer: EndCustomerTerms | null
  /** Sorted. */
  readonly tagIds: readonly Uuid[]
  /** The budgets of this run and of the runs above it apply in addition to the limits of the key. */
  readonly run: RunTerms | null
}
