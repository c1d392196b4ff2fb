import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createEmptyDatabase } from '#test/setup/database.ts'
import { testSecret } from '#test/setup/gateway.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { type Balancer, startBalancer } from '../setup/balancer.ts'
import { type EarlierTree, openEarlierTree } from '../setup/earlier-tree.ts'
import { type Load, loadScenario, startLoad } from '../setup/load.ts'
import { mainOf, type ServerProcess } from '../setup/server-process.ts'
import type { World } from '../setup/world.ts'

const run = promisify(execFile)

// The balancer checks every 50 ms. The rest is a margin for a busy machine.
const env = { WEIR_DRAIN_NOTICE_MS: '3000' }

// A process runs one drill at a time.
const scene: { earlier?: EarlierTree } = {}

export const upgrade: Drill = {
  name: 'upgrade',
  requires: 'every process of the version before replaced by one of this and put back, under load: no request fails',
  long: true,
  hasOwnWorkers: true,
  openDatabase: async () => {
    const earlier = await openEarlierTree(process.env['WEIR_DRILL_UPGRADE_FROM'])
    scene.earlier = earlier
    const database = await createEmptyDatabase()
    const { prepareDatabase } = await partOf<Prepare>(earlier, 'server/src/store/postgres/schema/prepare-database.ts')
    const { importSampleCatalogue } = await partOf<Catalogue>(earlier, 'server/test/setup/sample-catalogue.ts')
    await prepareDatabase(database.pool, join(earlier.folder, 'server/sql'))
    await importSampleCatalogue(database.pool)
    return database
  },
  async start(world) {
    const { earlier } = scene
    assert.ok(earlier !== undefined, 'there is a version before')
    world.defer(() => earlier.remove())
    const { createAccounts } = await partOf<Accounts>(earlier, 'server/test/setup/accounts.ts')
    const accounts = createAccounts(world.pool, { secret: testSecret, refresh: async () => {} })
    await addUpstream({ ...world, ...accounts })
    await world.simulator.play(loadScenario)
    const callers = await Promise.all(Array.from({ length: 3 }, () => accounts.createClient()))
    const balancer = await startBalancer()
    world.defer(() => balancer.close())
    const crew = createCrew(world, balancer)
    await crew.replaceAll(earlier.folder)
    const figures = [`from ${earlier.commit.slice(0, 12)}`]
    world.tell(() => figures)
    return async (random, point) => {
      const load = startLoad(world, random, { targets: () => [balancer], callers, clients: 8 })
      await load.waitForEnds(random.integer(10, 40))
      const migrated = await migrate(world)
      await load.waitForEnds(random.integer(10, 40))
      await crew.replaceAll(undefined, load)
      await load.waitForEnds(random.integer(10, 40))
      await crew.replaceAll(earlier.folder, load)
      await load.waitForEnds(random.integer(10, 40))
      const seen = await load.stop()
      const failed = seen.filter(({ status, end }) => status !== 200 || end !== 'complete')
      assert.deepEqual(failed.slice(0, 3), [], `${failed.length} of ${seen.length} requests failed`)
      figures.push(`point ${point}: ${seen.length} requests, none failed; migrate said: ${migrated}`)
    }
  },
}

interface Crew {
  /** Replaces gateways and the worker one by one with those of a tree, by default this one. */
  replaceAll(tree: string | undefined, load?: Load): Promise<void>
}

function createCrew(world: World, balancer: Balancer): Crew {
  let gateways: (ServerProcess | null)[] = [null, null]
  let worker: ServerProcess | null = null
  return {
    replaceAll: async (tree, load) => {
      const fresh = await world.startWorker({ tree })
      if (worker !== null) assert.equal(await worker.terminate(), 0, 'the old worker ends in order')
      worker = fresh
      const next: ServerProcess[] = []
      for (const old of gateways) {
        const gateway = await world.startGateway({ env, tree })
        await balancer.add(gateway.url)
        next.push(gateway)
        await load?.waitForEnds(10)
        if (old === null) continue
        assert.equal(await old.terminate(), 0, 'the old gateway ends in order')
        balancer.remove(old.url)
      }
      gateways = next
    },
  }
}

/** Migrates as an operator does, with the program of this tree. */
async function migrate({ databaseUrl, redis }: World): Promise<string> {
  const environment = { WEIR_SECRET: testSecret, WEIR_POSTGRES_URL: databaseUrl, WEIR_REDIS_URL: redis.url }
  const { stdout } = await run(process.execPath, [mainOf(), 'migrate', '--no-catalogue'], {
    env: { PATH: process.env['PATH'], ...environment },
  })
  return stdout.trim().split('\n').join('; ')
}

type Prepare = typeof import('#store/postgres/schema/prepare-database.ts')
type Catalogue = typeof import('#test/setup/sample-catalogue.ts')
type Accounts = typeof import('#test/setup/accounts.ts')

/** A module of the earlier version, because this version's may need columns that do not exist yet. */
function partOf<Part>({ folder }: EarlierTree, path: string): Promise<Part> {
  return import(join(folder, path))
}
