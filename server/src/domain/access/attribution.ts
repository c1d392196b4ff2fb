import type { EndCustomerTerms } from '#domain/end-customers/end-customer.ts'
import type { Uuid } from '#lib/uuid.ts'

/** For whom and for what a request is, if it says so. The customer's limits apply besides those of the key. */
export interface Attribution {
  readonly endCustomer: EndCustomerTerms | null
  /** Sorted. */
  readonly tagIds: readonly Uuid[]
}
