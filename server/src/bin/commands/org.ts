import { createOrganization } from '#control/organizations/create-organization.ts'
import { operateOrganization } from '#control/organizations/operate-organization.ts'
import { readOrganization } from '#control/organizations/read-organizations.ts'
import { formatUsd, type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { billingModes, type OrganizationListing } from '#domain/organizations/organization.ts'
import { createOrganizations } from '#store/postgres/organizations/organization-store.ts'
import { commandAuthor } from '../command-line/command-author.ts'
import { type Command, type CommandOutput, UsageError } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { parseAmount } from '../command-line/read-values.ts'
import { withSession } from '../command-line/session.ts'

export const orgCommands: readonly Command[] = [
  {
    words: 'org create',
    summary: 'Create an organization with a wallet and a first admin.',
    positionals: ['name'],
    options: {
      admin: { type: 'string', value: '<user>', description: 'First admin, by user id or email. Required.' },
      slug: { type: 'string', value: '<slug>', description: 'Slug. Default: derived from the name.' },
      seats: {
        type: 'string',
        value: '<count>',
        description: 'Maximum number of members. Default: unlimited.',
      },
      monthly: { type: 'boolean', description: 'Bill monthly, up to the credit line, instead of prepaid.' },
      'credit-line': {
        type: 'string',
        value: '<usd>',
        description: 'Credit line in USD: how far the balance may go below zero.',
      },
      plan: { type: 'string', value: '<name>', description: 'Plan name. Default standard.' },
    },
    async run(input) {
      const admin = input.text('admin')
      if (admin === undefined) throw new UsageError('--admin is required.')
      const creditLine = input.text('credit-line')
      const organization = {
        name: input.argument(0),
        slug: input.text('slug') ?? null,
        admin,
        seats: parseSeats(input.text('seats')),
        plan: input.text('plan') ?? 'standard',
        billing: input.flag('monthly') ? 'monthly' : 'prepaid',
        creditLine: creditLine === undefined ? zeroUsd : parseAmount(creditLine),
      } as const
      return withSession(async ({ pool, users }) => {
        const deps = { organizations: createOrganizations(pool), users }
        const made = await createOrganization(deps, organization, commandAuthor(Date.now()))
        const lines = [
          `organization  ${made.id}`,
          `slug          ${made.slug}`,
          `wallet        ${made.walletId}`,
          `admin ${made.memberId}`,
        ]
        return { lines, data: { ...made } }
      })
    },
  },
  {
    words: 'org list',
    summary: 'List all organizations.',
    run: () =>
      withSession(async ({ pool }) => {
        const listings = (await createOrganizations(pool).list()).map(describeOrganization)
        const rows = listings.map((listing) => [
          listing.slug,
          listing.name,
          listing.suspended ? 'suspended' : 'active',
          listing.billing,
          listing.balance,
          `${listing.members}${listing.seats === null ? '' : ` of ${listing.seats}`}`,
          listing.id,
        ])
        const heading = ['SLUG', 'NAME', 'STATE', 'BILLING', 'BALANCE', 'MEMBERS', 'ID']
        return { lines: formatTable(heading, rows), data: listings }
      }),
  },
  {
    words: 'org show',
    summary: 'Show an organization, by its slug or id.',
    positionals: ['org'],
    run: (input) =>
      withSession(async ({ pool }) => {
        const data = describeOrganization(await readOrganization(createOrganizations(pool), input.argument(0)))
        return { lines: Object.entries(data).map(([name, value]) => `${name.padEnd(13)}  ${value ?? 'none'}`), data }
      }),
  },
  {
    words: 'org suspend',
    summary: 'Suspend an organization: all its keys are rejected with 403.',
    positionals: ['org'],
    run: (input) => suspend({ reference: input.argument(0), change: { suspended: true } }),
  },
  {
    words: 'org unsuspend',
    summary: 'Lift the suspension of an organization.',
    positionals: ['org'],
    run: (input) => suspend({ reference: input.argument(0), change: { suspended: false } }),
  },
  {
    words: 'org billing',
    summary: 'Set how an organization pays: prepaid, or monthly up to its credit line.',
    positionals: ['org', 'prepaid|monthly'],
    options: {
      'credit-line': {
        type: 'string',
        value: '<usd>',
        description: 'Credit line in USD: how far the balance may go below zero. Monthly only.',
      },
    },
    async run(input) {
      const billing = billingModes.find((mode) => mode === input.argument(1))
      if (billing === undefined) throw new UsageError(`Billing must be one of ${billingModes.join(', ')}.`)
      const line = input.text('credit-line')
      if ((billing === 'monthly') !== (line !== undefined)) {
        throw new UsageError('Monthly billing requires --credit-line; prepaid does not allow it.')
      }
      const change = { billing, creditLine: line === undefined ? zeroUsd : parseAmount(line) }
      return withSession(async ({ pool, announce }) => {
        const deps = { organizations: createOrganizations(pool), announce }
        const organization = await operateOrganization(
          deps,
          { reference: input.argument(0), change },
          commandAuthor(Date.now()),
        )
        const upTo = billing === 'monthly' ? `, with a credit line of ${formatUsd(organization.creditLine)} USD` : ''
        return {
          lines: [`${organization.slug} now has ${billing} billing${upTo}`],
          data: describeOrganization(organization),
        }
      })
    },
  },
  {
    words: 'org seats',
    summary: 'Set the maximum number of members of an organization. Existing members stay.',
    positionals: ['org', 'count|unlimited'],
    async run(input) {
      const seats = parseSeats(input.argument(1))
      return withSession(async ({ pool, announce }) => {
        const deps = { organizations: createOrganizations(pool), announce }
        const organization = await operateOrganization(
          deps,
          { reference: input.argument(0), change: { seats } },
          commandAuthor(Date.now()),
        )
        const lines = [`${organization.slug} has ${seats ?? 'unlimited'} seats, ${organization.memberCount} taken`]
        return { lines, data: describeOrganization(organization) }
      })
    },
  },
]

function suspend(wanted: { reference: string; change: { suspended: boolean } }): Promise<CommandOutput> {
  return withSession(async ({ pool, announce }) => {
    const deps = { organizations: createOrganizations(pool), announce }
    const { id, slug, suspended } = await operateOrganization(deps, wanted, commandAuthor(Date.now()))
    return { lines: [`${slug} is ${suspended ? 'suspended' : 'no longer suspended'}`], data: { id, slug, suspended } }
  })
}

/**
 * Parses the number of seats. `unlimited` or nothing returns null, which means no limit besides the platform maximum.
 */
function parseSeats(text: string | undefined): number | null {
  if (text === undefined || text === 'unlimited') return null
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${text} is not a number of seats.`)
  return Number(text)
}

/** Formats an organization for the output. */
function describeOrganization(organization: OrganizationListing) {
  return {
    id: organization.id,
    slug: organization.slug,
    name: organization.name,
    plan: organization.plan,
    billing: organization.billing,
    creditLine: formatUsd(organization.creditLine),
    balance: formatUsd(organization.balance),
    walletId: organization.walletId,
    seats: organization.seats,
    members: organization.memberCount,
    teams: organization.teamCount,
    weeklyBudget: budgetText(organization.weeklyBudget),
    monthlyBudget: budgetText(organization.monthlyBudget),
    suspended: organization.suspended,
    createdAt: new Date(organization.createdAtMs).toISOString(),
  }
}

function budgetText(budget: NanoUsd | null): string | null {
  return budget === null ? null : formatUsd(budget)
}
