import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import {
  type CappedGroup,
  createCappedOrganizations,
  findExceeded,
  readCappedSums,
} from '#test/money/capped-organizations.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import type { Call } from '../setup/call.ts'
import { chatBody } from '../setup/chat-body.ts'
import { gatedStream } from '../setup/gated-stream.ts'
import { holdOfOneCall } from '../setup/hold-of-one-call.ts'

const parallelCalls = 500
const body = chatBody({ stream: true })
const clockModule = fileURLToPath(new URL('../setup/slow-clock.ts', import.meta.url))
const minuteMs = 60_000

/** P1 and P2, for every scope of an organization at once. */
export const cappedOrganizations: Drill = {
  name: 'capped-organizations',
  requires:
    '500 parallel calls over three gateways under caps on key, member, team, organization and breakers: exactly those that fit are dispatched',
  async start(world) {
    await addUpstream(world)
    // If the run spanned two minutes, twice as many requests would be admitted, so the clocks of all gateways stay
    // within one minute.
    const env = { WEIR_TEST_CLOCK_START_MS: String(Math.floor(Date.now() / minuteMs) * minuteMs) }
    const nodeFlags = ['--import', clockModule]
    const gateways = await Promise.all([1, 2, 3].map(() => world.startGateway({ env, nodeFlags })))
    return async (random, point) => {
      const unit = await holdOfOneCall(world, gateways[0], body)
      const { groups, scopes } = await createCappedOrganizations(world, world.pool, unit)
      const gate = `caps-${point}`
      await world.simulator.forget()
      await world.simulator.play(gatedStream(1, gate))
      const calls = Array.from({ length: parallelCalls }, (_, turn) => {
        const group = pickInTurn(groups, turn)
        return { group, call: world.call(random.pick(gateways), random.pick(group.callers), body) }
      })
      const fitting = groups.reduce((sum, group) => sum + group.fitting, 0)
      await Promise.all(calls.map(({ call }) => call.waitForHead()))
      assert.deepEqual(findExceeded(scopes, await readCappedSums(world.pool, scopes)), [], 'no scope beyond its limit')
      assert.equal((await world.simulator.requests()).length, fitting, 'those that fit were dispatched')
      await world.simulator.release(gate)
      await judgeAnswers(groups, calls)
      await world.settleDown()
      const sums = await readCappedSums(world.pool, scopes)
      assert.deepEqual(
        sums.filter(({ held, spent, recorded }) => held !== 0n || spent !== recorded),
        [],
        'sums are exact',
      )
      assert.deepEqual(findExceeded(scopes, sums), [], 'no scope beyond its limit after the settles')
      // A settled request costs a fraction of its hold, so every client fits again.
      const callers = groups.flatMap((group) => group.callers)
      const later = callers.map((caller) => world.call(random.pick(gateways), caller, chatBody({ max_tokens: 1 })))
      const statuses = await Promise.all(later.map(async ({ ended }) => (await ended).status))
      assert.deepEqual(new Set(statuses), new Set([200]), 'nobody who fits is refused')
    }
  },
}

function pickInTurn(groups: readonly CappedGroup[], turn: number): CappedGroup {
  const group = groups[turn % groups.length]
  assert.ok(group !== undefined, 'there are groups')
  return group
}

async function judgeAnswers(
  groups: readonly CappedGroup[],
  calls: readonly { group: CappedGroup; call: Call }[],
): Promise<void> {
  for (const group of groups) {
    const own = calls.filter((each) => each.group === group)
    const seen = await Promise.all(own.map(({ call }) => call.ended))
    const codes = seen.map(({ status, errorCode }) => `${status} ${errorCode}`)
    const granted = codes.filter((code) => code === '200 null').length
    assert.equal(granted, group.fitting, `${group.name}: ${JSON.stringify(codes)}`)
    const refused = new Set(codes.filter((code) => code !== '200 null'))
    assert.deepEqual(refused, new Set([group.refusal]), group.name)
  }
}
