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

/** Three Postgres servers under Patroni: a primary, a synchronous standby and a third that can replace either. */
export interface Cluster {
  readonly nodes: readonly PatroniNode[]
  /** A migrated database with the sample catalogue; its URL names all three servers. Dropping it ends the cluster. */
  readonly database: TestDatabase
  findPrimary(): Promise<PatroniNode | null>
  /** Resolves when there is one primary and both others follow it, one of them synchronously. */
  waitUntilWhole(): Promise<void>
  /** Switches over to the synchronous standby in an orderly way. */
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

// Each status request costs Patroni a query.
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

/**
 * Patroni knows the primary. The standbys are asked whom they follow: one whose WAL has diverged also counts as
 * streaming until it is rewound, and confirms data it does not have. On the primary's timeline it has not diverged.
 */
async function whatIsMissing(nodes: readonly PatroniNode[], pool: Pool): Promise<string | null> {
  await wait(askEveryMs)
  const statuses = await Promise.all(nodes.map((node) => node.status()))
  const primaries = statuses.filter((status) => status !== null && primaryRoles.has(status.role))
  if (primaries.length !== 1) return `the cluster is ${JSON.stringify(statuses)}`
  const [primary] = await rowsOf<{ timeline: number; synced: number }>(
    pool,
    `SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer AS timeline,
       (SELECT count(*)::integer FROM pg_stat_replication WHERE sync_state = 'sync') AS synced`,
  )
  if (primary === undefined || primary.synced === 0) return 'no standby is synchronous'
  const followed = await Promise.all(nodes.map(followedTimeline))
  const isWhole = followed.filter((timeline) => timeline === primary.timeline).length === 2
  return isWhole ? null : `of timeline ${primary.timeline}, standbys follow ${JSON.stringify(followed)}`
}

/** Returns null for the primary, and for a standby that receives nothing. */
async function followedTimeline({ port }: PatroniNode): Promise<number | null> {
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const pool = createPool({ connectionString: url, max: 1, connectionTimeoutMillis: 3_000, onError: () => {} })
  const text = "SELECT received_tli FROM pg_stat_wal_receiver WHERE status = 'streaming'"
  const [row] = await rowsOf<{ received_tli: number }>(pool, text)
  await pool.end()
  return row?.received_tli ?? null
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
