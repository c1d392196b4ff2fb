import { describe, expect, it } from 'vitest'
import { entryOfOthers, isActive, navigationOf, pathWithin, type ScopeKind } from './navigation.ts'
import type { Viewed } from './wallet-rights.ts'

const person: Viewed = { kind: 'person', role: null }
const owner: Viewed = { ...person, operatorRole: 'owner' }
const as = (role: string): Viewed => ({ kind: 'organization', role })
const pathsOf = (scope: ScopeKind, wallet: Viewed) =>
  navigationOf(scope, wallet).flatMap(({ entries }) => entries.map(({ path }) => path))
const headingsOf = (scope: ScopeKind, wallet: Viewed) => navigationOf(scope, wallet).map(({ heading }) => heading)

describe('the navigation of a scope', () => {
  it.each([
    ['org_admin', ['/breaker']],
    ['billing_viewer', ['/playground', '/breaker']],
    ['team_admin', ['/customers', '/runs', '/credits', '/breaker']],
    ['member', ['/playground', '/keys', '/customers', '/runs', '/credits', '/breaker']],
    ['a role that is new', ['/playground', '/keys', '/customers', '/runs', '/credits', '/breaker']],
  ])('hides from %s what the role may not see', (role, hidden) => {
    const seen = pathsOf('organization', as(role))
    expect(pathsOf('person', person).filter((path) => !seen.includes(path))).toEqual(hidden)
  })

  it('groups the pages, and leaves out a group without pages', () => {
    expect(headingsOf('person', person)).toEqual([null, 'Build', 'Observe', null, 'Limits'])
    expect(headingsOf('organization', as('org_admin'))).toEqual([null, 'People', 'Controls', 'Build', 'Observe', null])
    expect(headingsOf('organization', as('member'))).toEqual([null, 'Build', 'Observe'])
  })

  it('shows an operator the pages of the installation alone', () => {
    const paths = pathsOf('operator', owner)
    expect(paths).toContain('/operator/orders')
    expect(paths.filter((path) => !path.startsWith('/operator/'))).toEqual([])
  })

  it.each<[ScopeKind, Viewed]>([
    ['person', person],
    ['organization', as('org_admin')],
    ['operator', owner],
  ])('has at most six entries in a group of %s, and four on phones', (scope, wallet) => {
    const groups = navigationOf(scope, wallet)
    for (const { entries } of groups) expect(entries.length).toBeLessThanOrEqual(6)
    const onPhones = groups.flatMap(({ entries }) => entries.filter(({ isOnPhones }) => isOnPhones))
    expect(onPhones.length).toBeGreaterThan(1)
    expect(onPhones.length).toBeLessThanOrEqual(4)
  })
})

it.each([
  ['member', '/import', 'Members'],
  ['member', '/members/1', 'Members'],
  ['member', '/requests/1', undefined],
  ['team_admin', '/import', undefined],
  ['team_admin', '/ledger', 'Billing'],
  ['team_admin', '/customers/acme-7/details', 'Customers'],
  ['billing_viewer', '/customers', undefined],
  ['team_admin', '/runs/job-1/details', 'Runs'],
  ['billing_viewer', '/runs', undefined],
  ['billing_viewer', '/ledger', undefined],
  ['org_admin', '/import', undefined],
])('a %s who opens %s is told about %s', (role, path, label) => {
  expect(entryOfOthers('organization', as(role), path)?.label).toBe(label)
})

it('keeps no page from its owner', () => {
  expect(entryOfOthers('person', person, '/ledger')).toBeUndefined()
})

it.each([
  ['/', '/', true],
  ['/', '/keys', false],
  ['/keys', '/keys', true],
  ['/keys', '/keys/1', true],
  ['/keys', '/keysmith', false],
])('entry %s is active on %s: %s', (path, pathname, active) => {
  expect(isActive({ path }, pathname)).toBe(active)
})

it('is active on every tab of an entry', () => {
  const entries = navigationOf('person', person).flatMap((group) => group.entries)
  const activeOn = (pathname: string) => entries.filter((entry) => isActive(entry, pathname)).map(({ label }) => label)
  for (const path of ['/credits', '/billing', '/invoices/R-1', '/ledger']) expect(activeOn(path)).toEqual(['Billing'])
  expect(activeOn('/')).toEqual(['Overview'])
})

it.each([
  ['/requests/gen-1', '/requests'],
  ['/ledger', '/ledger'],
  ['/breaker', '/breaker'],
  ['/operator/orders', '/'],
  ['/settings', '/'],
])('goes from %s to %s when the workspace is switched', (pathname, path) => {
  expect(pathWithin(navigationOf('person', person), pathname)).toBe(path)
})

it('goes to the first page if the role may not see the page', () => {
  expect(pathWithin(navigationOf('organization', as('member')), '/ledger')).toBe('/')
  expect(pathWithin(navigationOf('operator', owner), '/keys')).toBe('/operator/health')
  expect(pathWithin([], '/keys')).toBe('/')
})
