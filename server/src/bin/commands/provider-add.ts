import { addProviderAccount } from '#control/operators/add-provider-account.ts'
import { operatorAuthor } from '#control/operators/operator-author.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import { vendorTerms } from '../vendor-terms.ts'
import { accountTermOptions, readAccountTerms } from './account-term-options.ts'
import type { Command } from './command.ts'
import { credentialOptions, readCredential } from './read-credential.ts'
import { withSession } from './session.ts'

export const providerAdd: Command = {
  words: 'provider add',
  summary: 'Add an account with a vendor. Its key is sealed before it is stored.',
  positionals: ['vendor'],
  options: {
    name: {
      type: 'string',
      value: '<name>',
      description: "What to call it; the vendor's name unless there are several.",
    },
    'base-url': { type: 'string', value: '<url>', description: "Where the server is, if not at the vendor's address." },
    ...credentialOptions,
    ...accountTermOptions,
  },
  async run(input) {
    const terms = readAccountTerms(input)
    const credential = await readCredential(input)
    return withSession(async ({ operators, config }) => {
      const account = await addProviderAccount(
        { operators, sealingKey: sealingKeyOf(config), vendors: vendorTerms },
        { vendor: input.argument(0), name: input.text('name'), baseUrl: input.text('base-url'), credential, ...terms },
        operatorAuthor(Date.now()),
      )
      return { lines: [`added provider account ${account.name} (${account.id})`], data: { ...account } }
    })
  },
}
