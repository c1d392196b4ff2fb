import { pickKnown } from '../../lib/pick-known.ts'

const runSorts = ['-created', 'created'] as const

interface RunsSearch {
  /** The beginning of an id. */
  readonly q?: string
  readonly sort?: (typeof runSorts)[number]
}

export function parseRunsSearch({ q, sort }: Record<string, unknown>): RunsSearch {
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...pickKnown('sort', runSorts, sort),
  }
}
