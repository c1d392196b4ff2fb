import { addProviderAccount } from '#control/operators/add-provider-account.ts'
import { sealingKeyFrom } from '#lib/seal.ts'
import { vendors } from '#providers/registry.ts'
import { type Command, type CommandInput, UsageError } from './command.ts'
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
    key: { type: 'string', value: '<key>', description: 'The credential; - reads it from standard input.' },
    'key-env': { type: 'string', value: '<name>', description: 'The variable that holds the credential.' },
  },
  async run(input) {
    const credential = await readCredential(input)
    return withSession(async ({ operators, config }) => {
      const deps = { operators, sealingKey: sealingKeyFrom(config.secret), vendors: vendorTerms() }
      const account = await addProviderAccount(
        deps,
        { vendor: input.argument(0), name: input.text('name'), baseUrl: input.text('base-url'), credential },
        Date.now(),
      )
      return { lines: [`added provider account ${account.name} (${account.id})`], data: { ...account } }
    })
  },
}

/** Standard input and variables keep a credential out of the shell's history and the list of processes. */
async function readCredential(input: CommandInput): Promise<string | undefined> {
  const key = input.text('key')
  const variable = input.text('key-env')
  if (key !== undefined && variable !== undefined) throw new UsageError('Give --key or --key-env, not both.')
  if (variable !== undefined) {
    const value = process.env[variable]
    if (value === undefined || value === '') throw new UsageError(`The variable ${variable} is not set.`)
    return value
  }
  return key === '-' ? (await input.readInput()).trim() : key
}

function vendorTerms() {
  return Object.values(vendors).map(({ slug, baseUrl, authentication }) => ({
    slug,
    baseUrl,
    needsCredential: authentication.kind !== 'optional-bearer',
  }))
}
