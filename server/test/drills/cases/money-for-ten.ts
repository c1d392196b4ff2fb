import assert from 'node:assert/strict'
import { formatUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { gatedStream } from '../setup/gated-stream.ts'
import { holdOfOneCall } from '../setup/hold-of-one-call.ts'

const parallelCalls = 200
const affordableCalls = 10
const body = chatBody({ stream: true })

/** P1. */
export const moneyForTen: Drill = {
  name: 'money-for-ten',
  requires: '200 parallel calls over three gateways with money for ten: exactly ten are dispatched',
  async start(world) {
    await addUpstream(world)
    const gateways = await Promise.all([world.startGateway(), world.startGateway(), world.startGateway()])
    return async (random, point) => {
      const gate = `ten-${point}`
      const amount = await holdOfOneCall(world, gateways[0], body)
      const budget = nanoUsd(amount * BigInt(affordableCalls))
      // Alternates between a short wallet and a short cap of the key.
      const isCapped = point % 2 === 0
      const terms = isCapped ? { limit: budget } : {}
      const caller = await world.createClient({ usd: isCapped ? '25' : formatUsd(budget), terms })
      await world.simulator.forget()
      await world.simulator.play(gatedStream(1, gate))
      const calls = Array.from({ length: parallelCalls }, () => world.call(random.pick(gateways), caller, body))
      await world.simulator.waitForRequests(affordableCalls)
      const refused = calls.filter((call) => call.soFar.end === 'complete').length
      await Promise.all(calls.map((call) => call.waitForHead()))
      await world.simulator.release(gate)
      const seen = await Promise.all(calls.map((call) => call.ended))
      const codes = seen.map(({ status, errorCode }) => `${status} ${errorCode}`)
      const refusal = isCapped ? '402 spend_limit_exceeded' : '402 insufficient_credits'
      assert.deepEqual(tally(codes), { '200 null': affordableCalls, [refusal]: parallelCalls - affordableCalls })
      assert.equal((await world.simulator.requests()).length, affordableCalls, `dispatched; ${refused} refused early`)
    }
  },
}

function tally(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
