import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isJsonObject, parseJsonObject } from '#lib/json.ts'
import { findLastingPort } from '#test/setup/find-lasting-port.ts'
import { whenOrphaned } from '#test/setup/when-orphaned.ts'
import { startToxicsProxy } from '../toxics-proxy.ts'
import { until } from '../until.ts'
import type { EngineOwner } from './engine-owner.ts'
import { patroniSettings } from './patroni-settings.ts'

/** One machine of the cluster: Patroni, its Postgres, and a proxy to etcd. */
export interface PatroniNode {
  readonly name: string
  readonly port: number
  readonly apiPort: number
  /** Patroni's own status, or null if it does not respond. */
  status(): Promise<NodeStatus | null>
  /** The last log lines of Patroni and Postgres. */
  readLog(): Promise<string>
  start(): Promise<void>
  /** Kills the machine with everything on it. */
  kill(): Promise<void>
  /** Kills only Postgres. */
  crashPostgres(): Promise<void>
  /** Stops the machine's processes; its connections stay open. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  cutFromEtcd(): void
  joinEtcd(): void
  close(): Promise<void>
}

interface NodeStatus {
  readonly role: string
  readonly state: string
}

export async function createPatroniNode(options: {
  name: string
  parentFolder: string
  owner: EngineOwner
  etcdPort: number
}): Promise<PatroniNode> {
  const { name, owner } = options
  const folder = join(options.parentFolder, name)
  await mkdir(folder)
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(folder, owner.uid, owner.gid)
  const road = await startToxicsProxy(options.etcdPort)
  const [port, apiPort] = [await findLastingPort(), await findLastingPort()]
  const settingsFile = join(folder, 'patroni.json')
  // All JSON is valid YAML.
  await writeFile(settingsFile, JSON.stringify(patroniSettings({ name, folder, port, apiPort, etcdPort: road.port })))
  const postmaster = (): Promise<number | null> => readPostmaster(join(folder, 'data', 'postmaster.pid'))
  let patroni: { process: ChildProcess; exited: Promise<unknown>; watcher: ChildProcess } | null = null

  async function start(): Promise<void> {
    const log = await open(join(folder, 'log'), 'a')
    const started = spawn('patroni', [settingsFile], { stdio: ['ignore', log.fd, log.fd], cwd: folder, ...owner })
    await log.close()
    patroni = {
      process: started,
      exited: once(started, 'exit'),
      watcher: whenOrphaned(killAll, [String(started.pid), folder]),
    }
  }

  async function kill(): Promise<void> {
    await signalAll('SIGKILL')
    patroni?.watcher.kill('SIGKILL')
    await patroni?.exited
    patroni = null
  }

  // Parents come first, so that none starts a child meanwhile.
  async function signalAll(name: Signal): Promise<void> {
    const postmasterPid = await postmaster()
    for (const pid of [patroni?.process.pid, postmasterPid]) if (typeof pid === 'number') signal(pid, name)
    if (postmasterPid === null) return
    for (const pid of await childrenOf(postmasterPid)) signal(pid, name)
  }

  return {
    name,
    port,
    apiPort,
    status: () => readStatus(apiPort),
    readLog: async () => (await readFile(join(folder, 'log'), 'utf8')).split('\n').slice(-25).join('\n'),
    start,
    kill,
    crashPostgres: async () => {
      const pid = await postmaster()
      if (pid !== null) signal(pid, 'SIGKILL')
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    // Like a network that drops everything: connections stay open and nothing arrives.
    cutFromEtcd: () => road.apply({ kind: 'stall' }),
    joinEtcd: () => {
      road.apply({ kind: 'cut' })
      road.apply({ kind: 'pass' })
    },
    close: async () => {
      // Postgres frees its shared memory on a normal shutdown.
      patroni?.process.kill('SIGKILL')
      const pid = await postmaster()
      if (pid !== null) signal(pid, 'SIGQUIT')
      await until(async () => ((await postmaster()) === null ? null : `the Postgres of ${name} still runs`))
      await kill()
      await road.close()
    },
  }
}

// For a drill that was killed itself. The folder's name is part of the postmaster's command.
const killAll = `kill -9 "$1"; for pid in $(pgrep -f "postgres -D $2/"); do kill -9 "$pid"; done; rm -rf "$2"`

async function readStatus(apiPort: number): Promise<NodeStatus | null> {
  const text = await fetch(`http://127.0.0.1:${apiPort}/patroni`, { signal: AbortSignal.timeout(3_000) }).then(
    (response) => response.text(),
    () => null,
  )
  const status = text === null ? null : parseJsonObject(text)
  if (!isJsonObject(status)) return null
  return { role: String(status['role']), state: String(status['state']) }
}

/** Postgres writes its process id on the first line; the file is gone after a clean shutdown. */
async function readPostmaster(file: string): Promise<number | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return Number.isInteger(pid) && pid > 1 ? pid : null
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))
  const parents = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      return { pid: Number(pid), parent: Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]) }
    }),
  )
  return parents.filter((one) => one.parent === parent).map(({ pid }) => pid)
}

type Signal = 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGQUIT'

function signal(pid: number, name: Signal): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has ended meanwhile.
  }
}
