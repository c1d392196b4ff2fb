import { enableProviderAccount } from '#control/operators/enable-provider-account.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const providerEnable: Command = {
  words: 'provider enable',
  summary: 'Ask a provider account again.',
  positionals: ['name'],
  run: (input) =>
    withSession(async ({ operators }) => {
      const name = input.argument(0)
      await enableProviderAccount(operators, { name, enabled: true })
      return { lines: [`${name} is enabled`], data: { name, enabled: true } }
    }),
}
