import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'

export const videoStates = ['pending', 'in_progress', 'completed', 'failed'] as const

export interface VideosSearch {
  readonly model?: string
  readonly status?: (typeof videoStates)[number]
}

export const videosRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'videos',
  validateSearch: ({ model, status }: Record<string, unknown>): VideosSearch => {
    const known = videoStates.find((state) => state === status)
    return {
      ...(typeof model === 'string' && model !== '' ? { model } : {}),
      ...(known === undefined ? {} : { status: known }),
    }
  },
  component: lazyRouteComponent(() => import('./videos-page.tsx'), 'VideosPage'),
})

/** A job has an address of its own; its sheet stands over the list. */
export const videoRoute = createRoute({
  getParentRoute: () => videosRoute,
  path: '$jobId',
  component: lazyRouteComponent(() => import('./video-page.tsx'), 'VideoPage'),
})
