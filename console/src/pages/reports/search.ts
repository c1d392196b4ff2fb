import { pickKnown } from '../../lib/pick-known.ts'

export const reportViews = ['members', 'teams', 'models', 'cost-centers', 'tags', 'days'] as const
export type ReportView = (typeof reportViews)[number]

export interface ReportsSearch {
  readonly view?: ReportView
  /** Such as `2026-11`. Defaults to the current month. */
  readonly month?: string
}

export function parseReportsSearch({ view, month }: Record<string, unknown>): ReportsSearch {
  return {
    ...pickKnown('view', reportViews, view),
    ...(typeof month === 'string' && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month) ? { month } : {}),
  }
}
