import { parseUnitPrice } from '#domain/money/unit-price.ts'
import type { Change } from './diff-catalogue.ts'

/** Why a change looks like a mistake of its source, or null if it does not. */
export function judgeChange(change: Change, today: string): string | null {
  const { what, from, to } = change
  if (what === 'price') return judgePrice(change)
  if (what === 'limit' && from !== null && (to === null || Number(to) * 2 < Number(from))) return 'less than half'
  if (what === 'retirement' && to !== null && to <= today)
    return 'the date is in the past: calls would be rejected immediately'
  if (what === 'offer' && to === null) return 'the provider would no longer be used'
  return null
}

function judgePrice({ where, from, to, wasDisputed, isByTheClock }: Change): string | null {
  if (to === null) return 'the price would be removed'
  const after = parseUnitPrice(to)
  if (isToken(where) && after > tokenPriceMax) return 'more than 1,000 USD per million tokens'
  if (wasDisputed === true) return 'sources disagree on this price'
  if (isByTheClock === true) return 'billed by the time of day: the source may have only the lower price'
  if (from === null) return null
  const before = parseUnitPrice(from)
  if (after === 0n || before === 0n) return after === before ? null : 'zero price before or after'
  if (after > before * jumpMax) return 'more than double'
  return after * jumpMax < before ? 'less than half' : null
}

const jumpMax = 2n
const tokenPriceMax = parseUnitPrice('0.001')

/** A line is the provider, the unit and an optional condition. */
function isToken(line: string): boolean {
  const unit = line.split(' ')[1] ?? ''
  return !unit.startsWith('per_') && unit !== 'web_search'
}
