import { missingAccount } from '#control/operators/change-provider-account.ts'
import { malformed } from '#errors/malformed.ts'
import type { TestedAccount } from '#jobs/provider-check/test-accounts.ts'
import type { JsonObject } from '#lib/json.ts'
import type { ProviderAccountListing } from '#ports/operators.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { loadRouting } from '#store/postgres/operators/routes.sql.ts'
import type { Command } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { withSession } from '../command-line/session.ts'
import { sealingKeyOf } from '../sealing-key.ts'

export const providerTestCommands: readonly Command[] = [
  {
    words: 'provider test',
    summary:
      'Send one tiny request to each named provider account, or to all enabled ones, with its stored key. Charges no wallet. Exits with code 1 on a failure.',
    positionals: ['account…'],
    run: (input) =>
      withSession(async ({ operators, pool, config }) => {
        const names = input.rest(0)
        assertNames(await operators.listAccounts(), names)
        // Imported here because other provider commands need no codecs.
        const { keepsPrompts } = await import('#providers/registry.ts')
        const { testAccounts } = await import('#jobs/provider-check/test-accounts.ts')
        const { withProbes } = await import('../with-probes.ts')
        const table = await loadRouting(pool, { sealingKey: sealingKeyOf(config), vendorKeepsPrompts: keepsPrompts })
        const accounts = table.accounts.filter(({ name }) => names.length === 0 || names.includes(name))
        if (accounts.length === 0) throw malformed('No provider account is enabled.')
        const { models } = await createCatalogueStore(pool).load()
        const tested = await withProbes(config, (deps) =>
          testAccounts(accounts, { models: [...models.values()], table }, { ...deps, nowMs: () => performance.now() }),
        )
        const results = tested.map(describe)
        const rows = results.map(({ account, model, status, ms, words }) => [account, model, status, ms, words])
        return {
          lines: formatTable(['ACCOUNT', 'MODEL', 'STATUS', 'MS', 'MESSAGE'], rows),
          data: results.map(({ isGood, ...result }) => ({ ...result, ok: isGood }) satisfies JsonObject),
          exitCode: results.every(({ isGood }) => isGood) ? 0 : 1,
        }
      }),
  },
]

function assertNames(listed: readonly ProviderAccountListing[], names: readonly string[]): void {
  for (const name of names) {
    const account = listed.find((each) => each.name === name)
    if (account === undefined) throw missingAccount(name)
    if (!account.enabled) throw malformed(`${name} is disabled. Enable it first.`)
  }
}

function describe({ account: { name }, asked }: TestedAccount) {
  if (asked === null) {
    const words = 'the catalogue and routes have no small model to call'
    return { account: name, model: '', status: 'not called', ms: '', words, isGood: false }
  }
  const { probe, verdict } = asked
  const told = { account: name, model: probe.candidate.upstreamModel, ms: String(asked.ms) }
  switch (verdict.kind) {
    case 'accepted':
      return { ...told, status: 'answered', words: '', isGood: true }
    case 'refused':
      return { ...told, status: `rejected (${verdict.status})`, words: verdict.words, isGood: false }
    case 'failed':
      return { ...told, status: 'failed', words: verdict.words, isGood: false }
  }
}
