import { pickKnown } from '../../../lib/pick-known.ts'

export interface StatementSearch {
  readonly month?: string
  readonly view?: 'holds'
}

export function parseStatementSearch({ month, view }: Record<string, unknown>): StatementSearch {
  return {
    ...(typeof month === 'string' && /^2\d{3}-(?:0[1-9]|1[0-2])$/.test(month) ? { month } : {}),
    ...pickKnown('view', ['holds'] as const, view),
  }
}

export interface CustomerSearch {
  /** A view of the customer's console has ended without the operator. */
  readonly view?: 'ended'
}

export function parseCustomerSearch({ view }: Record<string, unknown>): CustomerSearch {
  return pickKnown('view', ['ended'] as const, view)
}

export interface CustomersSearch {
  readonly q?: string
  readonly kind?: 'user' | 'organization'
  readonly status?: 'active' | 'suspended'
}

export function parseCustomersSearch({ q, kind, status }: Record<string, unknown>): CustomersSearch {
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...pickKnown('kind', ['user', 'organization'] as const, kind),
    ...pickKnown('status', ['active', 'suspended'] as const, status),
  }
}
