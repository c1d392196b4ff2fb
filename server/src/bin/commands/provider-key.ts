import { operatorAuthor } from '#control/operators/operator-author.ts'
import { replaceProviderKey } from '#control/operators/replace-provider-key.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import { type Command, UsageError } from './command.ts'
import { credentialOptions, readCredential } from './read-credential.ts'
import { withSession } from './session.ts'

export const providerKey: Command = {
  words: 'provider key',
  summary: "Replace a provider account's key. Every gateway uses the new one within a second.",
  positionals: ['name'],
  options: credentialOptions,
  async run(input) {
    const credential = await readCredential(input)
    if (credential === undefined) throw new UsageError('Give the new key with --key or --key-env.')
    return withSession(async ({ operators, config }) => {
      const name = input.argument(0)
      const deps = { operators, sealingKey: sealingKeyOf(config) }
      await replaceProviderKey(deps, { name, credential }, operatorAuthor(Date.now()))
      return { lines: [`${name} has a new key`], data: { name } }
    })
  },
}
