import { pickKnown } from '../../lib/pick-known.ts'

export const playgroundKinds = ['chat', 'image', 'speech', 'transcription', 'embeddings', 'rerank', 'video'] as const
export type PlaygroundKind = (typeof playgroundKinds)[number]

interface PlaygroundSearch {
  /** Defaults to chat. */
  readonly kind?: PlaygroundKind
  /** Model ids, separated by commas: up to four for chat, otherwise one. */
  readonly models?: string
}

export function parsePlaygroundSearch({ kind, models }: Record<string, unknown>): PlaygroundSearch {
  return {
    ...pickKnown('kind', playgroundKinds, kind),
    ...(typeof models === 'string' && models !== '' ? { models } : {}),
  }
}
