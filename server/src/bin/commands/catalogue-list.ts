import { isChargeable } from '#domain/catalogue/can-charge.ts'
import { createFindServed } from '#domain/routing/served-models.ts'
import { canServe } from '#providers/codecs/can-serve.ts'
import { keepsPrompts } from '#providers/registry.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { loadRouting } from '#store/postgres/operators/routes.sql.ts'
import type { Command } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { withSession } from '../command-line/session.ts'
import { sealingKeyOf } from '../sealing-key.ts'

export const catalogueListCommands: readonly Command[] = [
  {
    words: 'catalogue list',
    summary: 'List models, whether they can be charged for, and whether some provider account serves them.',
    options: {
      unpriced: { type: 'boolean', description: 'Only those that no host has a price for: calls are refused.' },
      unserved: { type: 'boolean', description: 'Only those that no enabled account and route can be asked for.' },
    },
    run: (input) =>
      withSession(async ({ pool, config }) => {
        const catalogue = await createCatalogueStore(pool).load()
        const deps = { sealingKey: sealingKeyOf(config), vendorKeepsPrompts: keepsPrompts }
        const served = createFindServed(canServe)(catalogue, await loadRouting(pool, deps))
        const models = [...catalogue.models.values()]
          .map((model) => ({
            model: model.id,
            kind: model.kind,
            priced: isChargeable(model),
            served: served.has(model.id),
          }))
          .filter((model) => !(input.flag('unpriced') && model.priced) && !(input.flag('unserved') && model.served))
        const rows = models.map(({ model, kind, priced, served: isServed }) => [
          model,
          kind,
          priced ? 'priced' : 'unpriced',
          isServed ? 'served' : 'unserved',
        ])
        return { lines: formatTable(['MODEL', 'KIND', 'PRICE', 'PROVIDER'], rows), data: models }
      }),
  },
]
