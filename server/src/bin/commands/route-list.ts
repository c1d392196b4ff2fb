import type { Command } from './command.ts'
import { formatTable } from './format-table.ts'
import { withSession } from './session.ts'

export const routeList: Command = {
  words: 'route list',
  summary: 'List routes in the order of trying.',
  run: () =>
    withSession(async ({ operators }) => {
      const routes = await operators.listRoutes()
      const rows = routes.map(({ pattern, accountName, upstreamModel, priority, accountEnabled }) => [
        pattern,
        accountEnabled ? accountName : `${accountName} (disabled)`,
        String(priority),
        upstreamModel ?? '(as catalogued)',
      ])
      const data = routes.map((route) => ({ ...route }))
      return { lines: formatTable(['PATTERN', 'ACCOUNT', 'PRIORITY', 'UPSTREAM MODEL'], rows), data }
    }),
}
