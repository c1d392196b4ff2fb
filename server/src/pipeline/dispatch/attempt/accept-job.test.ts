import { expect, it } from 'vitest'
import type { VideoTask } from '#domain/video/video-task.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import type { VideoJob } from '#ports/videos.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Plan, Ticket } from '../../types.ts'
import { createAcceptJob } from './accept-job.ts'

const id = '01890000-0000-7000-8000-000000000001'
const receivedAtMs = 1_700_000_000_500
const [candidate] = testTicket().plan.candidates
assert(candidate !== undefined, 'the test ticket has a candidate')
const task = { kind: 'video', prompt: 'A weir' } as unknown as VideoTask
const other = { ...candidate, model: { ...candidate.model, id: 'acme/other' } }
const second = { ...candidate, account: { ...candidate.account, id: 'account-2', vendor: 'luma' } }

function ticketOf(plan: Partial<Plan>, change: Partial<Ticket> = {}): Ticket {
  const base = testTicket(plan)
  const media = { task, worst: {}, fitTo: () => ({ task }) } as unknown as NonNullable<Plan['call']['media']>
  const body = { callback_url: 'https://client.test/done' }
  return {
    ...base,
    arrival: { ...base.arrival, generationId: id, receivedAtMs, appName: 'app', ownUrl: 'https://weir.test' },
    plan: { ...base.plan, call: { ...base.plan.call, body, media, ...plan.call } },
    replyHeaders: { 'x-request-id': 'r' },
    heldAmount: nanoUsd(7n),
    ...change,
  }
}

/** Accepts an order and returns the log of steps. */
async function accept(ticket: Ticket) {
  const log: string[] = []
  const jobs: VideoJob[] = []
  const reply = await createAcceptJob({
    jobs: {
      accept: async (job) => {
        log.push('written')
        jobs.push(job)
      },
    },
    release: () => log.push('released'),
    deadlineMs: 60_000,
  })(ticket)
  const [job] = jobs
  assert(job !== undefined, 'a job was written')
  return { reply, job, log }
}

it('writes an order down, lets go of its hold, and answers 202 where it stands', async () => {
  const { reply, log } = await accept(ticketOf({}))
  expect(log).toEqual(['written', 'released'])
  assert(reply.kind === 'document', 'the answer is a document')
  expect(reply).toMatchObject({ status: 202, headers: { 'x-request-id': 'r' } })
  expect(JSON.parse(reply.body)).toEqual({
    id: 'vjob_01890000000070008000000000000001',
    status: 'pending',
    polling_url: '/v1/videos/vjob_01890000000070008000000000000001',
    generation_id: 'gen-01890000000070008000000000000001',
    model: 'acme/model',
    created_at: 1_700_000_000,
  })
})

it('writes down all that it takes to make, charge and report the video', async () => {
  const ticket = ticketOf({ candidates: [candidate, other, second] })
  const { job } = await accept(ticket)
  const { principal } = ticket
  const price = { id: 'price-1', units: { prompt: '0.000001', completion: '0.000002' }, tiers: [], rules: [] }
  const host = { upstreamModel: 'model', billing: 'charged', price, details: {} }
  expect(job).toEqual({
    id,
    walletId: principal.walletId,
    model: 'acme/model',
    task,
    candidates: [
      { accountId: 'account-1', vendor: 'openai', ...host },
      { accountId: 'account-2', vendor: 'luma', ...host },
    ],
    asker: {
      keyId: principal.keyId,
      userId: principal.userId,
      organizationId: null,
      memberId: null,
      teamId: null,
      sessionId: null,
      appName: 'app',
      routing: ticket.plan.explanation,
    },
    held: 7n,
    windows: [],
    ownUrl: 'https://weir.test',
    callbackUrl: 'https://client.test/done',
    createdAtMs: receivedAtMs,
    deadlineAtMs: receivedAtMs + 60_000,
    progress: expect.objectContaining({ state: 'accepted', status: 'pending', submits: 0, attempts: [] }),
  })
})

it('holds nothing for an order that nobody is billed for', async () => {
  expect((await accept(ticketOf({ isBilled: false }))).job.held).toBe(0n)
})

it.each([undefined, null, 7])('calls nobody back where the address is %s', async (url) => {
  const ticket = ticketOf({})
  const call = { ...ticket.plan.call, body: url === undefined ? {} : { callback_url: url } }
  expect((await accept({ ...ticket, plan: { ...ticket.plan, call } })).job.callbackUrl).toBeNull()
})

it('names the session of an institution', async () => {
  const ticket = ticketOf({})
  const institutionSession = {
    id: 'session-1',
    personId: 'person',
    spendQuota: null,
    personMonthQuota: null,
    hasCountedQuota: false,
  }
  const { job } = await accept({ ...ticket, principal: { ...ticket.principal, institutionSession } })
  expect(job.asker.sessionId).toBe('session-1')
})
