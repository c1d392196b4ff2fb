import assert from 'node:assert/strict'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { loadScenario, startLoad } from '../setup/load.ts'
import { proveServedOrRefused } from '../setup/prove-served.ts'
import { startTeamWrites } from '../setup/team-writes.ts'
import { until } from '../setup/until.ts'
import type { World } from '../setup/world.ts'

/** A long run has five points, so 1,000 in total. */
const terminations = { short: 30, long: 200 }

export const backendsTerminated: Drill = {
  name: 'backends-terminated',
  requires:
    'every backend is terminated in turn under load: no process ends, and no charge or acknowledged write is lost',
  async start(world) {
    await addUpstream(world)
    await world.simulator.play(loadScenario)
    const callers = await Promise.all(Array.from({ length: 3 }, () => world.createClient()))
    const team = await createTeam(world)
    const gateways = await Promise.all([world.startGateway(), world.startGateway()])
    return async (random, _point, { isShort }) => {
      const load = startLoad(world, random, { targets: () => gateways, callers, clients: 8 })
      const writes = startTeamWrites(gateways, team)
      await load.waitForEnds(random.integer(8, 20))
      const seen = await terminateInTurn(world, isShort ? terminations.short : terminations.long, () =>
        load.waitForEnds(1),
      )
      await load.waitForEnds(random.integer(8, 20))
      const calls = await load.stop()
      await writes.stop()
      proveServedOrRefused(world, calls)
      assert.ok(calls.filter(({ status }) => status === 200).length > calls.length / 2, 'most calls are served')
      assert.ok(seen.pools.size >= 3, `backends of all pools under load were terminated: ${[...seen.pools].join(', ')}`)
      await writes.judge(world.pool)
      const after = await world.call(random.pick(gateways), random.pick(callers), chatBody()).ended
      assert.equal(after.status, 200, `the next call is served: ${after.text}`)
    }
  },
}

async function createTeam(world: World): Promise<{ organizationId: string; teamId: string; key: string }> {
  const { id: organizationId } = await world.createOrganization()
  const { teamId } = await world.addTeam(organizationId)
  const { memberId } = await world.addMember(organizationId, { role: 'org_admin' })
  const { key } = await world.addOrganizationKey(organizationId, { memberId, terms: { type: 'management' } })
  return { organizationId, teamId, key }
}

/** Terminates backends in turn, those spared longest first; `pause` lets the load continue in between. */
async function terminateInTurn(
  world: World,
  count: number,
  pause: () => Promise<void>,
): Promise<{ pools: ReadonlySet<string> }> {
  const pools = new Set<string>()
  for (let done = 0; done < count; done += 1) {
    await until(async () => {
      const { rows } = await world.pool.query<{ application_name: string }>(terminateText)
      for (const { application_name: name } of rows) pools.add(name)
      return rows.length > 0 ? null : 'no process is connected'
    })
    await pause()
  }
  return { pools }
}

// By age: a backend is terminated only after all older ones.
const terminateText = `
  SELECT application_name, pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'weir%' ORDER BY backend_start LIMIT 1`
