/** The value of one series in one time bucket. */
interface StackEntry {
  readonly bucket: string
  readonly name: string
  readonly amount: bigint
}

interface Stack {
  readonly series: readonly { readonly id: string; readonly label: string }[]
  readonly points: readonly {
    readonly label: string
    readonly heights: Readonly<Record<string, number>>
    readonly words: Readonly<Record<string, string>>
  }[]
  readonly sum: bigint
}

const namesMax = 4
const restName = 'Other'

/**
 * Builds stacked bars over time: the largest series and the rest. Every bucket in `buckets` is shown, including empty
 * ones.
 */
export function stackOf(
  entries: readonly StackEntry[],
  buckets: readonly string[],
  draw: { readonly height: (amount: bigint) => number; readonly words: (amount: bigint) => string },
): Stack {
  const names = largestNames(entries)
  const labels = new Set(entries.map(({ name }) => name)).size > names.length ? [...names, restName] : names
  const series = labels.map((label, index) => ({ id: `series${index}`, label }))
  const amounts = new Map<string, bigint>()
  for (const { bucket, name, amount } of entries) {
    const place = names.indexOf(name)
    const key = `${bucket} series${place < 0 ? names.length : place}`
    amounts.set(key, (amounts.get(key) ?? 0n) + amount)
  }
  const points = buckets.map((bucket) => {
    const cells = series.map(({ id }) => [id, amounts.get(`${bucket} ${id}`) ?? 0n] as const)
    return {
      label: bucket,
      heights: Object.fromEntries(cells.map(([id, amount]) => [id, draw.height(amount)])),
      words: Object.fromEntries(cells.map(([id, amount]) => [id, draw.words(amount)])),
    }
  })
  return { series, points, sum: entries.reduce((sum, { amount }) => sum + amount, 0n) }
}

function largestNames(entries: readonly StackEntry[]): readonly string[] {
  const sums = new Map<string, bigint>()
  for (const { name, amount } of entries) sums.set(name, (sums.get(name) ?? 0n) + amount)
  return [...sums]
    .toSorted(([, one], [, other]) => (one < other ? 1 : one > other ? -1 : 0))
    .slice(0, namesMax)
    .map(([name]) => name)
}
