import type { Command } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { withSession } from '../command-line/session.ts'

export const catalogueListCommands: readonly Command[] = [
  {
    words: 'catalogue list',
    summary: 'List models, whether they can be charged for, and whether some provider account serves them.',
    options: {
      unpriced: { type: 'boolean', description: 'Only those that no host has a price for: calls are refused.' },
      unserved: { type: 'boolean', description: 'Only those that no enabled account and route can be asked for.' },
    },
    run: (input) =>
      withSession(async (session) => {
        const { listModels } = await import('../standing/list-models.ts')
        const models = (await listModels(session))
          .map(({ id, kind, isPriced, isServed }) => ({ model: id, kind, priced: isPriced, served: isServed }))
          .filter((model) => !(input.flag('unpriced') && model.priced) && !(input.flag('unserved') && model.served))
        const rows = models.map(({ model, kind, priced, served }) => [
          model,
          kind,
          priced ? 'priced' : 'unpriced',
          served ? 'served' : 'unserved',
        ])
        return { lines: formatTable(['MODEL', 'KIND', 'PRICE', 'PROVIDER'], rows), data: models }
      }),
  },
]
