import type { Config } from '#config/config-schema.ts'
import { changeProviderAccount, missingAccount } from '#control/operators/change-provider-account.ts'
import { overrideModel } from '#control/operators/edit-overrides.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { renderOverrides } from '#control/operators/render-overrides.ts'
import { formatUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import {
  type ModelOverrides,
  outputCapFields,
  samplingForms,
  thinkingForms,
  thoughtHistories,
} from '#domain/routing/trait-overrides.ts'
import { malformed } from '#errors/malformed.ts'
import { chooseProbes, type ChosenProbe } from '#jobs/provider-check/choose-probes.ts'
import { capabilities, type Capability } from '#jobs/provider-check/probes.ts'
import { type ProbeVerdict, runProbe } from '#jobs/provider-check/run-probe.ts'
import { showRequest } from '#jobs/provider-check/show-request.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import type { ProviderAccountListing } from '#ports/operators.ts'
import { keepsPrompts } from '#providers/registry.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { loadRouting } from '#store/postgres/operators/routes.sql.ts'
import {
  type Command,
  type CommandInput,
  type CommandOption,
  type CommandOutput,
  UsageError,
} from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { type Session, withSession } from '../command-line/session.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import { vendorTerms } from '../vendor-terms.ts'
import { withProbes } from '../with-probes.ts'

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
      return withSession(async (session) => {
        const chosen = await choose(session, input, wanted)
        return input.flag('live') ? checkLive(chosen, session.config) : showRequests(chosen)
      })
    },
  },
]

/** What is overridden for an account, in lines. */
export function overrideLines({ name, overrides }: ProviderAccountListing): string[] {
  if (overrides.length === 0) return [`${name} is sent what the tables of this version say`]
  const rows = overrides.flatMap((row) => traitRows(row))
  return formatTable(['MODEL', 'TRAIT', 'OVERRIDDEN'], rows)
}

function traitRows({ model = 'every model', ...traits }: ModelOverrides): string[][] {
  const [rendered = {}] = renderOverrides([traits])
  return Object.entries(rendered).map(([trait, value]) => [model, trait, shown(value)])
}

function shown(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return value.join(', ')
  if (!isJsonObject(value)) return String(value)
  return Object.entries(value)
    .map(([field, place]) => (field === place ? field : `${field} at ${String(place)}`))
    .join(', ')
}

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

async function choose(session: Session, input: CommandInput, wanted: readonly Capability[]): Promise<ChosenProbe[]> {
  const { pool, config, operators } = session
  const name = input.argument(0)
  const listed = (await operators.listAccounts()).find((account) => account.name === name)
  if (listed === undefined) throw missingAccount(name)
  if (!listed.enabled) throw malformed(`${name} is disabled. Enable it to check it.`)
  const table = await loadRouting(pool, { sealingKey: sealingKeyOf(config), vendorKeepsPrompts: keepsPrompts })
  const account = table.accounts.find(({ id }) => id === listed.id)
  if (account === undefined) throw missingAccount(name)
  const { models } = await createCatalogueStore(pool).load()
  const wish = { account, model: input.text('model') ?? null, capabilities: wanted }
  const chosen = chooseProbes(models.values(), table, wish)
  if (chosen.length === 0) {
    throw malformed(`The catalogue and the routes offer nothing of ${name} that could be asked for.`)
  }
  return chosen
}

function showRequests(chosen: readonly ChosenProbe[]): CommandOutput {
  const shown = chosen.map((probe) => ({ ...namesOf(probe), request: showRequest(probe) }))
  const lines = shown.flatMap(({ capability, model, request }) => [`# ${capability}: ${model}`, request, ''])
  return { lines: [...lines, '# Nothing was sent. --live makes these calls.'], data: shown }
}

async function checkLive(chosen: readonly ChosenProbe[], config: Config): Promise<CommandOutput> {
  return withProbes(config, async (deps) => {
    const results: Result[] = []
    // One after the other: a new account may have a limit of one call at once.
    for (const probe of chosen) results.push({ probe, verdict: await runProbe(probe, deps) })
    return report(results)
  })
}

interface Result {
  readonly probe: ChosenProbe
  readonly verdict: ProbeVerdict
}

function report(results: readonly Result[]): CommandOutput {
  const rows = results.map(({ probe, verdict }) => {
    const { capability, model } = namesOf(probe)
    return [capability, model, ...cellsOf(verdict)]
  })
  const refused = results.filter(({ verdict }) => verdict.kind !== 'accepted')
  const overrides = results.flatMap(({ verdict }) =>
    verdict.kind === 'refused' && verdict.override !== null ? [verdict.override] : [],
  )
  const total = formatUsd(nanoUsd(results.reduce((sum, { verdict }) => sum + costOf(verdict), 0n)))
  return {
    lines: [
      ...formatTable(['CAPABILITY', 'MODEL', 'VERDICT', 'USD', 'STATED', 'WORDS'], rows),
      '',
      `in all ${total} USD by the catalogue's prices`,
      ...(overrides.length === 0 ? [] : ['', 'To stop sending what was refused:', ...new Set(overrides)]),
      ...refused.flatMap(({ probe }) => ['', `# ${probe.capability}, as it was sent:`, showRequest(probe)]),
    ],
    data: { total, results: results.map(resultJson) },
    ...(refused.length === 0 ? {} : { exitCode: 1 }),
  }
}

function costOf(verdict: ProbeVerdict): bigint {
  return verdict.kind === 'accepted' ? (verdict.cost ?? 0n) : 0n
}

function cellsOf(verdict: ProbeVerdict): string[] {
  if (verdict.kind === 'failed') return ['failed', '', '', verdict.words]
  if (verdict.kind === 'refused') return [`refused (${verdict.status})`, '', '', verdict.words]
  const { cost, stated } = verdict
  return ['accepted', cost === null ? 'unknown' : formatUsd(cost), stated === null ? '' : formatUsd(stated), '']
}

function resultJson({ probe, verdict }: Result): JsonObject {
  const names = namesOf(probe)
  if (verdict.kind !== 'accepted') return { ...names, ...verdict }
  const { kind, cost, stated } = verdict
  return {
    ...names,
    kind,
    cost: cost === null ? null : formatUsd(cost),
    stated: stated === null ? null : formatUsd(stated),
  }
}

function namesOf({ capability, candidate }: ChosenProbe): { capability: Capability; model: string } {
  return { capability, model: candidate.upstreamModel }
}
