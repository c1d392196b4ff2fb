import type { Revenue, RevenueRow } from '../../api/operator-money.ts'
import { type Nano, toNano } from '../../lib/money.ts'

export interface RevenueLine {
  readonly id: string
  readonly name: string
  readonly requests: number
  readonly charged: Nano
  readonly cost: Nano
  readonly margin: Nano
}

/** The groups of a month, then what they lack of the ledger, so that the lines sum to the month's usage. */
export function revenueLines({ data, others, unattributed }: Pick<Revenue, 'data' | 'others' | 'unattributed'>) {
  const rest: RevenueLine[] = []
  if (Number(others.requests) > 0) rest.push(lineOf('others', 'Others', others))
  const late = toNano(unattributed)
  if (late !== 0n) {
    const name = 'Not attributed yet'
    rest.push({ id: 'unattributed', name, requests: 0, charged: late, cost: 0n, margin: late })
  }
  return [...data.map((row) => lineOf(row.key ?? 'none', nameOf(row), row)), ...rest]
}

function nameOf({ key, customer }: Pick<RevenueRow, 'key' | 'customer'>): string {
  if (customer !== null) return customer.name ?? `Deleted ${customer.kind} ${customer.id}`
  return key ?? 'No provider answered'
}

function lineOf(
  id: string,
  name: string,
  sums: Pick<RevenueRow, 'requests' | 'charged' | 'provider_cost' | 'margin'>,
): RevenueLine {
  const [charged, cost, margin] = [toNano(sums.charged), toNano(sums.provider_cost), toNano(sums.margin)]
  return { id, name, requests: Number(sums.requests), charged, cost, margin }
}

/** Whole tenths of a percent of the charges, such as `12.3%`; nothing where nothing was charged. */
export function marginPercent({ charged, margin }: Pick<RevenueLine, 'charged' | 'margin'>): string {
  if (charged <= 0n) return '–'
  const tenths = (margin * 1_000n) / charged
  const whole = tenths < 0n ? -tenths : tenths
  return `${tenths < 0n ? '-' : ''}${whole / 10n}.${whole % 10n}%`
}
