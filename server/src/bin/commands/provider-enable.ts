import { changeProviderAccount } from '#control/operators/change-provider-account.ts'
import { operatorAuthor } from '#control/operators/operator-author.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const providerEnable: Command = {
  words: 'provider enable',
  summary: 'Ask a provider account again.',
  positionals: ['name'],
  run: (input) =>
    withSession(async ({ operators }) => {
      const name = input.argument(0)
      await changeProviderAccount(operators, { name, enabled: true }, operatorAuthor(Date.now()))
      return { lines: [`${name} is enabled`], data: { name, enabled: true } }
    }),
}
