import { type ExactNumber, formatUsd, toNano } from '../../lib/money.ts'

interface Bounds {
  readonly credit_min: ExactNumber
  readonly credit_max: ExactNumber
}

/** Returns the error for a typed amount, or null if it is valid. */
export function judgeAmount(text: string, { credit_min: least, credit_max: most }: Bounds): string | null {
  if (!/^\d{1,9}(?:\.\d{1,2})?$/.test(text)) return 'Enter an amount in USD, such as 25 or 12.50.'
  const nano = toNano(text)
  if (nano < toNano(least)) return `Enter at least ${formatUsd(toNano(least))}.`
  if (nano > toNano(most)) return `Enter no more than ${formatUsd(toNano(most))}.`
  return null
}

const usual = ['10', '25', '50', '100', '250']

/** Preset amounts that one click selects. */
export function usualAmounts(bounds: Bounds): readonly string[] {
  return usual.filter((amount) => judgeAmount(amount, bounds) === null)
}
