const periods = ['1d', '7d', '30d', '90d'] as const
export type Period = (typeof periods)[number]

/** The filters of the list. `from` and `to` are the histogram's selection and take precedence over the period. */
export interface RequestsSearch {
  readonly model?: string
  readonly key?: string
  readonly provider?: string
  readonly status?: 'charged' | 'refunded'
  readonly period?: Period
  readonly from?: string
  readonly to?: string
  readonly live?: true
}

export function parseRequestsSearch(search: Record<string, unknown>): RequestsSearch {
  return {
    ...textsOf(search, ['model', 'key', 'provider']),
    ...momentsOf(search),
    ...(search['status'] === 'charged' || search['status'] === 'refunded' ? { status: search['status'] } : {}),
    ...(isPeriod(search['period']) ? { period: search['period'] } : {}),
    ...(search['live'] === true ? { live: true } : {}),
  }
}

function isPeriod(value: unknown): value is Period {
  return periods.some((period) => period === value)
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
