import { zeroUsd } from '#domain/money/nano-usd.ts'
import type { Log } from '#lib/log.ts'
import { logFault } from '#lib/log-fault.ts'
import { uuidTimeMs } from '#lib/uuid.ts'
import type { Answers } from '#ports/answers.ts'
import type { Outcome, Ticket } from '../types.ts'
import { AnswerLog } from './answer-log.ts'
import { createAnswerLeases } from '../answer-leases.ts'
import { type ClaimStage, createClaim } from './claim.ts'
import { createProgressReader } from './progress-reader.ts'
import { Recording } from './recording.ts'

export interface ReplayPorts {
  readonly answers: Answers
  readonly metrics: { readonly retries: { inc(labels: { outcome: string }): void } }
  readonly log: Pick<Log, 'error' | 'warn' | 'info'>
  readonly nowMs: () => number
  readonly wait: (ms: number) => Promise<void>
}

export interface ReplaySettings {
  readonly retryLeaseMs: number
  readonly answerBytesMax: number
}

interface ComposedReplay {
  readonly claim: ClaimStage
  close(): void
}

// Clients that join on another gateway see the answer at most this much later.
const delayMs = 250

/** Claims idempotency keys, records the answers of their requests, and replays them. */
export function composeReplay(
  { answers, metrics, log, nowMs, wait }: ReplayPorts,
  { retryLeaseMs, answerBytesMax }: ReplaySettings,
  settle: (ticket: Ticket, outcome: Outcome) => Promise<unknown>,
): ComposedReplay {
  const fault = logFault(log, 'answers could not be stored for retries', { level: 'warn', overAfterMs: 60_000 })
  const onError = fault.failed
  const leases = createAnswerLeases(answers, { everyMs: retryLeaseMs / 4, onError })
  const claim = createClaim({
    answers,
    wait,
    find: createProgressReader(answers, nowMs),
    count: (outcome) => metrics.retries.inc({ outcome }),
    record: (arrival, answer) => {
      leases.keep(answer.id)
      const recording = new Recording({
        client: arrival.connection,
        log: new AnswerLog({ answers, answer, bytesMax: answerBytesMax, delayMs, onError }),
        nowMs,
        forget: () => answers.forget(answer.id).catch(onError),
        onEnd: () => leases.release(answer.id),
      })
      return { ...arrival, connection: recording, recording }
    },
    refund: async ({ arrival, principal, plan, replyHeaders }, id) => {
      const dead = { ...arrival, generationId: id, receivedAtMs: uuidTimeMs(id), trace: null }
      await settle({ ...unheld, arrival: dead, principal, plan, replyHeaders, attempts: [], skipped: [] }, died)
    },
  })
  return { claim, close: leases.stop }
}

const unheld = {
  windows: [],
  payable: zeroUsd,
  heldAmount: zeroUsd,
  heldTokens: 0,
  firstTokenAtMs: null,
  settlement: null,
} as const

const died: Outcome = {
  kind: 'refunded',
  reason: 'gateway_fault',
  candidate: null,
  status: null,
  answer: null,
  cancelled: false,
  error: null,
}
