import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTestClock } from '#test/setup/clock.ts'
import { type MailServer, startMailServer } from '#test/setup/mail-server.ts'
import { countProofs } from './count-proofs.ts'
import { institutionProofs } from './institution-proofs.ts'
import type { LimitProof } from './limit-proof.ts'
import { type OracleWorld, startOracleWorld } from './oracle-world.ts'
import { readLimits } from './read-limits.ts'
import { timeProofs } from './time-proofs.ts'

const proofs: Readonly<Record<string, LimitProof>> = { ...countProofs, ...timeProofs, ...institutionProofs }
const limits = readLimits()
const clock = createTestClock('2030-01-07T12:00:15Z')
let world: OracleWorld
let mailServer: MailServer

beforeAll(async () => {
  // An empty setting is an unset one, so that the defaults are tested.
  const defaults = { WEIR_LIMITS_INFERENCE_LOW: '', WEIR_LIMITS_INFERENCE_FUNDED: '' }
  // Without a mail server, a request for a code would be refused.
  mailServer = await startMailServer()
  const mail = { WEIR_MAIL_URL: mailServer.url, WEIR_MAIL_FROM: 'Weir <weir@example.com>' }
  world = await startOracleWorld({ ...defaults, ...mail, WEIR_EDGE_PROXIES: '127.0.0.1' }, clock)
})
afterAll(async () => {
  await world.close()
  await mailServer.close()
})
afterEach(() => {
  world.recover()
  clock.forward(60_000)
})

describe('a limit', () => {
  it('is proven for every number of the contract, and for no other', () => {
    expect(new Set(limits.map(({ limit }) => limit))).toEqual(new Set(Object.keys(proofs)))
  })

  it.each(limits.map(({ cited, limit, value }) => [cited, limit, value] as const))(
    '%s is the number of %s: %i',
    async (_cited, limit, value) => {
      await proofs[limit]?.({ world, clock }, value)
    },
  )
})
