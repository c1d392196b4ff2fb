import { pickKnown } from '../../lib/pick-known.ts'
import { documentKinds } from '../invoices/search.ts'

export const orderStates = [
  'open',
  'expired',
  'mismatch',
  'paid',
  'partly_refunded',
  'refunded',
  'disputed',
  'won',
  'lost',
] as const

export interface AllOrdersSearch {
  readonly state?: (typeof orderStates)[number]
  /** Only orders with a mismatch. */
  readonly mismatched?: true
  /** A wallet by its id, its owner's id, an email address or an organization's slug. */
  readonly wallet?: string
}

export function parseAllOrdersSearch({ state, mismatched, wallet }: Record<string, unknown>): AllOrdersSearch {
  return {
    ...pickKnown('state', orderStates, state),
    ...(mismatched === true ? { mismatched } : {}),
    ...(typeof wallet === 'string' && wallet !== '' ? { wallet } : {}),
  }
}

export interface AllInvoicesSearch {
  readonly kind?: (typeof documentKinds)[number]
  readonly wallet?: string
}

export function parseAllInvoicesSearch({ kind, wallet }: Record<string, unknown>): AllInvoicesSearch {
  return {
    ...pickKnown('kind', documentKinds, kind),
    ...(typeof wallet === 'string' && wallet !== '' ? { wallet } : {}),
  }
}
