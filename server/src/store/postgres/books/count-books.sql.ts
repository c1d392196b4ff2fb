import type { Books } from './open-books.ts'

const text = `SELECT (SELECT count(*)::integer FROM wallets) AS wallets,
  (SELECT count(*)::integer FROM generations WHERE settled_mark >= $1) AS unfolded`

/** How much there is to compare. */
export async function countBooks({ client, foldedBelow }: Books): Promise<{ wallets: number; unfolded: number }> {
  const { rows } = await client.query<{ wallets: number; unfolded: number }>(text, [foldedBelow])
  return rows[0] ?? { wallets: 0, unfolded: 0 }
}
