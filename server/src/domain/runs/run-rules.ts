import { malformed } from '#errors/malformed.ts'
import type { Uuid } from '#lib/uuid.ts'

/** The rules that stop a looping run. Null means no rule. */
export interface RunRules {
  /** The maximum number of requests in one minute (UTC). */
  readonly callsPerMinute: number | null
  /** Maximum number of times that the same prompt is sent, each within an hour of the last. */
  readonly repeats: number | null
}

/** The rules of a run or of a run above it. A request counts for each of them. */
export interface RuledRun extends RunRules {
  readonly runId: Uuid
  readonly externalId: string
}

export const noRules: RunRules = { callsPerMinute: null, repeats: null }

export const ruleMax = 1_000_000

const form = /^(calls_per_minute|repeats)=([1-9]\d{0,6})$/

/** Reads `calls_per_minute=60, repeats=5`. */
export function parseRunRules(header: string): RunRules {
  const found = header.split(',').map((text) => form.exec(text.trim()) ?? [])
  const values = new Map(found.map(([, name, value]) => [name, Number(value)]))
  if (values.has(undefined) || values.size < found.length || [...values.values()].some((value) => value > ruleMax)) {
    throw malformed(
      `The X-Weir-Run-Rules header must be rules such as calls_per_minute=60, repeats=5, each once and from 1 to ${ruleMax}.`,
    )
  }
  return { callsPerMinute: values.get('calls_per_minute') ?? null, repeats: values.get('repeats') ?? null }
}

export function isSameRules(one: RunRules, other: RunRules): boolean {
  return one.callsPerMinute === other.callsPerMinute && one.repeats === other.repeats
}
