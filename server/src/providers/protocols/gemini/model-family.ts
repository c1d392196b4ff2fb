/** Gemini 3 and later: thinking is set in levels, and calls must come back with their signatures. */
export function thinksInLevels(model: string): boolean {
  return generationOf(model) >= 3
}

/** Gemini 3 and later is billed for each query of a search, what came before once for an answer that searched. */
export function billsEachQuery(model: string): boolean {
  return generationOf(model) >= 3
}

/** Zero where the name does not tell. */
function generationOf(model: string): number {
  return Number(/gemini-(\d+)/i.exec(model)?.[1] ?? 0)
}
