import { addRoute, removeRoute } from '#control/operators/routes.ts'
import { commandAuthor } from '../command-line/command-author.ts'
import { type Command, UsageError } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { withSession } from '../command-line/session.ts'

export const routeCommands: readonly Command[] = [
  {
    words: 'route add',
    summary: 'Route the models of a pattern (a model id, author/* or *) to a provider account.',
    positionals: ['pattern', 'account'],
    options: {
      'upstream-model': {
        type: 'string',
        value: '<name>',
        description: 'Upstream model name, if different from the catalogue.',
      },
      priority: { type: 'string', value: '<number>', description: 'Lower is tried first. Default 0.' },
    },
    async run(input) {
      const priorityText = input.text('priority') ?? '0'
      if (!/^-?\d{1,9}$/.test(priorityText)) throw new UsageError('The priority must be an integer.')
      const route = {
        pattern: input.argument(0),
        accountName: input.argument(1),
        upstreamModel: input.text('upstream-model') ?? null,
        priority: Number(priorityText),
      }
      return withSession(async ({ operators }) => {
        await addRoute(operators, route, commandAuthor(Date.now()))
        return { lines: [`${route.pattern} now routes to ${route.accountName}`], data: { ...route } }
      })
    },
  },
  {
    words: 'route list',
    summary: 'List routes in the order they are tried.',
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
  },
  {
    words: 'route remove',
    summary: 'Remove a route.',
    positionals: ['pattern', 'account'],
    run: (input) =>
      withSession(async ({ operators }) => {
        const route = { pattern: input.argument(0), accountName: input.argument(1) }
        await removeRoute(operators, route, commandAuthor(Date.now()))
        return { lines: [`${route.pattern} no longer routes to ${route.accountName}`], data: route }
      }),
  },
]
