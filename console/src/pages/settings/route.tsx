import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute, leaveOrganization } from '../../app/root-route.tsx'

export const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'settings',
  beforeLoad: leaveOrganization,
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
})
