import { addProviderAccount } from '#control/operators/add-provider-account.ts'
import { type AccountHealth, healthOf, renderHealth } from '#control/operators/account-health.ts'
import { changeProviderAccount, missingAccount } from '#control/operators/change-provider-account.ts'
import { renderOverrides } from '#control/operators/render-overrides.ts'
import { replaceProviderKey } from '#control/operators/replace-provider-key.ts'
import { parseApi, type VendorTerms } from '#control/operators/vendor-terms.ts'
import { formatDiscount, parseDiscount } from '#domain/money/discount.ts'
import type { JsonObject } from '#lib/json.ts'
import type { ProviderAccountListing, ProviderAccountTerms } from '#ports/operators.ts'
import { commandAuthor } from '../command-line/command-author.ts'
import {
  type Command,
  type CommandInput,
  type CommandOption,
  type CommandOutput,
  UsageError,
} from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { overrideLines } from '../command-line/override-lines.ts'
import { withSession } from '../command-line/session.ts'
import { sealingKeyOf } from '../sealing-key.ts'

const accountTermOptions = {
  weight: {
    type: 'string',
    value: '<number>',
    description: 'Share of requests among the accounts of this provider. Default 1.',
  },
  'keeps-prompts': {
    type: 'string',
    value: '<yes|no|vendor>',
    description: "Whether the provider may store prompts; vendor: use the provider's published policy.",
  },
  variant: {
    type: 'string',
    value: '<name>',
    description: 'Region or service tier whose offers apply, such as eu.',
  },
  api: {
    type: 'string',
    value: '<responses|vendor>',
    description: 'API to use for conversations; vendor: the default, unless a model requires another.',
  },
  discount: {
    type: 'string',
    value: '<percent>',
    description: 'Discount that the provider gives on its prices, such as 12.5. Reports of margin use it.',
  },
} as const satisfies Record<string, CommandOption>

const credentialOptions = {
  key: { type: 'string', value: '<key>', description: 'Credential; - reads it from standard input.' },
  'key-env': { type: 'string', value: '<name>', description: 'Environment variable that holds the credential.' },
} as const satisfies Record<string, CommandOption>

export const providerCommands: readonly Command[] = [
  {
    words: 'provider add',
    summary: 'Add a provider account. Its key is stored encrypted.',
    positionals: ['provider'],
    options: {
      name: {
        type: 'string',
        value: '<name>',
        description: "Account name. Default: the provider's name.",
      },
      'base-url': {
        type: 'string',
        value: '<url>',
        description: "URL of the server, if not the provider's default.",
      },
      ...credentialOptions,
      ...accountTermOptions,
    },
    async run(input) {
      const terms = readAccountTerms(input)
      const credential = await readCredential(input)
      const vendors = await loadVendors()
      return withSession(async ({ operators, config }) => {
        const account = await addProviderAccount(
          { operators, sealingKey: sealingKeyOf(config), vendors },
          {
            vendor: input.argument(0),
            name: input.text('name'),
            baseUrl: input.text('base-url'),
            credential,
            ...terms,
          },
          commandAuthor(Date.now()),
        )
        return { lines: [`added provider account ${account.name} (${account.id})`], data: { ...account } }
      })
    },
  },
  {
    words: 'provider list',
    summary: 'List provider accounts.',
    run: () =>
      withSession(async ({ operators }) => {
        const [accounts, circuits] = await Promise.all([operators.listAccounts(), operators.listCircuits()])
        const rows = accounts.map((account) => [
          account.name,
          account.vendor,
          account.baseUrl ?? '(default)',
          account.hasCredential ? 'stored' : 'none',
          account.enabled ? 'enabled' : 'disabled',
          healthWord(healthOf(account, circuits)),
          String(account.weight),
          account.keepsPrompts === null ? 'provider default' : account.keepsPrompts ? 'stored' : 'not stored',
          account.variant,
          account.api ?? '',
          overridesWord(account),
        ])
        const data = accounts.map((account) => ({
          ...accountJson(account),
          health: renderHealth(healthOf(account, circuits)),
        }))
        const titles = [
          'NAME',
          'PROVIDER',
          'BASE URL',
          'KEY',
          'STATE',
          'HEALTH',
          'WEIGHT',
          'PROMPTS',
          'VARIANT',
          'API',
          'OVERRIDES',
        ]
        return { lines: formatTable(titles, rows), data }
      }),
  },
  {
    words: 'provider show',
    summary: 'Show a provider account and its overrides.',
    positionals: ['name'],
    run: (input) =>
      withSession(async ({ operators }) => {
        const name = input.argument(0)
        const account = (await operators.listAccounts()).find((listed) => listed.name === name)
        if (account === undefined) throw missingAccount(name)
        return { lines: [...accountLines(account), '', ...overrideLines(account)], data: accountJson(account) }
      }),
  },
  {
    words: 'provider change',
    summary: 'Change the routing settings of a provider account.',
    positionals: ['name'],
    options: accountTermOptions,
    async run(input) {
      const terms = readAccountTerms(input)
      if (Object.keys(terms).length === 0) throw new UsageError('Specify at least one change.')
      const vendors = await loadVendors()
      return withSession(async ({ operators }) => {
        const edit = { name: input.argument(0), ...terms }
        const { name, weight, keepsPrompts, variant, api, discountPpm } = await changeProviderAccount(
          { operators, vendors },
          edit,
          commandAuthor(Date.now()),
        )
        return { lines: [`changed ${name}`], data: { name, weight, keepsPrompts, variant, api, discountPpm } }
      })
    },
  },
  {
    words: 'provider key',
    summary: 'Replace the key of a provider account. Gateways use the new key within a second.',
    positionals: ['name'],
    options: credentialOptions,
    async run(input) {
      const credential = await readCredential(input)
      if (credential === undefined) throw new UsageError('Specify the new key with --key or --key-env.')
      return withSession(async ({ operators, config }) => {
        const name = input.argument(0)
        const deps = { operators, sealingKey: sealingKeyOf(config) }
        await replaceProviderKey(deps, { name, credential }, commandAuthor(Date.now()))
        return { lines: [`replaced the key of ${name}`], data: { name } }
      })
    },
  },
  {
    words: 'provider disable',
    summary: 'Disable a provider account. Its routes and key are kept.',
    positionals: ['name'],
    run: (input) => switchAccount(input.argument(0), { enabled: false }),
  },
  {
    words: 'provider enable',
    summary: 'Enable a provider account.',
    positionals: ['name'],
    run: (input) => switchAccount(input.argument(0), { enabled: true }),
  },
]

