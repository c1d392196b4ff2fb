import { operateOrganization } from '#control/organizations/operate-organization.ts'
import { formatUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { billingModes } from '#domain/organizations/organization.ts'
import { createOrganizations } from '#store/postgres/organizations/organizations.ts'
import { type Command, UsageError } from './command.ts'
import { describeOrganization } from './describe-organization.ts'
import { parseAmount } from './parse-amount.ts'
import { withSession } from './session.ts'

export const orgBilling: Command = {
  words: 'org billing',
  summary: 'Let an organization pay before (prepaid) or after each month (monthly), up to its credit line.',
  positionals: ['org', 'prepaid|monthly'],
  options: {
    'credit-line': {
      type: 'string',
      value: '<usd>',
      description: 'How far the wallet may go below zero; for monthly.',
    },
  },
  async run(input) {
    const billing = billingModes.find((mode) => mode === input.argument(1))
    if (billing === undefined) throw new UsageError(`Billing is one of ${billingModes.join(', ')}.`)
    const line = input.text('credit-line')
    if ((billing === 'monthly') !== (line !== undefined)) {
      throw new UsageError('Monthly billing needs --credit-line, and prepaid has none.')
    }
    const change = { billing, creditLine: line === undefined ? zeroUsd : parseAmount(line) }
    return withSession(async ({ pool, announce }) => {
      const deps = { organizations: createOrganizations(pool), announce }
      const organization = await operateOrganization(deps, { reference: input.argument(0), change })
      const upTo = billing === 'monthly' ? `, up to ${formatUsd(organization.creditLine)} USD below zero` : ''
      return {
        lines: [`${organization.slug} is on ${billing} billing${upTo}`],
        data: describeOrganization(organization),
      }
    })
  },
}
