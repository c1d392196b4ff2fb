import type { NavigationEntry } from './navigation-entry.ts'

type Named = Pick<NavigationEntry, 'label' | 'words'>

/** Returns the entries that match every typed word. Entries whose label starts with the text come first. */
export function rankEntries<Entry extends Named>(entries: readonly Entry[], text: string): readonly Entry[] {
  const typed = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const scored = entries.map((entry) => ({ entry, score: scoreOf(entry, typed) })).filter(({ score }) => score > 0)
  return scored.sort((left, right) => right.score - left.score).map(({ entry }) => entry)
}

function scoreOf({ label, words }: Named, typed: readonly string[]): number {
  const name = label.toLowerCase()
  const scores = typed.map((word) => {
    if (name.startsWith(word)) return 4
    if (name.includes(word)) return 3
    return words.split(' ').some((other) => other.startsWith(word)) ? 2 : 0
  })
  return scores.includes(0) ? 0 : scores.reduce((sum: number, score) => sum + score, 1)
}
