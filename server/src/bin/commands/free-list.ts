import { createFreeModelBook } from '#store/postgres/free/free-model-book.ts'
import type { Command } from './command.ts'
import { formatTable } from './format-table.ts'
import { withSession } from './session.ts'

export const freeList: Command = {
  words: 'free list',
  summary: 'List the models whose free quota was set.',
  run: () =>
    withSession(async ({ pool }) => {
      const models = await createFreeModelBook(pool).list()
      const rows = models.map(({ modelId, requestsPerMinute, unitsPerDay, enabled }) => [
        enabled ? modelId : `${modelId} (disabled)`,
        String(requestsPerMinute),
        String(unitsPerDay),
      ])
      return {
        lines: formatTable(['MODEL', 'PER MINUTE', 'UNITS PER DAY'], rows),
        data: models.map((model) => ({ ...model })),
      }
    }),
}
