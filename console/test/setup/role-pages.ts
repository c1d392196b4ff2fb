/**
 * Each page of an organization: one operation that it needs, and the operation behind each of its buttons. The table of
 * `server/test/oracle` says which role may do them. Null for pages of every role.
 */
export interface RolePage {
  readonly path: string
  readonly heading: string
  /** A role that may do one of them sees the page. */
  readonly needs: readonly string[] | null
  readonly buttons: Readonly<Record<string, string>>
}

const org = '/v1/orgs/{orgId}'
const site = '/api/orgs/{orgId}'

const page = (
  path: string,
  heading: string,
  needs: readonly string[] | null,
  buttons: Readonly<Record<string, string>> = {},
): RolePage => ({ path, heading, needs, buttons })

export const rolePages: readonly RolePage[] = [
  page('/', 'Overview', null),
  page('/members', 'Members', [`GET ${org}/members`], {
    'Add member': `POST ${org}/members`,
    Invite: `POST ${org}/invitations`,
  }),
  page('/invitations', 'Members', [`GET ${org}/invitations`], { Invite: `POST ${org}/invitations` }),
  page('/import', 'Members', [`POST ${org}/members/import`], { 'Check file': `POST ${org}/members/import` }),
  page('/teams', 'Teams', [`GET ${org}/teams`], { 'Create team': `POST ${org}/teams` }),
  page('/roles', 'Roles', [`GET ${org}/members`]),
  page('/sign-on', 'Single sign-on', [`GET ${site}/sign-on/connections`], {
    'Add domain': `POST ${site}/sign-on/domains`,
    'Add provider': `POST ${site}/sign-on/connections`,
    'Add mapping': `PUT ${site}/sign-on/groups`,
  }),
  page('/provisioning', 'Provisioning', [`GET ${site}/provisioning`], {
    'Create token': `POST ${site}/provisioning/tokens`,
  }),
  page('/budgets', 'Budgets', [`GET ${org}`, `GET ${org}/teams`], { 'Save breaker': `PATCH ${site}/circuit-breaker` }),
  page('/allowed-models', 'Allowed models', [`GET ${site}/teams/{teamId}/allowed-models`], {
    'Save list': `PATCH ${site}/teams/{teamId}/allowed-models`,
  }),
  page('/filters', 'Content filters', [`GET ${site}/content-filters`], {
    'Create filter': `POST ${site}/content-filters`,
  }),
  page('/own-keys', 'Own keys', [`GET ${site}/own-keys`], { 'Add key': `POST ${site}/own-keys` }),
  page('/institutions', 'Institution keys', [`GET ${site}/institution-keys`], {
    'Create key': `POST ${site}/institution-keys`,
  }),
  page('/playground', 'Playground', [`POST ${org}/keys`]),
  page('/models', 'Models', null),
  page('/keys', 'API keys', [`GET ${org}/keys`], { 'Create key': `POST ${org}/keys` }),
  // A role that reads the reports also reads the customers, and one that changes the organization also changes them.
  page('/customers', 'Customers', [`GET ${site}/reports/overview`], { 'Add customer': `PATCH ${org}` }),
  page('/runs', 'Runs', [`GET ${site}/reports/overview`]),
  page('/start', 'Get started', null),
  page('/requests', 'Requests', null),
  page('/usage', 'Usage', null),
  page('/videos', 'Videos', null),
  page('/webhooks', 'Webhooks', null, { 'Create secret': `PUT ${site}/webhook-secret` }),
  page('/reports', 'Reports', [`GET ${site}/reports/overview`], { 'Export CSV': `GET ${site}/reports/export` }),
  page('/audit', 'Audit log', [`GET ${site}/audit-log`], {
    'Export CSV': `GET ${site}/audit-log/export`,
    'Verify log…': `GET ${site}/audit-log/chain`,
  }),
  // Whoever reads the organization also sees its wallet.
  page('/credits', 'Billing', [`GET ${org}`]),
  page('/billing', 'Billing', [`GET ${org}`]),
  page('/invoices', 'Billing', [`GET ${org}`]),
  page('/ledger', 'Billing', [`GET ${org}`]),
  page('/organization', 'Organization settings', [`GET ${org}`], {
    'Save changes': `PATCH ${org}`,
    'Save defaults': `PATCH ${org}`,
  }),
]
