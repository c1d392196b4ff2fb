import { atOnce } from '#test/attack/setup/at-once.ts'
import { rollUpUsage } from '#test/usage/roll-up-usage.ts'
import { judgeListed, judgeRecord } from './judge-record.ts'
import { judgeSums } from './judge-sums.ts'
import { type Kept, readBack } from './read-back.ts'
import { expectedOf } from './read-records.ts'
import type { RecordWorld } from './record-world.ts'
import { type RecordCase, type Walked, walkCalls } from './walk-calls.ts'

/** A request, and everything that the gateway stores about it. */
export interface Told extends Walked {
  readonly kept: Kept
}

/** Sends the requests, then reads the stored data of all of them. */
export async function gatherCalls(world: RecordWorld, cases: readonly RecordCase[]): Promise<Told[]> {
  const walked = await walkCalls(world, cases)
  await rollUpUsage(world.pool)
  const told: Told[] = []
  await atOnce(walked, 16, async (call) => {
    told.push({ ...call, kept: await readBack(world.as(call.key), call.known.observed.generationId) })
  })
  return told
}

/** The problems of these requests: in their responses or their records. */
export function recordProblems(calls: readonly Told[]): string[] {
  return calls.flatMap((call) => {
    const { made, known, kept, understood } = call
    const found = judgeRecord(expectedOf(made.request, made.outcome), known, kept.record)
    return labelled(call, [...found, ...(understood ? [] : ['the client did not understand it'])])
  })
}

/** The list of requests contains each, once and with the same data. */
export function listProblems(calls: readonly Told[]): string[] {
  return calls.flatMap((call) => {
    const { made, kept, keyId } = call
    const [listed = {}, ...others] = kept.listed
    const isOurs = listed['endpoint'] === made.endpoint && listed['api_key_id'] === keyId
    const found = [...judgeListed(kept.record, listed), ...others.map(() => 'listed twice')]
    return labelled(call, [...found, ...(isOurs ? [] : [`of another key or path: ${JSON.stringify(listed)}`])])
  })
}

/** Wallet, key and usage count each once. */
export function sumProblems(calls: readonly Told[]): string[] {
  return calls.flatMap((call) => {
    const { made, known, kept } = call
    return labelled(call, judgeSums(expectedOf(made.request, made.outcome), known, kept))
  })
}

function labelled({ made }: Told, problems: readonly string[]): string[] {
  return problems.map((problem) => `${made.label}: ${problem}`)
}
