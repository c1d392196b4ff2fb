import { vi } from 'vitest'
import { atOnce } from '#test/attack/setup/at-once.ts'
import type { Heard } from '#test/matrix/clients/client.ts'
import type { Known } from './judge-record.ts'
import { type Observed, observeCall } from './observe-call.ts'
import type { RecordWorld } from './record-world.ts'
import { bodyOf, type TextCase } from './text-cases.ts'
import { only } from './text-plays.ts'

/** A call that was made: what client and upstream know of it, and whose account has it alone. */
export interface Walked {
  readonly label: string
  readonly outcome: string
  readonly endpoint: string
  readonly key: string
  readonly keyId: string
  readonly known: Known
  /** The body, where it is a document. */
  readonly answer: Readonly<Record<string, unknown>>
  /** The client understood the answer as the upstream meant it; null where there was none to understand. */
  readonly understood: boolean | null
}

/** Makes every call, many at once, each with an account of its own. */
export async function walkText(world: RecordWorld, cases: readonly TextCase[]): Promise<Walked[]> {
  const walked: Walked[] = []
  await atOnce(cases.entries(), 16, async ([index, each]) => {
    walked.push(await walkOne(world, each, `<${index}>`))
  })
  return walked
}

async function walkOne(world: RecordWorld, each: TextCase, mark: string): Promise<Walked> {
  const { dialect, model, host, played, before, ownKey, leaveAfter } = each
  const account = ownKey === undefined ? await world.createCaller() : await addOwnKey(world, ownKey)
  if (host !== null && played !== null) world.play(host, mark, played.scenario)
  if (before !== undefined) world.play('failing', mark, before.scenario)
  const app = `app ${mark}`
  const call = { path: dialect.path, body: bodyOf(each, mark), app, leaveAfter }
  const observed = await observeCall(world.as(account.key), call)
  const { generationId } = observed
  const isKept = async (): Promise<void> => {
    const { status, text } = await world.as(account.key).get(`/v1/generation?id=${generationId}`)
    if (status !== 200) throw new Error(`${each.label} is not kept: ${text}`)
  }
  // Whoever has read the end of an answer finds it kept; the end of one that was left comes a moment later.
  await (leaveAfter === undefined ? isKept() : vi.waitFor(isKept, { timeout: 60_000 }))
  const heard = leaveAfter === undefined ? dialect.hear(observed) : null
  const seen = host === null ? undefined : world.seenBy(host, mark)
  return {
    label: each.label,
    outcome: each.outcome,
    endpoint: dialect.dialect,
    key: account.key,
    keyId: account.keyId,
    known: {
      model,
      provider: each.provider,
      app,
      told: toldTo(heard),
      priced,
      observed,
      upstream: {
        ...(played?.words ?? nothingSaid),
        receivedAtMs: seen?.receivedAtMs ?? observed.endedAtMs,
        // A test model waits for 20 ms, of which one is sure to be on any clock.
        waitedUntilMs: seen?.waitedUntilMs ?? (host === null && played !== null ? [observed.startedAtMs + 1] : []),
      },
    },
    answer: observed.isStream ? {} : JSON.parse(observed.text),
    understood: understoodBy(each, heard, observed),
  }
}

const nothingSaid = only(0)

// 70 × 2 + 30 × 0.5 + 40 × 10 dollars per million; each cached token saves one and a half.
const priced = { costUsd: 0.000555, savedUsd: 0.000045 }

function toldTo(heard: Heard | null): Known['told'] {
  if (heard?.usage === null || heard?.usage === undefined) return null
  const { input, cached, output, reasoning, cost } = heard.usage
  // A message always has counts, but no cost where nothing was counted.
  if (Number.isNaN(cost)) return null
  return { tokens: { prompt: input, cached, completion: output, reasoning }, costUsd: cost }
}

function understoodBy({ dialect, played }: TextCase, heard: Heard | null, { status }: Observed): boolean | null {
  const finish = played?.words.finish ?? null
  if (heard === null) return null
  if (finish === null) return heard.error !== null
  if (finish !== 'stop' && finish !== 'length' && finish !== 'tool_calls') throw new Error(`unknown: ${finish}`)
  return status === 200 && heard.error === null && heard.finish === dialect.finishWord({ finish })
}

/** A key of an organization that has a key of its own at an upstream. */
async function addOwnKey(world: RecordWorld, protocol: 'openai' | 'anthropic') {
  const { id } = await world.createOrganization()
  const { memberId } = await world.addMember(id, { role: 'org_admin' })
  const manager = await world.addOrganizationKey(id, { memberId, terms: { type: 'management' } })
  const reply = await world.as(manager.key).post('/v1/management/byok-keys', {
    name: 'Ours',
    baseUrl: world.ownUrl,
    apiKey: 'sk-own-0123456789wxyz',
    protocol,
    fallbackMode: 'strict',
    modelMappings: [{ model: `acme/${protocol}`, upstreamModel: 'ours' }],
  })
  if (reply.status !== 201) throw new Error(`no own key: ${reply.text}`)
  return world.addOrganizationKey(id)
}
