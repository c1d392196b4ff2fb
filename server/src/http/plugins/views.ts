import type { FastifyInstance } from 'fastify'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Endpoint } from '../endpoint.ts'

/**
 * Names the view of a customer that an operator's tab shows. It is no credential: `identify` also needs the session
 * that began the view.
 */
export const viewHeader = 'x-weir-view'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route can be part of a view. All others reject its requests. */
    isViewable?: boolean
  }
}

/**
 * A view only reads. Every route rejects its requests unless it is listed below: changes, sign-in, inference, and the
 * operators' own pages among them. It happens before anything else is known about the request, so that no route can
 * forget it.
 */
export function refuseInViews(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.headers[viewHeader] === undefined || request.routeOptions.config.isViewable === true) return done()
    throw new GatewayError('viewReadOnly', {
      message:
        'You view the console as a customer. A view shows no secrets and no stored content, exports nothing and changes nothing.',
    })
  })
}

export function isViewable({ name, method }: Pick<Endpoint, 'name' | 'method'>): boolean {
  return method === 'GET' && viewable.has(name)
}

/**
 * What the pages of a customer read. Not here: stored content such as videos, files and exports, whatever is about the
 * signing of webhooks, and streams, which would outlast the view.
 */
const viewable: ReadonlySet<string> = new Set([
  'getConsoleState',
  'getOperatorSelf',
  // Models
  'listModels',
  'getModel',
  'listModelEndpoints',
  'listImageModels',
  // Requests and their cost
  'getCredits',
  'getGeneration',
  'listGenerations',
  'countRefusals',
  'getUsage',
  'getInsights',
  'getChanges',
  'getWhatIf',
  'getPersonalBreaker',
  'listVideos',
  'getVideo',
  'listWebhookDeliveries',
  // Keys
  'listKeys',
  'getKeyLimits',
  // Customers of the wallet's owner
  'listEndCustomers',
  'getEndCustomer',
  'getEndCustomerUsage',
  // Runs
  'listRuns',
  'getRun',
  'getCustomerStatement',
  'getCustomerSettings',
  'listCustomerTokens',
  // Wallets and payments
  'getWallet',
  'listWalletTransactions',
  'listWalletHolds',
  'getWalletStatement',
  'getAlerts',
  'listNotices',
  'getPaymentOffer',
  'quoteTopUp',
  'listTopUps',
  'getTopUp',
  'listPaymentMethods',
  'getAutoTopUp',
  'getBillingProfile',
  'listInvoices',
  'getInvoice',
  // Organizations
  'listOrganizations',
  'getOrganization',
  'listTeams',
  'getTeam',
  'listMembers',
  'getMember',
  'listInvitations',
  'listOrganizationKeys',
  'getOrganizationKeyLimits',
  'getOrganizationAllowedModels',
  'getTeamAllowedModels',
  'getMemberAllowedModels',
  'getOrganizationBreaker',
  'getTeamBreaker',
  'getMemberBreaker',
  'listContentFilters',
  'listOrganizationOwnKeys',
  'readOrganizationOwnKey',
  'listAuditLog',
  'getOverviewReport',
  'getTeamReport',
  'getModelReport',
  'getTagReport',
  'getMemberReport',
  'listInstitutionKeys',
  'listInstitutionSessions',
  'listSignOnDomains',
  'listSignOnConnections',
  'listSignOnGroups',
  'getProvisioning',
])
