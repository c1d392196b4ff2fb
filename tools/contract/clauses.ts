/** Parses the clause list: a header line, then one clause per line with id, area and text separated by tabs. */
export function parseClauses(text: string): Clause[] {
  const [heading, ...lines] = text.split('\n').filter((line) => line.trim() !== '')
  if (heading !== 'id\tarea\tclause') throw new Error('the clause list starts with the heading id, area, clause')
  const seen = new Set<string>()
  return lines.map((line, index) => {
    const [id, area, clause, ...rest] = line.split('\t')
    if (!id || !area || !clause || rest.length > 0)
      throw new Error(`clause ${index + 1} is not id, area, text: ${line}`)
    if (seen.has(id)) throw new Error(`the clause ${id} is listed twice`)
    seen.add(id)
    return { id, area, text: clause }
  })
}

export type Clause = { readonly id: string; readonly area: string; readonly text: string }
