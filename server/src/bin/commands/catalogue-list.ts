import type { Command } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { withSession } from '../command-line/session.ts'

export const catalogueListCommands: readonly Command[] = [
  {
    words: 'catalogue list',
    summary: 'List models, whether they have a price, and whether a provider account serves them.',
    options: {
      unpriced: { type: 'boolean', description: 'Only models without a price: their calls are rejected.' },
      incomplete: {
        type: 'boolean',
        description:
          'Only models without a cache_read price at some provider: cached tokens cost the input price there.',
      },
      unserved: { type: 'boolean', description: 'Only models that no enabled account or route serves.' },
    },
    run: (input) =>
      withSession(async (session) => {
        const { listModels } = await import('../standing/list-models.ts')
        const models = (await listModels(session))
          .filter(({ isPriced }) => !(input.flag('unpriced') && isPriced))
          .filter(({ isIncomplete }) => !input.flag('incomplete') || isIncomplete)
          .filter(({ isServed }) => !(input.flag('unserved') && isServed))
          .map(({ id, kind, isPriced, isIncomplete, isServed }) => {
            return { model: id, kind, priced: isPriced, incomplete: isIncomplete, served: isServed }
          })
        const rows = models.map(({ model, kind, priced, incomplete, served }) => [
          model,
          kind,
          priced ? (incomplete ? 'incomplete' : 'priced') : 'unpriced',
          served ? 'served' : 'unserved',
        ])
        return { lines: formatTable(['MODEL', 'KIND', 'PRICE', 'PROVIDER'], rows), data: models }
      }),
  },
]
