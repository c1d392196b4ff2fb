import { listPastPrices } from '#control/catalogue/sold-prices.ts'
import { approveChanges, readProposal, rejectChanges } from '#control/catalogue/sync/approve-changes.ts'
import { proposeChanges } from '#control/catalogue/sync/propose-changes.ts'
import { isChargeable } from '#domain/catalogue/can-charge.ts'
import { disputedHost, disputedPricesOf } from '#domain/catalogue/disputed-price.ts'
import { findModel } from '#domain/catalogue/find-model.ts'
import type { QuotedPrice } from '#domain/money/quote-prices.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { CatalogueProposal } from '#ports/catalogue-proposals.ts'
import { createAuditArchive } from '#store/postgres/audit/audit-log.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { createCatalogueProposals } from '#store/postgres/catalogue/proposals-store.ts'
import { commandAuthor } from '../command-line/command-author.ts'
import { type Command, type CommandInput, type CommandOutput, UsageError } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { applyOptions, readApplication } from '../command-line/apply-options.ts'
import { priceAuthors } from '../command-line/price-authors.ts'
import { type Session, withSession } from '../command-line/session.ts'
import { shownPrices } from '../command-line/shown-prices.ts'
import { shownProposal } from '../command-line/shown-proposal.ts'

const dayMs = 86_400_000

export const catalogueCommands: readonly Command[] = [
  {
    words: 'catalogue prices',
    summary: 'Show the prices of every provider of a model, in all units, with tiers and variants.',
    positionals: ['model'],
    run: (input) =>
      withSession(async ({ pool }) => {
        const name = input.argument(0)
        const model = findModel(await createCatalogueStore(pool).load(), name)
        if (model === undefined) throw new GatewayError('modelNotFound', { message: `Model ${name} not found.` })
        const prices = shownPrices(model)
        const rows = prices.map(({ host, unit, usd, when }) => [host, unit, usd, when])
        const lines = formatTable(['PROVIDER', 'UNIT', 'USD PER', 'CONDITIONS'], rows)
        const isPriced = isChargeable(model)
        if (!isPriced) lines.push('No provider has a price in a unit this model is billed in: calls are rejected.')
        return { lines, data: { model: model.id, priced: isPriced, prices: prices.map((price) => ({ ...price })) } }
      }),
  },
  {
    words: 'catalogue disputes',
    summary: 'List prices on which sources disagree. No provider sells at them until a catalogue file states a price.',
    run: () =>
      withSession(async ({ pool }) => {
        const { models } = await createCatalogueStore(pool).load()
        const disputes = [...models.values()].flatMap(({ id, details }) =>
          disputedPricesOf(details).flatMap((disputed) =>
            disputed.quotes.map(({ source, units }) => {
              return { model: id, provider: disputedHost(disputed), source, pricing: { ...units } }
            }),
          ),
        )
        const rows = disputes.map(({ model, provider, source, pricing }) => {
          return [model, provider, source, ...(['prompt', 'completion'] as const).map((unit) => pricing[unit] ?? '')]
        })
        return { lines: formatTable(['MODEL', 'PROVIDER', 'SOURCE', 'PROMPT', 'COMPLETION'], rows), data: disputes }
      }),
  },
  {
    words: 'catalogue history',
    summary: 'Show the price history of a model for every provider, newest first, and who changed each price.',
    positionals: ['model'],
    run: (input) =>
      withSession(async ({ pool }) => {
        const model = input.argument(0)
        const versions = await listPastPrices(createCatalogueStore(pool), model)
        if (versions.length === 0) throw new GatewayError('notFound', { message: `${model} has never had a price.` })
        const authors = await priceAuthors(createAuditArchive(pool), Math.min(...versions.map(({ fromMs }) => fromMs)))
        const prices = versions.map(({ provider, variant, fromMs, prices: quoted }) => ({
          host: variant === '' ? provider : `${provider}/${variant}`,
          since: new Date(fromMs).toISOString(),
          by: authors.get(Math.floor(fromMs)) ?? null,
          price: quoted.map(quotedWords).join(', ') || 'withdrawn',
        }))
        const rows = prices.map(({ host, since, by, price }) => [host, since, by ?? 'unknown', price])
        return { lines: formatTable(['PROVIDER', 'SINCE', 'BY', 'PRICES (USD)'], rows), data: { model, prices } }
      }),
  },
  {
    words: 'catalogue deprecations',
    summary: 'List models with an announced retirement date, soonest first.',
    options: {
      days: { type: 'string', value: '<number>', description: 'How many days ahead to look. Default 365.' },
    },
    async run(input) {
      const days = input.text('days') ?? '365'
      if (!/^\d{1,5}$/.test(days)) throw new UsageError('--days must be an integer.')
      return withSession(async ({ pool }) => {
        const nowMs = Date.now()
        const { models } = await createCatalogueStore(pool).load()
        const retiring = [...models.values()]
          .flatMap(({ id, retiresAtMs }) => (retiresAtMs === null ? [] : [{ id, retiresAtMs }]))
          .filter(({ retiresAtMs }) => retiresAtMs > nowMs && retiresAtMs <= nowMs + Number(days) * dayMs)
          .toSorted((left, right) => left.retiresAtMs - right.retiresAtMs)
          .map(({ id, retiresAtMs }) => ({
            model: id,
            on: new Date(retiresAtMs).toISOString().slice(0, 10),
            days: Math.ceil((retiresAtMs - nowMs) / dayMs),
          }))
        const rows = retiring.map(({ model, on, days: left }) => [model, on, String(left)])
        return { lines: formatTable(['MODEL', 'RETIRES ON', 'IN DAYS'], rows), data: retiring }
      })
    },
  },
  {
    words: 'catalogue sync',
    summary: 'Compare the catalogue with public sources and save the changes for approval. Does not apply them.',
    options: {
      from: {
        type: 'string',
        multiple: true,
        value: '<models.dev|litellm|openrouter|file|url>',
        description: 'A source. Values on which several sources disagree are shown but not changed.',
      },
      apply: { type: 'boolean', description: 'Apply the changes immediately.' },
      ...applyOptions,
    },
    async run(input) {
      const from = input.list('from')
      if (from.length === 0) throw new UsageError('Specify a source with --from.')
      return withSession(async (session) => {
        const proposal = await propose(session, from)
        const proposals = createCatalogueProposals(session.pool)
        if (proposal.changes.length === 0) return shownProposal(proposal, ['The catalogue is up to date.'])
        await proposals.put(proposal)
        if (input.flag('apply')) return approve(session, proposal, input)
        return shownProposal(proposal, [`Nothing has changed yet. Apply with: weir catalogue approve ${proposal.id}`])
      })
    },
  },
  {
    words: 'catalogue pending',
    summary: 'Show catalogue changes pending approval.',
    run: () =>
      withSession(async ({ pool }) => {
        const proposal = await createCatalogueProposals(pool).find()
        if (proposal === null) return { lines: ['none'], data: null }
        return shownProposal(proposal, [`Apply with: weir catalogue approve ${proposal.id}`])
      }),
  },
  {
    words: 'catalogue approve',
    summary:
      'Apply the pending catalogue changes. Changes that look like source errors need --confirm or --skip-doubtful.',
    positionals: ['id'],
    options: applyOptions,
    run: (input) =>
      withSession(async (session) => {
        const proposal = await readProposal(createCatalogueProposals(session.pool), input.argument(0))
        return approve(session, proposal, input)
      }),
  },
  {
    words: 'catalogue reject',
    summary: 'Discard the pending catalogue changes.',
    positionals: ['id'],
    run: (input) =>
      withSession(async ({ pool }) => {
        const id = input.argument(0)
        await rejectChanges(createCatalogueProposals(pool), id, commandAuthor(Date.now()))
        return { lines: [`rejected ${id}`], data: { id } }
      }),
  },
]

