import { type DaySpan, pickPeriod } from '../../lib/period.ts'
import { pickKnown } from '../../lib/pick-known.ts'
import { type OwnerSearch, pickOwner } from '../../lib/pick-owner.ts'

const presets = ['1d', '7d', '30d', '90d'] as const
export type Preset = (typeof presets)[number]

/**
 * Requests that were charged, that cost nothing, that failed, that were refused, or that cost nothing for one reason. A
 * test compares the reasons.
 */
export const requestStatuses = [
  'charged',
  'refunded',
  'failed',
  'refused',
  'upstream_failed',
  'upstream_rejected',
  'unusable_answer',
  'stream_interrupted',
  'no_usage',
  'zero_usage',
  'client_cancelled',
  'credit_exhausted',
  'gateway_fault',
  'lease_lapsed',
  'not_billed',
  'free_tier',
  'own_key',
  'cache_hit',
] as const

/** The filters of the list. `from` and `to` are the histogram's selection and take precedence over the period. */
export interface RequestsSearch extends OwnerSearch {
  readonly model?: string
  readonly key?: string
  readonly provider?: string
  readonly app?: string
  readonly customer?: string
  readonly user?: string
  readonly run?: string
  readonly tag?: string
  readonly status?: (typeof requestStatuses)[number]
  readonly period?: Preset | DaySpan
  readonly from?: string
  readonly to?: string
  readonly live?: true
}

export function parseRequestsSearch(search: Record<string, unknown>): RequestsSearch {
  return {
    ...textsOf(search, ['model', 'key', 'provider', 'app', 'customer', 'user', 'run', 'tag']),
    ...pickOwner(search),
    ...momentsOf(search),
    ...pickKnown('status', requestStatuses, search['status']),
    ...pickPeriod(presets, search['period']),
    ...(search['live'] === true ? { live: true } : {}),
  }
}

function textsOf(search: Record<string, unknown>, names: readonly string[]): Record<string, string> {
  const found = names.flatMap((name) => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? [[name, value]] : []
  })
  return Object.fromEntries(found)
}

function momentsOf({ from, to }: Record<string, unknown>): Pick<RequestsSearch, 'from' | 'to'> {
  if (typeof from !== 'string' || typeof to !== 'string') return {}
  return Date.parse(from) < Date.parse(to) ? { from, to } : {}
}
