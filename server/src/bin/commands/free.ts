import { removeFreeModel, setFreeModel } from '#control/operators/free-models.ts'
import { createFreeModelStore } from '#store/postgres/free/free-model-store.ts'
import { commandAuthor } from '../command-line/command-author.ts'
import { type Command, type CommandInput, UsageError } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { withSession } from '../command-line/session.ts'

export const freeCommands: readonly Command[] = [
  {
    words: 'free set',
    summary: 'Make a model free within a quota, or change its quota.',
    positionals: ['model'],
    options: {
      rpm: { type: 'string', value: '<number>', description: 'Requests per minute per user. Default 10.' },
      'daily-units': {
        type: 'string',
        value: '<number>',
        description: 'Units per day per user without credit; one unit is 8,192 prompt tokens. Default 150.',
      },
      disabled: { type: 'boolean', description: 'Keep the quota but disable free calls for now.' },
    },
    async run(input) {
      const requestsPerMinute = countAt(input, 'rpm')
      const unitsPerDay = countAt(input, 'daily-units')
      const change = {
        modelId: input.argument(0),
        ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
        ...(unitsPerDay === undefined ? {} : { unitsPerDay }),
        enabled: !input.flag('disabled'),
      }
      return withSession(async ({ pool }) => {
        const model = await setFreeModel(createFreeModelStore(pool), change, commandAuthor(Date.now()))
        const quota = `${model.requestsPerMinute} requests per minute and ${model.unitsPerDay} units per day`
        const line = model.enabled
          ? `${change.modelId} is free within ${quota}`
          : `free calls to ${change.modelId} are disabled`
        return { lines: [line], data: { modelId: change.modelId, ...model } }
      })
    },
  },
  {
    words: 'free list',
    summary: 'List models with a free quota.',
    run: () =>
      withSession(async ({ pool }) => {
        const models = await createFreeModelStore(pool).list()
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
  },
  {
    words: 'free remove',
    summary: 'Remove the free quota of a model.',
    positionals: ['model'],
    run: (input) =>
      withSession(async ({ pool }) => {
        const modelId = input.argument(0)
        await removeFreeModel(createFreeModelStore(pool), modelId, commandAuthor(Date.now()))
        return { lines: [`${modelId} is no longer free`], data: { modelId } }
      }),
  },
]

function countAt(input: CommandInput, option: string): number | undefined {
  const text = input.text(option)
  if (text === undefined) return undefined
  if (!/^\d{1,10}$/.test(text)) throw new UsageError(`--${option} must be an integer.`)
  return Number(text)
}
