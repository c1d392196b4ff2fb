import { type JsonObject, objectAt, objectsIn, stringAt } from '#lib/json.ts'
import { billsEachQuery } from './model-family.ts'

/** Counts the searches of one response across all its frames, as Google bills them. */
interface SearchCounter {
  note(frame: JsonObject): void
  readonly billed: number
}

export function createSearchCounter(): SearchCounter {
  // Google does not bill empty or repeated queries.
  const queries = new Set<string>()
  let model = ''

  function note(frame: JsonObject): void {
    model = stringAt(frame, 'modelVersion') ?? model
    for (const candidate of objectsIn(frame.candidates)) {
      const { webSearchQueries } = objectAt(candidate, 'groundingMetadata')
      if (!Array.isArray(webSearchQueries)) continue
      for (const query of webSearchQueries) if (typeof query === 'string' && query !== '') queries.add(query)
    }
  }

  return {
    note,
    get billed() {
      return billsEachQuery(model) ? queries.size : Math.min(1, queries.size)
    },
  }
}
