import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

const notices = ['confirmed', 'reset', 'refused', 'deleted'] as const
export type Notice = (typeof notices)[number]

export interface SignInSearch {
  /** Where to go afterwards, below `/console`. */
  readonly next?: string
  /** What has just happened elsewhere, such as in a mail. */
  readonly notice?: Notice
}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  validateSearch: ({ next, notice }: Record<string, unknown>): SignInSearch => {
    const known = notices.find((one) => one === notice)
    return { ...(typeof next === 'string' ? { next } : {}), ...(known === undefined ? {} : { notice: known }) }
  },
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
})

export const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-up',
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