/** For example `prompt 1.75 per million` or `per_request 0.01`. */
function quotedWords({ unit, usd, isPerMillion, when }: QuotedPrice): string {
  return `${unit} ${usd}${isPerMillion ? ' per million' : ''}${when === '' ? '' : ` (${when})`}`
}

async function propose({ config, pool }: Session, sources: readonly string[]): Promise<CatalogueProposal> {
  // Imported here because no other catalogue command reads a source.
  const { wireCatalogueSources } = await import('../wiring/catalogue-sources.ts')
  const { wireOutbound } = await import('../wiring/outbound.ts')
  const { realOutside } = await import('../wiring/outside.ts')
  const { workerOutbound } = await import('#config/outbound-limits.ts')
  const { resolve } = wireOutbound({ config, outside: realOutside, limits: workerOutbound(config) })
  const { close, ...wired } = wireCatalogueSources({ config, resolve })
  try {
    return await proposeChanges({ ...wired, catalogue: createCatalogueStore(pool), nowMs: Date.now }, sources)
  } finally {
    await close()
  }
}

async function approve({ pool }: Session, proposal: CatalogueProposal, input: CommandInput): Promise<CommandOutput> {
  const deps = { catalogue: createCatalogueStore(pool), proposals: createCatalogueProposals(pool) }
  const approval = { id: proposal.id, ...readApplication(input) }
  const report = await approveChanges(deps, approval, commandAuthor(Date.now()))
  const lines = Object.entries(report).map(([name, count]) => `${name}: ${count}`)
  return { lines, data: { id: proposal.id, ...report } }
}
