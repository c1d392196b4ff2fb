export const videoStates = ['pending', 'in_progress', 'completed', 'failed'] as const

interface VideosSearch {
  readonly model?: string
  readonly status?: (typeof videoStates)[number]
}

export function parseVideosSearch({ model, status }: Record<string, unknown>): VideosSearch {
  const known = videoStates.find((state) => state === status)
  return {
    ...(typeof model === 'string' && model !== '' ? { model } : {}),
    ...(known === undefined ? {} : { status: known }),
  }
}
