import type { AccessRow } from './access-row.ts'
import { operatorActions } from './operator-actions.ts'

const anyKey = ['standard_key', 'management_key'] as const
const anyone = ['standard_key', 'management_key', 'session'] as const
const manager = ['management_key', 'session'] as const
const adminOnly = { org_admin: 'organization' } as const
const adminAndTeam = { org_admin: 'organization', team_admin: 'own_team' } as const

/**
 * The access rules: one row per action, named by its endpoints. The edge enforces it, `docs/access.md` is generated
 * from it, and a test checks every route against it with every kind of client.
 */
export const accessTable = {
  'models.read': { summary: 'List and look up models', credentials: [], within: 'nobody' },
  'images.fetch': { summary: 'Fetch an image by its token', credentials: [], within: 'nobody' },
  'institutions.enter': { summary: 'Ask for a code and exchange it for a session', credentials: [], within: 'nobody' },
  'console.state': { summary: 'Ask what an installation offers before signing in', credentials: [], within: 'nobody' },
  'console.firstRun': {
    summary: 'Make the first account of an installation, with a token that only its operator has seen',
    credentials: [],
    within: 'nobody',
  },
  'models.call': { summary: 'Call models', credentials: ['standard_key'], within: 'account' },
  'responses.manage': {
    summary: 'Read, delete and cancel the stored responses of the person whose key it is',
    credentials: ['standard_key'],
    within: 'account',
  },
  'models.chat': {
    summary: 'Call models for chat completions and embeddings',
    credentials: ['standard_key', 'institution_session', 'customer_token'],
    within: 'account',
  },
  'batches.manage': {
    summary:
      'Upload files, and run and read batches, of the person, the member, or the shared keys that the calling key belongs to',
    credentials: ['standard_key'],
    within: 'account',
  },
  'videos.read': {
    summary: 'Look at the job of a video, and fetch the video',
    credentials: ['standard_key', 'session'],
    within: 'account',
  },
  'key.read': {
    summary: 'Read about the calling key, count tokens, and get the price of a request',
    credentials: anyKey,
    within: 'account',
  },
  'account.read': {
    summary: 'Read the credit and the requests of an account',
    credentials: anyone,
    within: 'account',
  },
  'receipt.read': {
    summary: 'Read the receipt of a request; with a customer token, only the receipts of its customer',
    credentials: [...anyone, 'customer_token'],
    within: 'account',
  },
  'wallet.read': {
    summary:
      "Read a wallet's totals, transfers, holds, statements, credit orders, saved cards, automatic top-up, alerts, notices, receipts and invoices: of the account, or of an organization whose bill the person watches",
    credentials: manager,
    within: 'account',
  },
  'wallet.pay': {
    summary:
      'Buy credit, by hand or automatically, save cards, redeem codes, and set alerts and the billing profile for a wallet: for the personal one, or for that of an organization that the person administers',
    credentials: ['session'],
    within: 'account',
  },
  'notices.dismiss': {
    summary: 'Dismiss a notice of a wallet that the person may read, for this person alone',
    credentials: ['session'],
    within: 'account',
  },
  'usage.read': {
    summary:
      'Read what was used and spent: of a personal wallet, of a member, or of a whole organization for those who watch its bill',
    credentials: anyone,
    within: 'account',
  },
  'insights.read': {
    summary: 'Read how the same has developed over time',
    credentials: anyone,
    within: 'account',
  },
  'account.breaker': {
    summary: "Read and change the person's own spend breaker",
    credentials: manager,
    within: 'account',
  },
  'account.own': {
    summary: 'Download all that is kept of a person, and delete the account',
    credentials: ['session'],
    within: 'account',
  },
  'videos.redeliver': {
    summary: 'Have the webhook of a video called again',
    credentials: ['standard_key', 'session'],
    within: 'account',
  },
  'keys.manage': {
    summary: "List, create, change and delete the account's keys",
    credentials: manager,
    within: 'account',
  },
  'playground.create': {
    summary:
      'Make a playground key, which calls models for an hour at most, for a wallet that the person may make keys for',
    credentials: ['session'],
    within: 'account',
  },
  'ownKeys.manage': {
    summary: 'Manage the upstream keys of the organization that the calling key belongs to, as its administrator',
    credentials: ['management_key'],
    within: 'account',
  },
  'customers.read': {
    summary:
      "Read the account's customers and what they spent, or those of an organization whose bill the person watches",
    credentials: manager,
    within: 'account',
  },
  'customers.manage': {
    summary:
      "Create, limit, suspend and bill the account's customers and create their tokens, or those of an organization that the person administers",
    credentials: manager,
    within: 'account',
  },
  'runs.read': {
    summary:
      "Read the account's runs with their receipts, or those of an organization whose bill the person watches; with a standard key, only the runs that it created",
    credentials: anyone,
    within: 'account',
  },
  'runs.manage': {
    summary:
      "Create and stop the account's runs, or those of an organization that the person administers; with a standard key, only the runs that it created",
    credentials: anyone,
    within: 'account',
  },
  'organizations.list': {
    summary: 'List the organizations of the key or session',
    credentials: anyone,
    within: 'account',
  },
  'organizations.create': {
    summary: 'Create and then administer an organization, if the operator allows it',
    credentials: ['session'],
    within: 'account',
  },
  'organization.read': {
    summary: 'Read an organization: plan, seats, credit, settings',
    credentials: manager,
    within: 'organization',
    roles: { org_admin: 'organization', billing_viewer: 'organization' },
  },
  'organization.change': {
    summary: "Change an organization's name, settings and budgets",
    credentials: manager,
    within: 'organization',
    roles: adminOnly,
  },
  'organization.keys.read': {
    summary: "List an organization's keys",
    credentials: manager,
    within: 'organization',
    roles: { org_admin: 'organization', billing_viewer: 'organization', team_admin: 'own_team' },
  },
  'organization.keys.change': {
    summary: "Create, change and delete an organization's keys",
    credentials: manager,
    within: 'organization',
    roles: adminAndTeam,
  },
  'teams.read': { summary: 'Read teams', credentials: manager, within: 'organization', roles: adminAndTeam },
  'teams.manage': {
    summary: 'Create and delete teams',
    credentials: manager,
    within: 'organization',
    roles: adminOnly,
  },
  'team.change': {
    summary: "Change a team's description and budget",
    credentials: manager,
    within: 'organization',
    roles: adminAndTeam,
  },
  'members.read': {
    summary: 'List members and invitations',
    credentials: manager,
    within: 'organization',
    roles: adminAndTeam,
  },
  'members.manage': {
    summary: 'Add, invite, change and remove members',
    credentials: manager,
    within: 'organization',
    roles: adminAndTeam,
  },
  'invitations.open': { summary: 'View an invitation with the token of its link', credentials: [], within: 'nobody' },
  'invitations.accept': {
    summary: 'Accept an invitation with the token of its link',
    credentials: ['session'],
    within: 'account',
  },
  'allowedModels.organization': {
    summary: 'Read and change the models that an organization allows',
    credentials: manager,
    within: 'organization',
    roles: adminOnly,
  },
  'allowedModels.read': {
    summary: 'Read the models that a team or member is allowed',
    credentials: manager,
    within: 'organization',
    roles: adminAndTeam,
  },
  'allowedModels.change': {
    summary: 'Change the models that a team or member is allowed',
    credentials: manager,
    within: 'organization',
    roles: adminOnly,
  },
  'breaker.organization': {
    summary: "Read and change an organization's spend breaker",
    credentials: manager,
    within: 'organization',
    roles: adminOnly,
  },
  'breaker.team': {
    summary: 'Read and change the spend breaker of a team or member',
    credentials: manager,
    within: 'organization',
    roles: adminAndTeam,
  },
  'backtest.organization': {
    summary: "Replay an organization's past requests against proposed budgets, breakers and allowed models",
    credentials: manager,
    within: 'organization',
    roles: adminOnly,
  },
  'backtest.team': {
    summary: 'Replay the past requests of a team or a member against proposed budgets, breakers and allowed models',
    credentials: manager,
    within: 'organization',
    roles: adminAndTeam,
  },
  'filters.manage': {
    summary: 'Read, change and try content filters',
    credentials: manager,
    within: 'organization',
    roles: adminOnly,
  },
  'organization.ownKeys': {
    summary: "Manage an organization's upstream keys",
    credentials: manager,
    within: 'organization',
    roles: adminOnly,
  },
  'organization.webhookSecret': {
    summary: "See whether an organization's webhooks are signed, and replace or delete their secret",
    credentials: manager,
    within: 'organization',
    roles: adminOnly,
  },
  'signOn.manage': {
    summary: "Manage an organization's single sign-on: domains, identity providers, group mappings",
    credentials: ['session'],
    within: 'organization',
    roles: adminOnly,
  },
  'provisioning.manage': {
    summary: "Manage an organization's provisioning tokens, and view the provisioning status",
    credentials: ['session'],
    within: 'organization',
    roles: adminOnly,
  },
  'audit.read': {
    summary: "List and export an organization's audit log",
    credentials: manager,
    within: 'organization',
    roles: adminOnly,
  },
  'reports.read': {
    summary: "Read and export an organization's reports, but not who spent what",
    credentials: manager,
    within: 'organization',
    roles: { org_admin: 'organization', billing_viewer: 'organization' },
  },
  'reports.members': {
    summary: 'Read and export which member of an organization spent what',
    credentials: manager,
    within: 'organization',
    roles: adminOnly,
  },
  'institutions.manage': {
    summary: 'Manage institution keys and end their sessions',
    credentials: manager,
    within: 'organization',
    roles: adminOnly,
  },
  'operator.self': {
    summary: 'See whether a person operates the platform, and in which role',
    credentials: ['session'],
    within: 'account',
  },
  'operator.endView': {
    summary: "End one's own view of a customer",
    credentials: ['session'],
    within: 'account',
  },
  ...operatorActions,
} as const satisfies Record<string, AccessRow>

export type AccessAction = keyof typeof accessTable

export function accessRowOf(action: AccessAction): AccessRow {
  return accessTable[action]
}
