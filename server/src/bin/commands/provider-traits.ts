import { changeProviderAccount } from '#control/operators/change-provider-account.ts'
import { overrideModel } from '#control/operators/edit-overrides.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { renderOverrides } from '#control/operators/render-overrides.ts'
import { outputCapFields, samplingForms, thinkingForms, thoughtHistories } from '#domain/routing/trait-overrides.ts'
import { capabilities, type Capability } from '#jobs/provider-check/capabilities.ts'
import type { JsonObject } from '#lib/json.ts'
import { type Command, type CommandInput, type CommandOption, UsageError } from '../command-line/command.ts'
import { overrideLines } from '../command-line/override-lines.ts'
import { withSession } from '../command-line/session.ts'

const choice = (words: readonly string[], description: string): CommandOption => ({
  type: 'string',
  value: '<word>',
  description: `${description} One of ${words.join(', ')}.`,
})

const list = (value: string, description: string): CommandOption => ({ type: 'string', value, description })

const traitOptions = {
  'leave-out': {
    type: 'string',
    multiple: true,
    value: '<field>',
    description: "A field that is no longer sent, in the provider's words; dots lead into objects.",
  },
  send: {
    type: 'string',
    multiple: true,
    value: '<field[=place]>',
    description: 'A field of clients that is sent after all, perhaps at another place in the request.',
  },
  thinking: choice(thinkingForms, 'How thinking is asked for.'),
  efforts: list('<words>', 'The words for an effort that are taken: low,high.'),
  'output-cap': choice(outputCapFields, 'The field for the output cap.'),
  thoughts: choice(thoughtHistories, 'How earlier thoughts go back.'),
  sampling: choice(samplingForms, 'What of temperature, top_p and top_k Claude takes.'),
  'can-rest': choice(['yes', 'no'], 'Whether Claude can be told not to think.'),
  'can-be-forced': choice(['yes', 'no'], 'Whether a call can demand a tool of Claude.'),
  'aspect-ratios': list('<ratios>', 'The ratios of images and videos that are taken: 16:9,1:1.'),
  sizes: list('<sizes>', 'The sizes of images and videos that are taken: 1280x720,720x1280.'),
  durations: list('<seconds>', 'The lengths of videos that are made, in seconds: 4,8.'),
} as const satisfies Record<string, CommandOption>

export const providerTraitCommands: readonly Command[] = [
  {
    words: 'provider override',
    summary: 'Say what a provider takes, where the tables of this version are wrong. In force within a second.',
    positionals: ['name'],
    options: {
      model: {
        type: 'string',
        value: '<model>',
        description: "The provider's name of a model, or ours; a star may stand at its end. Default: every model.",
      },
      clear: { type: 'boolean', description: 'Drops what was overridden there before.' },
      ...traitOptions,
    },
    async run(input) {
      const [name, model, traits] = [input.argument(0), input.text('model'), readTraits(input)]
      const isCleared = input.flag('clear')
      if (!isCleared && Object.keys(traits).length === 0) throw new UsageError('Say what to override, or --clear.')
      const { vendorTerms } = await import('../vendor-terms.ts')
      return withSession(async ({ operators }) => {
        const overridesOf = overrideModel(vendorTerms, { model, traits, isCleared })
        const account = await changeProviderAccount(
          { operators, vendors: vendorTerms },
          { name, overridesOf },
          operatorAuthor(Date.now()),
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
    summary: 'Ask a provider account for the smallest of everything, or show what would be sent. Shows no secrets.',
    positionals: ['name'],
    options: {
      live: { type: 'boolean', description: 'Makes the calls, which the provider charges for.' },
      model: {
        type: 'string',
        value: '<model>',
        description: "One model, by our name or the provider's. Default: the cheapest.",
      },
      capability: {
        type: 'string',
        multiple: true,
        value: '<word>',
        description: `One of ${capabilities.join(', ')}. Default: all but video, which is dear.`,
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
  if (answer !== 'yes' && answer !== 'no') throw new UsageError(`--${option} is yes or no.`)
  return answer === 'yes'
}

function readCapability(word: string): Capability {
  const capability = capabilities.find((each) => each === word)
  if (capability === undefined) throw new UsageError(`--capability is one of ${capabilities.join(', ')}.`)
  return capability
}
