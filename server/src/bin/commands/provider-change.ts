import { changeProviderAccount } from '#control/operators/change-provider-account.ts'
import { operatorAuthor } from '#control/operators/operator-author.ts'
import { accountTermOptions, readAccountTerms } from './account-term-options.ts'
import { type Command, UsageError } from './command.ts'
import { withSession } from './session.ts'

export const providerChange: Command = {
  words: 'provider change',
  summary: 'Change how a provider account takes part in routing.',
  positionals: ['name'],
  options: accountTermOptions,
  async run(input) {
    const terms = readAccountTerms(input)
    if (Object.keys(terms).length === 0) throw new UsageError('Say what to change.')
    return withSession(async ({ operators }) => {
      const edit = { name: input.argument(0), ...terms }
      const { name, weight, keepsPrompts, variant } = await changeProviderAccount(
        operators,
        edit,
        operatorAuthor(Date.now()),
      )
      return { lines: [`${name} is changed`], data: { name, weight, keepsPrompts, variant } }
    })
  },
}
