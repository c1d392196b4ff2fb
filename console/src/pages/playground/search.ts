export const playgroundKinds = ['chat', 'image', 'speech', 'transcription', 'embeddings', 'video'] as const
export type PlaygroundKind = (typeof playgroundKinds)[number]

interface PlaygroundSearch {
  /** Defaults to chat. */
  readonly kind?: PlaygroundKind
  /** Model ids, separated by commas: up to four for chat, otherwise one. */
  readonly models?: string
}

export function parsePlaygroundSearch({ kind, models }: Record<string, unknown>): PlaygroundSearch {
  const known = playgroundKinds.find((name) => name === kind)
  return {
    ...(known === undefined ? {} : { kind: known }),
    ...(typeof models === 'string' && models !== '' ? { models } : {}),
  }
}
