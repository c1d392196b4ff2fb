import { addRoute } from '#control/operators/add-route.ts'
import { operatorAuthor } from '#control/operators/operator-author.ts'
import { type Command, UsageError } from './command.ts'
import { withSession } from './session.ts'

export const routeAdd: Command = {
  words: 'route add',
  summary: 'Send the models of a pattern (a model id, author/* or *) to a provider account.',
  positionals: ['pattern', 'account'],
  options: {
    'upstream-model': {
      type: 'string',
      value: '<name>',
      description: 'What the upstream calls the model, if not as catalogued.',
    },
    priority: { type: 'string', value: '<number>', description: 'Lower is tried first. Default 0.' },
  },
  async run(input) {
    const priorityText = input.text('priority') ?? '0'
    if (!/^-?\d{1,9}$/.test(priorityText)) throw new UsageError('The priority is a whole number.')
    const route = {
      pattern: input.argument(0),
      accountName: input.argument(1),
      upstreamModel: input.text('upstream-model') ?? null,
      priority: Number(priorityText),
    }
    return withSession(async ({ operators }) => {
      await addRoute(operators, route, operatorAuthor(Date.now()))
      return { lines: [`${route.pattern} goes to ${route.accountName}`], data: { ...route } }
    })
  },
}
