import { type CustomerView, readCustomer } from '#control/customers/read-customer.ts'
import { parseCustomerSearch } from '#domain/customers/parse-customer-search.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import { renderCustomer, renderListing } from '#http/customers/render-customer.ts'
import type { Customer, CustomerListing } from '#ports/customers.ts'
import { createCustomers } from '#store/postgres/customers/postgres-customers.ts'
import { createLedgerReads } from '#store/postgres/ledger/postgres-ledger-reads.ts'
import { createTopUps } from '#store/postgres/payments/postgres-top-ups.ts'
import type { Command } from '../../command-line/command.ts'
import { formatTable } from '../../command-line/format-table.ts'
import { readListLimit } from '../../command-line/read-values.ts'
import { withSession } from '../../command-line/session.ts'
import { issuerOf } from '../../payment-offer.ts'

export const customerCommands: readonly Command[] = [
  {
    words: 'customer find',
    summary:
      'Find users and organizations, newest first, by beginnings of words in email, slug and name, by an id of a user, organization, wallet or key, or by the shown part of a key.',
    positionals: ['text'],
    options: {
      suspended: { type: 'boolean', description: 'Only suspended ones.' },
      limit: { type: 'string', value: '<count>', description: 'Maximum number of rows. Default 100.' },
    },
    async run(input) {
      const limit = readListLimit(input.text('limit'))
      const suspended = input.flag('suspended') ? true : null
      const search = parseCustomerSearch(input.argument(0))
      return withSession(async ({ pool }) => {
        const found = await createCustomers(pool).list({ search, kind: null, suspended, before: null, limit })
        const heading = ['KIND', 'EMAIL OR SLUG', 'NAME', 'STATE', 'BALANCE', 'HELD', 'ID']
        return { lines: formatTable(heading, found.map(rowOf)), data: found.map(renderListing) }
      })
    },
  },
  {
    words: 'customer show',
    summary: 'Show a user or organization by id, wallet id, email or slug: state, wallet, sign-in, keys and notes.',
    positionals: ['customer'],
    run: (input) =>
      withSession(async ({ pool, wallets, config }) => {
        const deps = {
          customers: createCustomers(pool),
          wallets,
          ledger: createLedgerReads(pool),
          topUps: createTopUps(pool, issuerOf(config)),
        }
        const view = await readCustomer(deps, input.argument(0))
        return { lines: linesOf(view), data: renderCustomer(view) }
      }),
  },
]

function rowOf({ kind, address, name, suspendedAtMs, balance, held, id }: CustomerListing): string[] {
  const state = suspendedAtMs === null ? 'active' : 'suspended'
  return [kind, address ?? '(deleted)', name, state, formatUsd(balance), formatUsd(held), id]
}

function linesOf({ customer, wallet }: CustomerView): string[] {
  const { suspendedAtMs } = customer
  const facts = [
    [customer.kind, `${customer.address ?? '(deleted)'} (${customer.id})`],
    ['name', customer.name],
    ['state', suspendedAtMs === null ? 'active' : `suspended since ${new Date(suspendedAtMs).toISOString()}`],
    ...signInFacts(customer),
    ['wallet', wallet.id],
    ['balance', `${formatUsd(wallet.balance)} USD, of which ${formatUsd(wallet.held)} USD is held`],
    ['charged', `${formatUsd(wallet.charged)} USD`],
  ]
  const keys = customer.keys.map((key) => [key.shown, key.name, key.type, stateOf(key), key.id])
  const notes = customer.notes.map(
    ({ text, author, createdAtMs }) => `note ${new Date(createdAtMs).toISOString()} ${author ?? 'operator'}: ${text}`,
  )
  return [
    ...facts.map(([title = '', value]) => `${title.padEnd(13)} ${value}`),
    '',
    ...formatTable(['KEY', 'NAME', 'TYPE', 'STATE', 'ID'], keys),
    ...notes,
  ]
}

function signInFacts({ signIn }: Customer): string[][] {
  if (signIn === null) return []
  const { ways, emailVerified, passkeys, secondFactor } = signIn
  const parts = [...ways, ...(passkeys > 0 ? [`${passkeys} passkeys`] : []), ...(secondFactor ? ['second factor'] : [])]
  return [['sign-in', `${parts.join(', ') || 'none'}${emailVerified ? '' : ', email not verified'}`]]
}

function stateOf({ revokedAtMs, enabled }: Customer['keys'][number]): string {
  if (revokedAtMs !== null) return 'deleted'
  return enabled ? 'active' : 'disabled'
}
