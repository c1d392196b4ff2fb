import { readFileSync } from 'node:fs'

/** A number of the contract. Its name contains its unit. */
interface ExpectedLimit {
  readonly limit: string
  readonly value: number
  /** The clauses that promise it, as test titles cite them. */
  readonly cited: string
}

/**
 * The numbers of the contract, written by hand: if a default in the code changes, the test fails, because it does not
 * change here.
 */
export function readLimits(): ExpectedLimit[] {
  const text = readFileSync(new URL('./limits.tsv', import.meta.url), 'utf8')
  const [, ...lines] = text.trimEnd().split('\n')
  return lines.map((line) => {
    const [limit = '', value = '', clauses = '', source] = line.split('\t')
    if (!/^\d+$/.test(value) || source === undefined) throw new Error(`no limit: ${line}`)
    const cited = clauses.split(' ').map((clause) => `[${clause}]`)
    return { limit, value: Number(value), cited: cited.join(' ') }
  })
}
