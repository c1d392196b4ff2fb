import { describe, expect, it } from 'vitest'
import type { Wallet } from './wallet.ts'
import { mayChangeKeys, mayPay, seesBooks } from './wallet-rights.ts'

const own: Wallet = { kind: 'person', organizationId: null, name: 'Personal', role: null, query: {} }
const as = (role: string | null): Wallet => ({ ...own, kind: 'organization', organizationId: 'o', role })

describe('P27, Q13: what a page offers', () => {
  // Roles: an organization administrator can do everything, a billing viewer reads, a team administrator manages the
  // team's keys.
  it.each<[string, Wallet, { keys: boolean; books: boolean; pays: boolean }]>([
    ['the owner of a personal account', own, { keys: true, books: true, pays: true }],
    ['org_admin', as('org_admin'), { keys: true, books: true, pays: true }],
    ['billing_viewer', as('billing_viewer'), { keys: false, books: true, pays: false }],
    ['team_admin', as('team_admin'), { keys: true, books: false, pays: false }],
    ['member', as('member'), { keys: false, books: false, pays: false }],
    ['a role that is new', as('auditor'), { keys: false, books: false, pays: false }],
    ['a role that is not known yet', as(null), { keys: false, books: false, pays: false }],
  ])('to %s', (_name, wallet, offered) => {
    expect({ keys: mayChangeKeys(wallet), books: seesBooks(wallet), pays: mayPay(wallet) }).toEqual(offered)
  })
})
