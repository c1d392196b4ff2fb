import type { Config } from '#config/config-schema.ts'
import { missingAccount } from '#control/operators/change-provider-account.ts'
import { formatUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { malformed } from '#errors/malformed.ts'
import type { Capability } from '#jobs/provider-check/capabilities.ts'
import { chooseProbes, type ChosenProbe } from '#jobs/provider-check/choose-probes.ts'
import { mostOf } from '#jobs/provider-check/most-of.ts'
import { type Accepted, type ProbeVerdict, runProbe } from '#jobs/provider-check/run-probe.ts'
import { showRequest } from '#jobs/provider-check/show-request.ts'
import type { JsonObject } from '#lib/json.ts'
import { keepsPrompts } from '#providers/registry.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { loadRouting } from '#store/postgres/operators/routes.sql.ts'
import type { CommandOutput } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import type { Session } from '../command-line/session.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import { withProbes } from '../with-probes.ts'

export interface ProviderCheck {
  readonly name: string
  readonly model: string | null
  /** Empty means all but the expensive ones. */
  readonly capabilities: readonly Capability[]
  readonly isLive: boolean
  /** Prints a line for the operator before the requests. */
  readonly tell: (text: string) => void
}

/** Sends the smallest request of each kind to a provider account, or shows what would be sent. */
export async function checkProvider(session: Session, check: ProviderCheck): Promise<CommandOutput> {
  const chosen = await choose(session, check)
  return check.isLive ? checkLive(chosen, session.config, check.tell) : showRequests(chosen)
}

async function choose({ pool, config, operators }: Session, check: ProviderCheck): Promise<ChosenProbe[]> {
  const { name, model, capabilities } = check
  const listed = (await operators.listAccounts()).find((account) => account.name === name)
  if (listed === undefined) throw missingAccount(name)
  if (!listed.enabled) throw malformed(`${name} is disabled. Enable it first.`)
  const table = await loadRouting(pool, { sealingKey: sealingKeyOf(config), vendorKeepsPrompts: keepsPrompts })
  const account = table.accounts.find(({ id }) => id === listed.id)
  if (account === undefined) throw missingAccount(name)
  const { models } = await createCatalogueStore(pool).load()
  const chosen = chooseProbes(models.values(), table, { account, model, capabilities })
  if (chosen.length === 0) {
    throw malformed(`The catalogue and routes have nothing to call at ${name}.`)
  }
  return chosen
}

function showRequests(chosen: readonly ChosenProbe[]): CommandOutput {
  const shown = chosen.map((probe) => ({ ...namesOf(probe), request: showRequest(probe) }))
  const lines = shown.flatMap(({ capability, model, request }) => [`# ${capability}: ${model}`, request, ''])
  return { lines: [...lines, '# Nothing was sent. Use --live to send these requests.'], data: shown }
}

async function checkLive(
  chosen: readonly ChosenProbe[],
  config: Config,
  tell: ProviderCheck['tell'],
): Promise<CommandOutput> {
  tell(mostLine(chosen))
  return withProbes(config, async (deps) => {
    const results: Result[] = []
    // One after another, because a new account may allow only one concurrent request.
    for (const probe of chosen) results.push({ probe, verdict: await runProbe(probe, deps) })
    return report(results)
  })
}

/** The maximum cost of the requests, which a gateway would hold for them. */
function mostLine(chosen: readonly ChosenProbe[]): string {
  const most = chosen.map((probe) => ({ capability: probe.capability, amount: mostOf(probe) }))
  const total = nanoUsd(most.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n))
  const unpriced = most.filter(({ amount }) => amount === null).map(({ capability }) => capability)
  const words = unpriced.length === 0 ? '' : `, not counting ${unpriced.join(', ')} (no price)`
  return `These calls cost at most ${formatUsd(total)} USD by the catalogue's prices${words}.`
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
      ...formatTable(['CAPABILITY', 'MODEL', 'VERDICT', 'USD', 'REPORTED', 'DIFFERENCE', 'MESSAGE'], rows),
      '',
      `total ${total} USD at catalogue prices`,
      ...(overrides.length === 0 ? [] : ['', 'To stop sending the rejected fields:', ...new Set(overrides)]),
      ...refused.flatMap(({ probe }) => ['', `# ${probe.capability}, as sent:`, showRequest(probe)]),
    ],
    data: { total, results: results.map(resultJson) },
    ...(refused.length === 0 ? {} : { exitCode: 1 }),
  }
}

function costOf(verdict: ProbeVerdict): bigint {
  return verdict.kind === 'accepted' ? (verdict.cost ?? 0n) : 0n
}

function cellsOf(verdict: ProbeVerdict): string[] {
  if (verdict.kind === 'failed') return ['failed', '', '', '', verdict.words]
  if (verdict.kind === 'refused') return [`rejected (${verdict.status})`, '', '', '', verdict.words]
  const { cost, stated, note } = verdict
  const amounts = [cost === null ? 'unknown' : formatUsd(cost), stated === null ? '' : formatUsd(stated)]
  return ['accepted', ...amounts, differenceOf(verdict) ?? '', note]
}

/**
 * The stated cost minus the charge, exact and signed. A positive value means that the provider charges more than a
 * client would pay.
 */
function differenceOf({ cost, stated }: Accepted): string | null {
  if (cost === null || stated === null) return null
  const difference = stated - cost
  if (difference === 0n) return '0'
  return difference > 0n ? `+${formatUsd(nanoUsd(difference))}` : `-${formatUsd(nanoUsd(-difference))}`
}

function resultJson({ probe, verdict }: Result): JsonObject {
  const names = namesOf(probe)
  if (verdict.kind !== 'accepted') return { ...names, ...verdict }
  const { kind, cost, stated, note } = verdict
  return {
    ...names,
    kind,
    cost: cost === null ? null : formatUsd(cost),
    stated: stated === null ? null : formatUsd(stated),
    difference: differenceOf(verdict),
    ...(note === '' ? {} : { note }),
  }
}

function namesOf({ capability, candidate }: ChosenProbe): { capability: Capability; model: string } {
  return { capability, model: candidate.upstreamModel }
}
