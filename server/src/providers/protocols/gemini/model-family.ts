/** Gemini 3 and later: thinking is set in levels, and calls must be sent back with their signatures. */
export function thinksInLevels(model: string): boolean {
  return generationOf(model) >= 3
}

/** Gemini 3 and later is billed per search query; earlier models are billed once per response that searched. */
export function billsEachQuery(model: string): boolean {
  return generationOf(model) >= 3
}

/** Zero if the name does not contain a generation. */
function generationOf(model: string): number {
  return Number(/gemini-(\d+)/i.exec(model)?.[1] ?? 0)
}
