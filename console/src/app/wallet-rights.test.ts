import { describe, expect, it } from 'vitest'
import type { Wallet } from './wallet.ts'
import {
  mayAct,
  mayChangeCustomers,
  mayChangeKeys,
  mayPay,
  seesBooks,
  seesBudgets,
  seesCustomers,
  seesKeys,
} from './wallet-rights.ts'

const own: Wallet = { kind: 'person', organizationId: null, name: 'Personal', role: null, query: {} }
const as = (role: string | null): Wallet => ({ ...own, kind: 'organization', organizationId: 'o', role })

interface Offered {
  readonly seesKeys: boolean
  readonly keys: boolean
  readonly books: boolean
  readonly seesCustomers: boolean
  readonly customers: boolean
  readonly pays: boolean
  readonly budgets: boolean
  readonly administers: boolean
  readonly reports: boolean
}

const all: Offered = {
  seesKeys: true,
  keys: true,
  books: true,
  seesCustomers: true,
  customers: true,
  pays: true,
  budgets: true,
  administers: true,
  reports: true,
}
const nothing: Offered = {
  seesKeys: false,
  keys: false,
  books: false,
  seesCustomers: false,
  customers: false,
  pays: false,
  budgets: false,
  administers: false,
  reports: false,
}

describe('P27, Q13: what a page offers', () => {
  // Roles: an organization administrator can do everything, a billing viewer reads, a team administrator manages the
  // team's keys.
  it.each<[string, Wallet, Offered]>([
    ['the owner of a personal account', own, { ...all, budgets: false, administers: false, reports: false }],
    ['org_admin', as('org_admin'), all],
    [
      'billing_viewer',
      as('billing_viewer'),
      { ...nothing, seesKeys: true, books: true, seesCustomers: true, budgets: true, reports: true },
    ],
    ['team_admin', as('team_admin'), { ...nothing, seesKeys: true, keys: true, budgets: true }],
    ['member', as('member'), nothing],
    ['a role that is new', as('auditor'), nothing],
    ['a role that is not known yet', as(null), nothing],
  ])('to %s', (_name, wallet, offered) => {
    expect({
      seesKeys: seesKeys(wallet),
      keys: mayChangeKeys(wallet),
      books: seesBooks(wallet),
      seesCustomers: seesCustomers(wallet),
      customers: mayChangeCustomers(wallet),
      pays: mayPay(wallet),
      budgets: seesBudgets(wallet),
      administers: mayAct(wallet, 'filters.manage'),
      reports: mayAct(wallet, 'reports.read'),
    }).toEqual(offered)
  })
})
