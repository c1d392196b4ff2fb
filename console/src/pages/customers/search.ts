import { pickKnown } from '../../lib/pick-known.ts'

const customerSorts = ['-created', 'created'] as const

interface CustomersSearch {
  /** The beginning of an id. */
  readonly q?: string
  readonly sort?: (typeof customerSorts)[number]
  /** Whether the dialog for a new customer is open. */
  readonly create?: true
}

export function parseCustomersSearch({ q, sort, create }: Record<string, unknown>): CustomersSearch {
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...pickKnown('sort', customerSorts, sort),
    ...(create === true ? { create } : {}),
  }
}
