import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'
import { parseVideosSearch } from './search.ts'

export const videosRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'videos',
  validateSearch: parseVideosSearch,
  component: lazyRouteComponent(() => import('./videos-page.tsx'), 'VideosPage'),
})

/** A job has its own URL; its sheet opens over the list. */
export const videoRoute = createRoute({
  getParentRoute: () => videosRoute,
  path: '$jobId',
  component: lazyRouteComponent(() => import('./video-page.tsx'), 'VideoPage'),
})
