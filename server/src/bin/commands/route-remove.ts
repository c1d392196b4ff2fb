import { removeRoute } from '#control/operators/remove-route.ts'
import { operatorAuthor } from '#control/operators/operator-author.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const routeRemove: Command = {
  words: 'route remove',
  summary: 'Remove a route.',
  positionals: ['pattern', 'account'],
  run: (input) =>
    withSession(async ({ operators }) => {
      const route = { pattern: input.argument(0), accountName: input.argument(1) }
      await removeRoute(operators, route, operatorAuthor(Date.now()))
      return { lines: [`${route.pattern} no longer goes to ${route.accountName}`], data: route }
    }),
}
