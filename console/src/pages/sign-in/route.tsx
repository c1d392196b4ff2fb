import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { parseSignInSearch, parseSignUpSearch } from './search.ts'

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  validateSearch: parseSignInSearch,
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
})

export const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-up',
  validateSearch: parseSignUpSearch,
  component: lazyRouteComponent(() => import('./sign-up-page.tsx'), 'SignUpPage'),
})

export const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'forgot-password',
  component: lazyRouteComponent(() => import('./forgot-password-page.tsx'), 'ForgotPasswordPage'),
})

export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'reset-password',
  validateSearch: ({ token }: Record<string, unknown>): { readonly token?: string } =>
    typeof token === 'string' ? { token } : {},
  component: lazyRouteComponent(() => import('./reset-password-page.tsx'), 'ResetPasswordPage'),
})
