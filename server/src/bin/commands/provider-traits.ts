import { changeProviderAccount } from '#control/operators/change-provider-account.ts'
import { overrideModel } from '#control/operators/edit-overrides.ts'
import { renderOverrides } from '#control/operators/render-overrides.ts'
import { outputCapFields, samplingForms, thinkingForms, thoughtHistories } from '#domain/routing/trait-overrides.ts'
import { capabilities, type Capability } from '#jobs/provider-check/capabilities.ts'
import type { JsonObject } from '#lib/json.ts'
import { commandAuthor } from '../command-line/command-author.ts'
import { type Command, type CommandInput, type CommandOption, UsageError } from '../command-line/command.ts'
import { overrideLines } from '../command-line/override-lines.ts'
import { withSession } from '../command-line/session.ts'

const choice = (words: readonly string[], description: string): CommandOption => ({
  type: 'string',
  value: '<value>',
  description: `${description} One of ${words.join(', ')}.`,
})

const list = (value: string, description: string): CommandOption => ({ type: 'string', value, description })

const traitOptions = {
  'leave-out': {
    type: 'string',
    multiple: true,
    value: '<field>',
    description: 'A provider field to omit; use dots for nested fields.',
  },
  send: {
    type: 'string',
    multiple: true,
    value: '<field[=path]>',
    description: 'A client field to send anyway, optionally at another path.',
  },
  thinking: choice(thinkingForms, 'How to request thinking.'),
  efforts: list('<efforts>', 'Accepted reasoning efforts: low,high.'),
  'output-cap': choice(outputCapFields, 'Field for the output token limit.'),
  thoughts: choice(thoughtHistories, 'How to send back earlier reasoning.'),
  sampling: choice(samplingForms, 'Which of temperature, top_p and top_k Claude accepts.'),
  'can-rest': choice(['yes', 'no'], 'Whether thinking can be disabled for Claude.'),
  'can-be-forced': choice(['yes', 'no'], 'Whether a tool call can be required of Claude.'),
  'aspect-ratios': list('<ratios>', 'Accepted aspect ratios for images and videos: 16:9,1:1.'),
  sizes: list('<sizes>', 'Accepted image and video sizes: 1280x720,720x1280.'),
  durations: list('<seconds>', 'Supported video durations in seconds: 4,8.'),
} as const satisfies Record<string, CommandOption>

export const providerTraitCommands: readonly Command[] = [
  {
    words: 'provider override',
    summary:
      'Override what a provider accepts, where the built-in traits of this version are wrong. Takes effect within a second.',
    positionals: ['name'],
    options: {
      model: {
        type: 'string',
        value: '<model>',
        description: "Provider's model name or catalogue model id, optionally ending in *. Default: all models.",
      },
      clear: { type: 'boolean', description: 'Remove earlier overrides for this model.' },
      ...traitOptions,
    },
    async run(input) {
      const [name, model, traits] = [input.argument(0), input.text('model'), readTraits(input)]
      const isCleared = input.flag('clear')
      if (!isCleared && Object.keys(traits).length === 0)
        throw new UsageError('Specify a trait to override, or --clear.')
      const { vendorTerms } = await import('../vendor-terms.ts')
      return withSession(async ({ operators }) => {
        const overridesOf = overrideModel(vendorTerms, { model, traits, isCleared })
        const account = await changeProviderAccount(
          { operators, vendors: vendorTerms },
          { name, overridesOf },
          commandAuthor(Date.now()),
        )
        return {
          lines: overrideLines(account),
          data: { name: account.name, overrides: renderOverrides(account.overrides) },
        }
      })
    },
  },
  {
    words: 'provider check',
    summary:
      'Test a provider account with the smallest request of each kind, or show what would be sent. Secrets are hidden.',
    positionals: ['name'],
    options: {
      live: { type: 'boolean', description: 'Send the requests; the provider charges for them.' },
      model: {
        type: 'string',
        value: '<model>',
        description: "A single model, by catalogue id or the provider's name. Default: the cheapest.",
      },
      capability: {
        type: 'string',
        multiple: true,
        value: '<capability>',
        description: `One of ${capabilities.join(', ')}. Default: all except video, which is expensive.`,
      },
    },
    async run(input) {
      const wanted = input.list('capability').map(readCapability)
      const { checkProvider } = await import('../standing/check-provider.ts')
      const check = {
        name: input.argument(0),
        model: input.text('model') ?? null,
        isLive: input.flag('live'),
        tell: input.tell,
      }
      return withSession((session) => checkProvider(session, { ...check, capabilities: wanted }))
    },
  },
]

function readTraits(input: CommandInput): JsonObject {
  const [leaveOut, send] = [input.list('leave-out'), input.list('send')]
  const lists = {
    efforts: readList(input, 'efforts'),
    aspectRatios: readList(input, 'aspect-ratios'),
    sizes: readList(input, 'sizes'),
    durations: readList(input, 'durations')?.map(Number),
  }
  const words = {
    thinking: input.text('thinking'),
    outputCap: input.text('output-cap'),
    thoughts: input.text('thoughts'),
    sampling: input.text('sampling'),
    canRest: readAnswer(input, 'can-rest'),
    canBeForced: readAnswer(input, 'can-be-forced'),
  }
  return {
    ...(leaveOut.length === 0 ? {} : { leaveOut }),
    ...(send.length === 0 ? {} : { send: Object.fromEntries(send.map(readPlace)) }),
    ...Object.fromEntries(Object.entries({ ...lists, ...words }).filter(([, value]) => value !== undefined)),
  }
}

function readList(input: CommandInput, option: string): string[] | undefined {
  return input.text(option)?.split(',')
}

function readPlace(text: string): [field: string, place: string] {
  const [field = '', place = field] = text.split('=')
  return [field, place]
}

function readAnswer(input: CommandInput, option: string): boolean | undefined {
  const answer = input.text(option)
  if (answer === undefined) return undefined
  if (answer !== 'yes' && answer !== 'no') throw new UsageError(`--${option} must be yes or no.`)
  return answer === 'yes'
}

function readCapability(word: string): Capability {
  const capability = capabilities.find((each) => each === word)
  if (capability === undefined) throw new UsageError(`--capability must be one of ${capabilities.join(', ')}.`)
  return capability
}
