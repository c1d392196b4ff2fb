import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSettled } from '../lib/use-settled.ts'
import type { Choice } from './field.tsx'

/** Finds choices on the server. */
export interface FindChoices {
  /** Identifies the list in the query cache. */
  readonly key: readonly unknown[]
  readonly find: (text: string) => Promise<readonly Choice[]>
}

const none: readonly Choice[] = []

/** The choices for a typed text. Without a finder, the server is not asked. */
export function useFoundChoices(finder: FindChoices | undefined, text: string): readonly Choice[] {
  const settled = useSettled(text.trim())
  const { data } = useQuery({
    queryKey: ['choices', ...(finder?.key ?? []), settled],
    queryFn: async () => (finder === undefined ? none : finder.find(settled)),
    enabled: finder !== undefined,
    placeholderData: keepPreviousData,
  })
  return data ?? none
}
