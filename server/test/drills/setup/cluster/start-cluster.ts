import { rm } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Pool } from 'pg'
import { createPool } from '#store/postgres/create-pool.ts'
import { prepareDatabase } from '#store/postgres/schema/prepare-database.ts'
import { importSampleCatalogue } from '#test/setup/sample-catalogue.ts'
import type { TestDatabase } from '#test/setup/database.ts'
import { installCluster } from '../install-cluster.ts'
import { until } from '../until.ts'
import { createOwnedFolder } from './engine-owner.ts'
import { createPatroniNode, type PatroniNode } from './patroni-node.ts'
import { startEtcd } from './start-etcd.ts'

const sqlFolder = fileURLToPath(new URL('../../../../sql', import.meta.url))

/** Three Postgres under Patroni: a primary, a synchronous standby and a third that takes the place of either. */
export interface Cluster {
  readonly nodes: readonly PatroniNode[]
  /** A migrated database with the sample catalogue; its URL names all three. Dropping it ends the cluster. */
  readonly database: TestDatabase
  findPrimary(): Promise<PatroniNode | null>
  /** Resolves when there is one primary and both others follow it, one of them synchronously. */
  waitUntilWhole(): Promise<void>
  /** Hands the office of the primary to the synchronous standby, in good order. */
  switchOver(): Promise<void>
}

export async function startCluster(): Promise<Cluster> {
  await installCluster()
  const { folder, owner } = await createOwnedFolder('cluster')
  const etcd = await startEtcd(folder, owner)
  const nodes: PatroniNode[] = []
  for (const name of ['one', 'two', 'three']) {
    nodes.push(await createPatroniNode({ name, parentFolder: folder, owner, etcdPort: etcd.port }))
  }
  await Promise.all(nodes.map((node) => node.start()))
  const url = `postgres://postgres@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`
  const pool = createPool({ connectionString: url, max: 8, connectionTimeoutMillis: 10_000, onError: () => {} })
  await waitUntilWhole(nodes, pool)
  await prepareDatabase(pool, sqlFolder)
  await importSampleCatalogue(pool)
  return {
    nodes,
    database: {
      url,
      pool,
      drop: async () => {
        await pool.end()
        await Promise.all(nodes.map((node) => node.close()))
        await etcd.kill()
        await rm(folder, { recursive: true, force: true })
      },
    },
    findPrimary: () => findPrimary(nodes),
    waitUntilWhole: () => waitUntilWhole(nodes, pool),
    switchOver: () => switchOver(nodes),
  }
}

// Each answer costs Patroni a query.
const askEveryMs = 250
const primaryRoles = new Set(['master', 'primary'])

async function findPrimary(nodes: readonly PatroniNode[]): Promise<PatroniNode | null> {
  await wait(askEveryMs)
  for (const node of nodes) {
    const status = await node.status()
    if (status !== null && primaryRoles.has(status.role) && status.state === 'running') return node
  }
  return null
}

async function waitUntilWhole(nodes: readonly PatroniNode[], pool: Pool): Promise<void> {
  try {
    await until(() => whatIsMissing(nodes, pool))
  } catch (error) {
    const logs = await Promise.all(nodes.map(async (node) => `${node.name}:\n${await node.readLog()}`))
    throw new Error(`${String(error)}\n${logs.join('\n')}`, { cause: error })
  }
}

/** Patroni knows who the primary is, and the primary who follows it. */
async function whatIsMissing(nodes: readonly PatroniNode[], pool: Pool): Promise<string | null> {
  await wait(askEveryMs)
  const statuses = await Promise.all(nodes.map((node) => node.status()))
  const primaries = statuses.filter((status) => status !== null && primaryRoles.has(status.role))
  if (primaries.length !== 1) return `the cluster is ${JSON.stringify(statuses)}`
  const standbys = await rowsOf<{ state: string; sync_state: string }>(
    pool,
    'SELECT state, sync_state FROM pg_stat_replication',
  )
  const streaming = standbys.filter(({ state }) => state === 'streaming')
  const isWhole = streaming.length === 2 && streaming.some(({ sync_state }) => sync_state === 'sync')
  return isWhole ? null : `the standbys are ${JSON.stringify(standbys)}`
}

async function rowsOf<Row extends object>(pool: Pool, text: string): Promise<Row[]> {
  return pool.query<Row>(text).then(
    ({ rows }) => rows,
    () => [],
  )
}

async function switchOver(nodes: readonly PatroniNode[]): Promise<void> {
  const leader = await findPrimary(nodes)
  if (leader === null) throw new Error('there is no primary to hand over from')
  const answer = await fetch(`http://127.0.0.1:${leader.apiPort}/switchover`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ leader: leader.name }),
  })
  if (!answer.ok) throw new Error(`the switchover was refused: ${answer.status} ${await answer.text()}`)
}
