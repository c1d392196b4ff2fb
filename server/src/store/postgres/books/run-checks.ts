import type { Discrepancy } from '#ports/books.ts'
import type { Check } from './check.ts'
import type { Books } from './open-books.ts'

/** What they find, in their order; the first with the rows that show it. */
export async function runChecks(books: Books, checks: readonly Check[]): Promise<Discrepancy[]> {
  const discrepancies: Discrepancy[] = []
  for (const check of checks) {
    const found = await check.find(books)
    const [first, ...others] = found
    if (first === undefined) continue
    discrepancies.push(...(discrepancies.length === 0 ? [await check.show(books, first), ...others] : found))
  }
  return discrepancies
}
