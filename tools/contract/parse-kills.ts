/** Noticed mutants by clause, over all areas. */
export function parseKills(text: string): Map<string, number> {
  const kills = new Map<string, number>()
  for (const { id, count } of killRowsOf(text)) kills.set(id, (kills.get(id) ?? 0) + count)
  return kills
}

/** The rows of `kills.tsv`: an area, a clause and the number of mutants that its tests noticed. */
export function killRowsOf(text: string): { area: string; id: string; count: number }[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const [area = '', id = '', count] = line.split('\t')
    return { area, id, count: Number(count) }
  })
}
