export const playgroundKinds = ['chat', 'image', 'speech', 'transcription', 'embeddings', 'video'] as const
export type PlaygroundKind = (typeof playgroundKinds)[number]

interface PlaygroundSearch {
  /** What is made; a conversation where it is left out. */
  readonly kind?: PlaygroundKind
  /** The ids of the models, with commas between: up to four that chat, else one. */
  readonly models?: string
}

export function parsePlaygroundSearch({ kind, models }: Record<string, unknown>): PlaygroundSearch {
  const known = playgroundKinds.find((name) => name === kind)
  return {
    ...(known === undefined ? {} : { kind: known }),
    ...(typeof models === 'string' && models !== '' ? { models } : {}),
  }
}
