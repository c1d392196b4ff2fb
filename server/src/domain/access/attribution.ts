import type { EndCustomerTerms } from '#domain/end-customers/end-customer.ts'

/** For whom a request is, if it says so. Its limits apply besides those of the key. */
export interface Attribution {
  readonly endCustomer: EndCustomerTerms | null
}
