import { pickKnown } from '../../lib/pick-known.ts'

export const results = ['allowed', 'excluded'] as const

interface AllowedModelsSearch {
  /** Whose result is shown: a team, a member, or else the organization. */
  readonly team?: string
  readonly member?: string
  /** Part of a model id. */
  readonly q?: string
  readonly result?: (typeof results)[number]
}

export function parseAllowedModelsSearch(search: Record<string, unknown>): AllowedModelsSearch {
  const { team, member, q, result } = search
  return {
    ...(typeof member === 'string' && member !== ''
      ? { member }
      : typeof team === 'string' && team !== ''
        ? { team }
        : {}),
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...pickKnown('result', results, result),
  }
}
