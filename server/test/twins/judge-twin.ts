import type { Fields } from './flat-call.ts'

export interface TwinVerdict {
  /** Explained differences. */
  readonly explained: readonly Difference[]
  readonly unexplained: readonly Difference[]
  /** Explanations without a difference. */
  readonly idle: readonly string[]
}

interface Difference {
  readonly field: string
  readonly sdk: string | undefined
  readonly ours: string | undefined
}

/** Compares the two sides. */
export function judgeTwin(sdk: Fields, ours: Fields, reasons: Readonly<Record<string, string>> = {}): TwinVerdict {
  const names = [...new Set([...sdk.keys(), ...ours.keys()])]
  const differences = names
    .filter((field) => sdk.get(field) !== ours.get(field) && isComparable(field, sdk, ours))
    .map((field) => ({ field, sdk: sdk.get(field), ours: ours.get(field) }))
  const reasonFor = (field: string): string | undefined =>
    Object.keys(reasons).find((reason) => field === reason || field.startsWith(`${reason}.`))
  const used = new Set(differences.map(({ field }) => reasonFor(field)))
  return {
    explained: differences.filter(({ field }) => reasonFor(field) !== undefined),
    unexplained: differences.filter(({ field }) => reasonFor(field) === undefined),
    idle: Object.keys(reasons).filter((reason) => !used.has(reason)),
  }
}

/** An SDK with the proxy's address does not reveal the host that it would have called. */
function isComparable(field: string, sdk: Fields, ours: Fields): boolean {
  return !field.endsWith('.origin') || (sdk.has(field) && ours.has(field))
}
