import { changeProviderAccount } from '#control/operators/change-provider-account.ts'
import { operatorAuthor } from '#control/operators/operator-author.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const providerDisable: Command = {
  words: 'provider disable',
  summary: 'Stop asking a provider account. Its routes and key are kept.',
  positionals: ['name'],
  run: (input) =>
    withSession(async ({ operators }) => {
      const name = input.argument(0)
      await changeProviderAccount(operators, { name, enabled: false }, operatorAuthor(Date.now()))
      return { lines: [`${name} is disabled`], data: { name, enabled: false } }
    }),
}
