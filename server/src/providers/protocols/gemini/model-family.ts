/** Gemini 3 and later: thinking is set in levels, and calls must come back with their signatures. */
export function thinksInLevels(model: string): boolean {
  const generation = /gemini-(\d+)/i.exec(model)?.[1]
  return generation !== undefined && Number(generation) >= 3
}
