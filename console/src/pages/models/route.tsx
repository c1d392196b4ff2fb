import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'
import { parseModelSearch } from './model-search.ts'

export const modelsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'models',
  validateSearch: parseModelSearch,
  component: lazyRouteComponent(() => import('./models-page.tsx'), 'ModelsPage'),
})

/** The page of one model. Its id is `author/name`. */
export const modelRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'models/$author/$name',
  component: lazyRouteComponent(() => import('./model-page.tsx'), 'ModelPage'),
})
