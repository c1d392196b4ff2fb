import type { Pool } from 'pg'
import type { Config } from '#config/config-schema.ts'
import { explainRoute, type ExplainRouteDeps } from '#control/operators/explain-route.ts'
import { errorText } from '#lib/error-text.ts'
import { createAllowedModelsStore } from '#store/postgres/allowed-models/allowed-models-store.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { loadRouting } from '#store/postgres/operators/routes.sql.ts'
import { createOwnKeyLoader } from '#store/postgres/own-keys/own-key-loader.ts'
import type { Command } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { withSession } from '../command-line/session.ts'
import { sealingKeyOf } from '../sealing-key.ts'

export const routeExplainCommands: readonly Command[] = [
  {
    words: 'route explain',
    summary: 'Show which provider accounts a request for a model would try, in order, which it skips, and why.',
    positionals: ['model'],
    options: {
      customer: {
        type: 'string',
        value: '<email|slug|id>',
        description: "Add an organization's allowed models and BYOK keys.",
      },
    },
    run: (input) =>
      withSession(async ({ config, pool, operators, wallets }) => {
        const question = { name: input.argument(0), customer: input.text('customer') ?? null }
        const deps = { ...(await loadState(config, pool)), operators, wallets }
        const { model, pattern, refusal, steps } = await explainRoute(deps, question, Date.now())
        const rows = steps.map(({ account, provider, upstreamModel, verdict, reason }) => {
          return [account, provider, upstreamModel ?? '', verdict, reason]
        })
        const decides = pattern === null ? 'every account that sells the model' : `route ${pattern}`
        const lines = [
          `model: ${model}`,
          `decided by: ${decides}`,
          ...(refusal === null ? [] : [`rejected: ${refusal}`]),
          '',
          ...formatTable(['ACCOUNT', 'PROVIDER', 'UPSTREAM MODEL', 'VERDICT', 'REASON'], rows),
        ]
        return { lines, data: { model, pattern, refusal, accounts: steps.map((step) => ({ ...step })) } }
      }),
  },
]

type State = Pick<ExplainRouteDeps, 'catalogue' | 'routing' | 'ownKeys' | 'canServe' | 'allowedModels'>

/** What a gateway keeps in memory, read from the database as it is now. */
async function loadState(config: Config, pool: Pool): Promise<State> {
  // Imported here because no other command of routes needs codecs.
  const { canServe } = await import('#providers/codecs/can-serve.ts')
  const { ownKeyBaseUrl, ownKeyVendor } = await import('#providers/own-key-vendor.ts')
  const { keepsPrompts } = await import('#providers/registry.ts')
  const sealingKey = sealingKeyOf(config)
  const loader = createOwnKeyLoader({
    pool,
    sealingKey,
    placeOf: (protocol, baseUrl) => ({
      vendor: ownKeyVendor(protocol, baseUrl).slug,
      baseUrl: ownKeyBaseUrl(protocol, baseUrl),
    }),
    report: {
      failed: (error) => console.error(`A BYOK key can't be decrypted and is left out: ${errorText(error)}`),
      succeeded: () => {},
    },
  })
  const catalogue = await createCatalogueStore(pool).load()
  const routing = await loadRouting(pool, { sealingKey, vendorKeepsPrompts: keepsPrompts })
  const ownKeys = await loader.load()
  return {
    catalogue: () => catalogue,
    routing: () => routing,
    ownKeys: () => ownKeys,
    canServe,
    allowedModels: createAllowedModelsStore(pool, Date.now),
  }
}
