import { keyAccountOf } from '#domain/access/key-account.ts'
import { hash } from 'node:crypto'
import type { Principal } from '#domain/access/principal.ts'
import { systemActor } from '#domain/audit/audit-entry.ts'
import type { RuledRun } from '#domain/runs/run-rules.ts'
import type { RunStop, RunTerms } from '#domain/runs/run.ts'
import { runStopped } from '#errors/run-refusals.ts'
import type { JsonObject } from '#lib/json.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { RunCounter, RunCounts } from '#ports/run-counts.ts'
import type { RunReference } from '#ports/runs.ts'
import type { Arrival } from '../types.ts'

/** Counts a request of a run with rules. A broken rule stops its run and rejects the request. */
export type JudgeRunRules = (request: { run: RunTerms; arrival: Arrival; principal: Principal }) => Promise<void>

export interface RunRuleDeps {
  readonly counts: RunCounts
  readonly stop: (which: RunReference, stop: RunStop, author: ChangeAuthor) => Promise<unknown>
}

export function createJudgeRunRules({ counts, stop }: RunRuleDeps): JudgeRunRules {
  return async ({ run, arrival, principal }) => {
    const { receivedAtMs: nowMs, body, replyHeaders } = arrival
    for (const rules of run.rules) {
      const checks = checksOf(rules, { body, nowMs })
      const counted = await counts.count(
        rules.runId,
        checks.map(({ counter }) => counter),
        nowMs,
      )
      const broken = checks.find(({ max }, index) => (counted[index] ?? 0) > max)
      if (broken === undefined) continue
      const { externalId } = rules
      const which = { account: keyAccountOf(principal), keyId: null, externalId }
      const author = { actor: systemActor, requestId: replyHeaders['x-request-id'] ?? null, nowMs }
      await stop(which, { reason: broken.reason }, author)
      throw runStopped(externalId, broken.reason)
    }
  }
}

interface Check {
  readonly counter: RunCounter
  readonly max: number
  readonly reason: string
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

function checksOf(
  { runId, callsPerMinute, repeats }: RuledRun,
  { body, nowMs }: { body: JsonObject; nowMs: number },
): Check[] {
  const checks: Check[] = []
  if (callsPerMinute !== null) {
    const counter = { name: `minute:${Math.floor(nowMs / minuteMs)}`, keptMs: 2 * minuteMs }
    const reason = `The run made more than ${callsPerMinute} requests in a minute.`
    checks.push({ counter, max: callsPerMinute, reason })
  }
  if (repeats !== null) {
    const counter = { name: `prompt:${promptHash(runId, body)}`, keptMs: hourMs }
    checks.push({ counter, max: repeats, reason: `The run sent the same prompt more than ${repeats} times.` })
  }
  return checks
}

/** The fields that hold a prompt, in any dialect. */
const promptFields = ['system', 'instructions', 'messages', 'input', 'prompt'] as const

/** No content is kept: the hash includes the run's id, so equal prompts of two runs have different hashes. */
function promptHash(runId: string, body: JsonObject): string {
  const prompt = promptFields.map((field) => body[field] ?? null)
  return hash('sha256', runId + JSON.stringify(prompt))
}
