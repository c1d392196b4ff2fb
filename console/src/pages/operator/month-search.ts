import { type RevenueGroup, revenueGroups } from '../../api/operator-money.ts'
import { pickKnown } from '../../lib/pick-known.ts'

export interface MonthSearch {
  /** Such as `2026-11`. Defaults to the current month. */
  readonly month?: string
}

export interface RevenueSearch extends MonthSearch {
  readonly by?: RevenueGroup
}

export function parseMonthSearch({ month }: Record<string, unknown>): MonthSearch {
  return typeof month === 'string' && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month) ? { month } : {}
}

export function parseRevenueSearch(search: Record<string, unknown>): RevenueSearch {
  return { ...pickKnown('by', revenueGroups, search['by']), ...parseMonthSearch(search) }
}
