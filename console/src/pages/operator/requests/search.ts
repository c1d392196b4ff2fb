import { pickKnown } from '../../../lib/pick-known.ts'
import { type DaySpan, pickPeriod } from '../../../lib/period.ts'

export const outcomes = ['charged', 'refunded', 'failed', 'refused'] as const
export type Outcome = (typeof outcomes)[number]

/** The period of a URL without one. */
export const usualPeriod = '7d'
export const periods = ['1d', '7d', '30d', '90d'] as const

/** The filters of the search. `from` and `to` are moments and take precedence over the period. */
export interface OperatedRequestsSearch {
  readonly id?: string
  readonly customer?: string
  readonly key?: string
  readonly model?: string
  readonly provider?: string
  readonly outcome?: Outcome
  readonly error?: string
  readonly period?: (typeof periods)[number] | DaySpan
  readonly from?: string
  readonly to?: string
}

const texts = ['id', 'customer', 'key', 'model', 'provider', 'error'] as const

export function parseOperatedRequestsSearch(search: Record<string, unknown>): OperatedRequestsSearch {
  const found = texts.flatMap((name) => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? [[name, value]] : []
  })
  const { from, to } = search
  const isRange = typeof from === 'string' && typeof to === 'string' && Date.parse(from) < Date.parse(to)
  return {
    ...Object.fromEntries(found),
    ...pickKnown('outcome', outcomes, search['outcome']),
    ...pickPeriod(periods, search['period']),
    ...(isRange ? { from, to } : {}),
  }
}
