import { atOnce } from '#test/attack/setup/at-once.ts'
import { rollUpUsage } from '#test/usage/roll-up-usage.ts'
import { judgeListed, judgeRecord } from './judge-record.ts'
import { judgeSums } from './judge-sums.ts'
import { type Kept, readBack } from './read-back.ts'
import { expectedOf } from './read-records.ts'
import type { RecordWorld } from './record-world.ts'
import { type RecordCase, type Walked, walkCalls } from './walk-calls.ts'

/** A call, and all that the gateway says of it afterwards. */
export interface Told extends Walked {
  readonly kept: Kept
}

/** Makes the calls, then asks for all of them what was kept. */
export async function gatherCalls(world: RecordWorld, cases: readonly RecordCase[]): Promise<Told[]> {
  const walked = await walkCalls(world, cases)
  await rollUpUsage(world.pool)
  const told: Told[] = []
  await atOnce(walked, 16, async (call) => {
    told.push({ ...call, kept: await readBack(world.as(call.key), call.known.observed.generationId) })
  })
  return told
}

/** What is wrong with these calls: their answers, or their records. */
export function recordProblems(calls: readonly Told[]): string[] {
  return calls.flatMap((call) => {
    const { made, known, kept, understood } = call
    const found = judgeRecord(expectedOf(made.request, made.outcome), known, kept.record)
    return labelled(call, [...found, ...(understood ? [] : ['the client did not understand it'])])
  })
}

/** The list of requests has each, alone and alike. */
export function listProblems(calls: readonly Told[]): string[] {
  return calls.flatMap((call) => {
    const { made, kept, keyId } = call
    const [listed = {}, ...others] = kept.listed
    const isOurs = listed['endpoint'] === made.endpoint && listed['api_key_id'] === keyId
    const found = [...judgeListed(kept.record, listed), ...others.map(() => 'listed twice')]
    return labelled(call, [...found, ...(isOurs ? [] : [`of another key or path: ${JSON.stringify(listed)}`])])
  })
}

/** Wallet, key and usage have each once. */
export function sumProblems(calls: readonly Told[]): string[] {
  return calls.flatMap((call) => {
    const { made, known, kept } = call
    return labelled(call, judgeSums(expectedOf(made.request, made.outcome), known, kept))
  })
}

function labelled({ made }: Told, problems: readonly string[]): string[] {
  return problems.map((problem) => `${made.label}: ${problem}`)
}
