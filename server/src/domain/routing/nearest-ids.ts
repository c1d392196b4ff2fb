import type { Model } from '#domain/catalogue/model.ts'
import { editDistance } from '#lib/edit-distance.ts'

const shownMax = 3
// Ids are short; a longer name is not a mistyped id, and comparing it would take too long.
const nameMax = 100

/** The most similar listed ids, for a client that mistyped one. */
export function nearestIds(name: string, models: Iterable<Pick<Model, 'id' | 'listed'>>): string[] {
  if (name.length > nameMax) return []
  const bare = name.slice(name.indexOf('/') + 1)
  const scored: { id: string; distance: number }[] = []
  for (const { id, listed } of models) {
    if (!listed) continue
    const distance = Math.min(editDistance(name, id), editDistance(bare, id.slice(id.indexOf('/') + 1)))
    if (distance <= Math.max(2, Math.floor(bare.length / 2))) scored.push({ id, distance })
  }
  scored.sort((one, other) => one.distance - other.distance || (one.id < other.id ? -1 : 1))
  return scored.slice(0, shownMax).map(({ id }) => id)
}