/** Vendors are imported with all their codecs, which a list of accounts does not need. */
async function loadVendors(): Promise<readonly VendorTerms[]> {
  return (await import('../vendor-terms.ts')).vendorTerms
}

/** Formats an account for `--json`. */
function accountJson(account: ProviderAccountListing): JsonObject {
  return { ...account, overrides: renderOverrides(account.overrides) }
}

/** For example `failing since 03:12 UTC (gpt-5.2; upstream_auth_failed (401); 2 gateways)`. */
function healthWord(health: AccountHealth): string {
  if (health.state === 'ok') return 'ok'
  const { models, gateways, reason, openedAtMs } = health
  const since = new Date(openedAtMs).toISOString().slice(0, 16).replace('T', ' ')
  const shown = models.length > 3 ? `${models.length} models` : models.join(', ')
  return `failing since ${since} UTC (${shown}; ${reason}; ${gateways} ${gateways === 1 ? 'gateway' : 'gateways'})`
}

function accountLines(account: ProviderAccountListing): string[] {
  const { name, vendor, baseUrl, hasCredential, enabled, weight, keepsPrompts, variant, discountPpm } = account
  const rows = [
    ['name', name],
    ['provider', vendor],
    ['base URL', baseUrl ?? '(default)'],
    ['key', hasCredential ? 'stored' : 'none'],
    ['state', enabled ? 'enabled' : 'disabled'],
    ['weight', String(weight)],
    ['prompts', keepsPrompts === null ? 'provider default' : keepsPrompts ? 'stored' : 'not stored'],
    ['variant', variant === '' ? '(from its base URL)' : variant],
    ['discount', `${formatDiscount(discountPpm)} %`],
  ]
  return rows.map(([title = '', value = '']) => `${title.padEnd(9)} ${value}`)
}

function overridesWord({ overrides }: ProviderAccountListing): string {
  return overrides.length === 0 ? '' : overrides.map(({ model = 'all models' }) => model).join(', ')
}

function readAccountTerms(input: CommandInput): Partial<ProviderAccountTerms> {
  const weight = input.text('weight')
  const keeps = input.text('keeps-prompts')
  const variant = input.text('variant')
  const api = input.text('api')
  const discount = input.text('discount')
  if (weight !== undefined && !/^\d{1,4}$/.test(weight))
    throw new UsageError('The weight must be an integer of at most four digits.')
  return {
    ...(weight === undefined ? {} : { weight: Number(weight) }),
    ...(keeps === undefined ? {} : { keepsPrompts: readKeeping(keeps) }),
    ...(variant === undefined ? {} : { variant }),
    ...(api === undefined ? {} : { api: api === 'vendor' ? null : parseApi(api) }),
    ...(discount === undefined ? {} : { discountPpm: readDiscount(discount) }),
  }
}

function readDiscount(text: string): number {
  const ppm = parseDiscount(text)
  if (ppm === undefined)
    throw new UsageError('--discount must be a percentage from 0 to 100 with at most four decimals.')
  return ppm
}

function readKeeping(text: string): boolean | null {
  if (text === 'vendor') return null
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new UsageError('--keeps-prompts must be yes, no or vendor.')
}

/** Standard input and variables keep a credential out of the shell history and the process list. */
async function readCredential(input: CommandInput): Promise<string | undefined> {
  const key = input.text('key')
  const variable = input.text('key-env')
  if (key !== undefined && variable !== undefined) throw new UsageError('Specify either --key or --key-env.')
  if (variable !== undefined) {
    const value = process.env[variable]
    if (value === undefined || value === '') throw new UsageError(`The environment variable ${variable} is not set.`)
    return value
  }
  return key === '-' ? (await input.readInput()).trim() : key
}

async function switchAccount(name: string, { enabled }: { enabled: boolean }): Promise<CommandOutput> {
  const vendors = await loadVendors()
  return withSession(async ({ operators }) => {
    await changeProviderAccount({ operators, vendors }, { name, enabled }, commandAuthor(Date.now()))
    return { lines: [`${name} is ${enabled ? 'enabled' : 'disabled'}`], data: { name, enabled } }
  })
}
