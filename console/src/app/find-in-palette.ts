import { rankEntries } from './rank-entries.ts'

/** What the palette lists: pages and actions at once, the others once something is typed. */
export type PaletteKind = 'Page' | 'Action' | 'View' | 'Model' | 'API key' | 'Member' | 'Request'

interface Findable {
  readonly kind: PaletteKind
  readonly label: string
  readonly words: string
}

// A catalogue has hundreds of models. More rows would hide the other kinds.
const ofKindMax = 8

/** The entries that match the text, best first. */
export function findInPalette<Entry extends Findable>(entries: readonly Entry[], text: string): readonly Entry[] {
  if (text.trim() === '') return entries.filter(({ kind }) => kind === 'Page' || kind === 'Action')
  const counts = new Map<PaletteKind, number>()
  return rankEntries(entries, text).filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count <= ofKindMax
  })
}
