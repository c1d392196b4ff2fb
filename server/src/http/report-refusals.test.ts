import Fastify from 'fastify'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ErrorName } from '#errors/catalogue.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { createTestTimers, type TestTimers } from '#test/setup/test-timers.ts'
import { createRefusalReporter } from './report-refusals.ts'
import { traceRequests } from './trace-requests.ts'

describe('refusals that are reported', () => {
  let timers: TestTimers
  let lines: { level: 'info' | 'error'; event: object; message: string }[]
  let counted: ErrorName[]
  let refuse: (name: ErrorName, from: string, times: number) => Promise<void>

  beforeEach(() => {
    timers = createTestTimers()
    lines = []
    counted = []
    const report = createRefusalReporter({
      clientIp: ({ headers }) => String(headers['x-real-ip']),
      timers,
      count: (error) => counted.push(error),
      log: {
        info: (event, message) => lines.push({ level: 'info', event, message }),
        error: (event, message) => lines.push({ level: 'error', event, message }),
      },
    })
    refuse = async (name, from, times) => {
      const server = Fastify({ genReqId: () => 'req_1' })
      traceRequests(server, null)
      server.get('/path', (request, reply) => {
        for (let at = 0; at < times; at += 1) report(request, new GatewayError(name, { message: 'no', inside: 'why' }))
        void reply.send()
      })
      await server.inject({ url: '/path', headers: { 'x-real-ip': from } })
    }
  })

  it('are a line each, with what is known of the request', async () => {
    await refuse('unauthenticated', '192.0.2.1', 1)
    const event = { requestId: 'req_1', path: '/path', error: 'unauthenticated', inside: 'why' }
    expect(lines).toEqual([{ level: 'info', event, message: 'refused' }])
  })

  it('[B5] of one address beyond twenty in a second are one line with their number, and counted all', async () => {
    await refuse('unauthenticated', '192.0.2.1', 500)
    expect(lines).toHaveLength(20)
    await timers.pass(999)
    expect(lines).toHaveLength(20)
    await timers.pass(1)
    const last = { error: 'unauthenticated', leftOut: 480 }
    expect(lines.slice(20)).toEqual([
      { level: 'info', event: last, message: 'further errors of this kind were not logged' },
    ])
    expect(counted).toHaveLength(500)
  })

  it('[B5] are logged whole again in the next second, without a line where none was left out', async () => {
    await refuse('unauthenticated', '192.0.2.1', 20)
    await timers.pass(1_000)
    await refuse('unauthenticated', '192.0.2.1', 20)
    await timers.pass(1_000)
    expect(lines).toHaveLength(40)
  })

  it('[B5] of another address and of another kind keep their lines', async () => {
    await refuse('unauthenticated', '192.0.2.1', 100)
    await refuse('unauthenticated', '192.0.2.2', 1)
    await refuse('malformedRequest', '192.0.2.1', 1)
    expect(lines).toHaveLength(22)
  })

  it('[B5] because of too much that is sent are bounded as well, as errors', async () => {
    await refuse('overloaded', '192.0.2.1', 30)
    await timers.pass(1_000)
    expect(lines.map(({ level }) => level)).toEqual(Array(21).fill('error'))
    expect(lines.at(-1)?.event).toEqual({ error: 'overloaded', leftOut: 10 })
  })

  it('for want of a mail server are bounded as well, and no fault', async () => {
    await refuse('mailNotConfigured', '192.0.2.1', 500)
    expect(lines).toHaveLength(20)
    expect(new Set(lines.map(({ level, message }) => `${level} ${message}`))).toEqual(new Set(['info refused']))
  })

  it.each<ErrorName>(['internal', 'storeUnavailable', 'upstreamUnavailable'])(
    'that are no fault of the client are a line each: %s',
    async (name) => {
      await refuse(name, '192.0.2.1', 100)
      expect(lines).toHaveLength(100)
      expect(lines[0]).toMatchObject({ level: 'error', message: 'no' })
    },
  )
})
