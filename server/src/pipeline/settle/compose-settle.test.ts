import { expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import type { Money, SettleEntry } from '#ports/money.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Outcome, Ticket } from '../types.ts'
import { composeSettle } from './compose-settle.ts'

const startMs = 1_800_000_000_000
const attempt = { model: 'acme/model', provider: 'openai', outcome: 'answered', status: 200, durationMs: 100 }

function ticketOf(): Ticket {
  const made = testTicket()
  const arrival = { ...made.arrival, receivedAtMs: startMs }
  return { ...made, arrival, attempts: [attempt], firstTokenAtMs: startMs + 100 }
}

function outcomeOf(ticket: Ticket): Outcome {
  const [candidate] = ticket.plan.candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  const usage = { ...noUsage, uncachedInput: 5, textOutput: 1 }
  const answer = { usage, finishReason: 'stop', nativeFinishReason: null }
  return { kind: 'answered', candidate, status: 200, answer, cancelled: false }
}

async function settled(ticket: Ticket, outcome: Outcome, isLogged = true) {
  const told: unknown[] = []
  const entries: SettleEntry[] = []
  const money: Money = {
    hold: () => Promise.reject(new Error('nothing is held')),
    extend: () => Promise.reject(new Error('nothing is extended')),
    renew: async () => {},
    settle: async (entry) => {
      entries.push(entry)
      return { cost: entry.record.cost, absorbed: zeroUsd }
    },
  }
  const count = { inc: () => {} }
  const settle = composeSettle(
    {
      money,
      measurements: { note: ({ vendor, model, latencyMs }) => told.push(`${vendor} ${model} ${latencyMs} ms`) },
      log: {
        debug: () => {},
        info: (_event, message) => told.push(message),
        warn: (_event, message) => told.push(message),
        error: (_event, message) => told.push(message),
        isLevelEnabled: (level) => level === 'info' && isLogged,
      },
      metrics: {
        generations: count,
        charged: count,
        absorbed: count,
        usageDoubted: count,
        undercharged: count,
        attempts: count,
        failovers: count,
        tokens: count,
        firstToken: { observe: () => {} },
        duration: { observe: () => {} },
      },
      nowMs: () => startMs + 300,
    },
    { noteSettled: (_ticket, _judged, { cost }) => told.push(`paid ${cost}`), release: () => told.push('released') },
  )
  return { cost: await settle(ticket, outcome), told, entries }
}

it('measures the host, then settles, then tells of what was paid before the log, and releases last', async () => {
  const ticket = ticketOf()
  const { cost, told, entries } = await settled(ticket, outcomeOf(ticket))
  expect(cost).toBe(7_000n)
  expect(entries).toMatchObject([{ record: { id: ticket.arrival.generationId, cost: 7_000n, durationMs: 300 } }])
  expect(told).toEqual(['openai acme/model 100 ms', 'paid 7000', 'generation', 'released'])
})

it('makes no event for a log that nobody reads', async () => {
  const ticket = ticketOf()
  const { told } = await settled(ticket, outcomeOf(ticket), false)
  expect(told).not.toContain('generation')
})

it('measures no host that did not answer', async () => {
  const ticket = { ...ticketOf(), attempts: [{ ...attempt, outcome: 'unreachable' }] }
  const { told } = await settled(ticket, {
    kind: 'refunded',
    reason: 'upstream_failed',
    candidate: null,
    status: null,
    answer: null,
    cancelled: false,
    error: null,
  })
  expect(told).toEqual(['paid 0', 'generation', 'released'])
})
