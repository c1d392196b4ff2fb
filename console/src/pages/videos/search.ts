import { pickKnown } from '../../lib/pick-known.ts'

export const videoStates = ['pending', 'in_progress', 'completed', 'failed'] as const

interface VideosSearch {
  readonly model?: string
  readonly status?: (typeof videoStates)[number]
}

export function parseVideosSearch({ model, status }: Record<string, unknown>): VideosSearch {
  return {
    ...(typeof model === 'string' && model !== '' ? { model } : {}),
    ...pickKnown('status', videoStates, status),
  }
}
