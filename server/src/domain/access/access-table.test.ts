import { describe, expect, it } from 'vitest'
import { type AccessAction, accessRowOf, accessTable } from './access-table.ts'

const standard = 'standard_key'
const management = 'management_key'
const website = 'session'
const managers = [management, website]
const admin = { org_admin: 'organization' }
const adminAndTeam = { org_admin: 'organization', team_admin: 'own_team' }
const adminAndViewer = { org_admin: 'organization', billing_viewer: 'organization' }

const operating = ['operator_key', 'session']
const everyRole = ['owner', 'support', 'finance', 'read_only']
const ofOwners = ['owner']
const ofSupport = ['owner', 'support']
const ofFinance = ['owner', 'finance']
const ofSupportAndReaders = ['owner', 'support', 'read_only']

/**
 * The permissions of the contract, written independently of the code: each action with its credentials, owner and
 * roles: those of an organization with their reach, or those of operators.
 */
const expected: Record<
  AccessAction,
  readonly [credentials: string[], within: string, roles?: Record<string, string> | readonly string[]]
> = {
  'models.read': [[], 'nobody'],
  'images.fetch': [[], 'nobody'],
  'institutions.enter': [[], 'nobody'],
  'invitations.open': [[], 'nobody'],
  'invitations.accept': [[website], 'account'],
  'console.state': [[], 'nobody'],
  'console.firstRun': [[], 'nobody'],
  'batches.manage': [[standard], 'account'],
  'videos.read': [[standard, website], 'account'],
  'videos.redeliver': [[standard, website], 'account'],
  'account.own': [[website], 'account'],
  'models.call': [[standard], 'account'],
  'responses.manage': [[standard], 'account'],
  'models.chat': [[standard, 'institution_session', 'customer_token'], 'account'],
  'key.read': [[standard, management], 'account'],
  'account.read': [[standard, management, website], 'account'],
  'receipt.read': [[standard, management, website, 'customer_token'], 'account'],
  'wallet.read': [managers, 'account'],
  'runs.read': [[standard, management, website], 'account'],
  'runs.manage': [[standard, management, website], 'account'],
  'wallet.pay': [[website], 'account'],
  'notices.dismiss': [[website], 'account'],
  'usage.read': [[standard, management, website], 'account'],
  'insights.read': [[standard, management, website], 'account'],
  'account.breaker': [managers, 'account'],
  'keys.manage': [managers, 'account'],
  'playground.create': [[website], 'account'],
  'ownKeys.manage': [[management], 'account'],
  'customers.read': [managers, 'account'],
  'customers.manage': [managers, 'account'],
  'organizations.list': [[standard, management, website], 'account'],
  'organizations.create': [[website], 'account'],
  'organization.read': [managers, 'organization', adminAndViewer],
  'organization.change': [managers, 'organization', admin],
  'organization.keys.read': [managers, 'organization', { ...adminAndViewer, team_admin: 'own_team' }],
  'organization.keys.change': [managers, 'organization', adminAndTeam],
  'teams.read': [managers, 'organization', adminAndTeam],
  'teams.manage': [managers, 'organization', admin],
  'team.change': [managers, 'organization', adminAndTeam],
  'members.read': [managers, 'organization', adminAndTeam],
  'members.manage': [managers, 'organization', adminAndTeam],
  'allowedModels.organization': [managers, 'organization', admin],
  'allowedModels.read': [managers, 'organization', adminAndTeam],
  'allowedModels.change': [managers, 'organization', admin],
  'breaker.organization': [managers, 'organization', admin],
  'breaker.team': [managers, 'organization', adminAndTeam],
  'backtest.organization': [managers, 'organization', admin],
  'backtest.team': [managers, 'organization', adminAndTeam],
  'filters.manage': [managers, 'organization', admin],
  'organization.ownKeys': [managers, 'organization', admin],
  'organization.webhookSecret': [managers, 'organization', admin],
  'signOn.manage': [['session'], 'organization', admin],
  'provisioning.manage': [['session'], 'organization', admin],
  'audit.read': [managers, 'organization', admin],
  'reports.read': [managers, 'organization', adminAndViewer],
  'reports.members': [managers, 'organization', admin],
  'institutions.manage': [managers, 'organization', admin],
  'operator.self': [[website], 'account'],
  'operator.endView': [[website], 'account'],
  'operators.health': [operating, 'nobody', everyRole],
  'operators.customers': [operating, 'nobody', everyRole],
  'operators.accounts': [operating, 'nobody', ofSupport],
  'operators.credit': [operating, 'nobody', ofFinance],
  'operators.requests': [operating, 'nobody', ofSupportAndReaders],
  'operators.providers.read': [operating, 'nobody', everyRole],
  'operators.providers': [operating, 'nobody', ofOwners],
  'operators.routes.read': [operating, 'nobody', everyRole],
  'operators.routes': [operating, 'nobody', ofOwners],
  'operators.catalogue': [operating, 'nobody', ofOwners],
  'operators.payments.read': [operating, 'nobody', everyRole],
  'operators.payments': [operating, 'nobody', ofFinance],
  'operators.codes.read': [operating, 'nobody', ['owner', 'finance', 'read_only']],
  'operators.codes': [operating, 'nobody', ofFinance],
  'operators.jobs.read': [operating, 'nobody', ofSupportAndReaders],
  'operators.jobs': [operating, 'nobody', ofSupport],
  'operators.evidence': [operating, 'nobody', ofSupport],
  'operators.audit': [operating, 'nobody', everyRole],
  'operators.brake.read': [operating, 'nobody', ofSupportAndReaders],
  'operators.brake': [operating, 'nobody', ofSupport],
  'operators.people': [operating, 'nobody', ofOwners],
  'operators.impersonate': [[website], 'nobody', ofSupport],
}

const rows = Object.entries(accessTable)

describe('the access table', () => {
  it('gives each action its credentials, owner and roles, and has no other action', () => {
    const stated = rows.map(([action, { credentials, within, ...row }]) => [
      action,
      'roles' in row
        ? [credentials, within, row.roles]
        : 'operators' in row
          ? [credentials, within, row.operators]
          : [credentials, within],
    ])
    expect(Object.fromEntries(stated)).toEqual(expected)
  })

  it('says of each action what it does, in words of its own that begin a line of the documents', () => {
    for (const [action, { summary }] of rows) expect(summary, action).toMatch(/^[A-Z][^.]+$/)
    expect(new Set(rows.map(([, { summary }]) => summary)).size).toBe(rows.length)
  })

  it('is read by action', () => {
    expect(accessRowOf('models.call')).toMatchObject({ credentials: [standard], within: 'account' })
    expect(accessRowOf('teams.manage')).toMatchObject({ within: 'organization', roles: admin })
  })
})
