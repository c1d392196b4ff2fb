import { createRouter } from '@tanstack/react-router'
import { allowedModelsRoute } from './pages/allowed-models/route.tsx'
import { auditEntryRoute, auditRoute } from './pages/audit/route.tsx'
import { billingRoute } from './pages/billing/route.tsx'
import { breakerRoute } from './pages/breaker/route.tsx'
import { budgetsRoute } from './pages/budgets/route.tsx'
import { creditOrderRoute, creditsRoute } from './pages/credits/route.tsx'
import { customerRoute, customersRoute } from './pages/customers/route.tsx'
import { filterRoute, filtersRoute } from './pages/filters/route.tsx'
import { firstRunRoute } from './pages/first-run/route.tsx'
import { importRoute } from './pages/import/route.tsx'
import { institutionRoute, institutionsRoute } from './pages/institutions/route.tsx'
import { invitationRoute } from './pages/invitation/route.tsx'
import { invitationsRoute } from './pages/invitations/route.tsx'
import { invoiceRoute, invoicesRoute } from './pages/invoices/route.tsx'
import { keyRoute, keysRoute } from './pages/keys/route.tsx'
import { ledgerRoute } from './pages/ledger/route.tsx'
import { memberRoute, membersRoute } from './pages/members/route.tsx'
import { modelRoute, modelsRoute } from './pages/models/route.tsx'
import { operatorRoutes } from './pages/operator/route.tsx'
import { newOrganizationRoute } from './pages/new-organization/route.tsx'
import { organizationRoute } from './pages/organization/route.tsx'
import { overviewRoute } from './pages/overview/route.tsx'
import { ownKeyRoute, ownKeysRoute } from './pages/own-keys/route.tsx'
import { playgroundRoute } from './pages/playground/route.tsx'
import { reportsRoute } from './pages/reports/route.tsx'
import { provisioningRoute } from './pages/provisioning/route.tsx'
import { receiptRoute, requestsRoute } from './pages/requests/route.tsx'
import { rolesRoute } from './pages/roles/route.tsx'
import { settingsRoute } from './pages/settings/route.tsx'
import { forgotPasswordRoute, resetPasswordRoute, signInRoute, signUpRoute } from './pages/sign-in/route.tsx'
import { signOnRoute } from './pages/sign-on/route.tsx'
import { teamRoute, teamsRoute } from './pages/teams/route.tsx'
import { usageRoute } from './pages/usage/route.tsx'
import { runRoute, runsRoute } from './pages/runs/route.tsx'
import { videoRoute, videosRoute } from './pages/videos/route.tsx'
import { webhooksRoute } from './pages/webhooks/route.tsx'
import { startRoute } from './pages/start/route.tsx'
import { NotFoundPage, ProblemPage } from './app/problem-pages.tsx'
import { appRoute, rootRoute } from './app/root-route.tsx'
import { scopeRewrite } from './app/scope-rewrite.ts'

/** All routes. A page's code is loaded when the page opens. */
const routeTree = rootRoute.addChildren([
  signInRoute,
  signUpRoute,
  forgotPasswordRoute,
  resetPasswordRoute,
  firstRunRoute,
  invitationRoute,
  appRoute.addChildren([
    overviewRoute,
    requestsRoute.addChildren([receiptRoute]),
    usageRoute,
    reportsRoute,
    auditRoute.addChildren([auditEntryRoute]),
    creditsRoute.addChildren([creditOrderRoute]),
    billingRoute,
    invoicesRoute.addChildren([invoiceRoute]),
    ledgerRoute,
    startRoute,
    playgroundRoute,
    modelsRoute,
    modelRoute,
    keysRoute.addChildren([keyRoute]),
    customersRoute.addChildren([customerRoute]),
    runsRoute.addChildren([runRoute]),
    videosRoute.addChildren([videoRoute]),
    webhooksRoute,
    breakerRoute,
    membersRoute.addChildren([memberRoute]),
    invitationsRoute,
    importRoute,
    teamsRoute.addChildren([teamRoute]),
    rolesRoute,
    signOnRoute,
    newOrganizationRoute,
    organizationRoute,
    budgetsRoute,
    allowedModelsRoute,
    filtersRoute.addChildren([filterRoute]),
    ownKeysRoute.addChildren([ownKeyRoute]),
    institutionsRoute,
    institutionRoute,
    provisioningRoute,
    settingsRoute,
    operatorRoutes,
  ]),
])

export const router = createRouter({
  routeTree,
  basepath: '/console',
  rewrite: scopeRewrite,
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFoundPage,
  defaultErrorComponent: ProblemPage,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
