import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { findLastingPort } from '#test/setup/find-lasting-port.ts'
import { whenOrphaned } from '#test/setup/when-orphaned.ts'
import { until } from '../until.ts'
import type { EngineOwner } from './engine-owner.ts'

interface Etcd {
  readonly port: number
  kill(): Promise<void>
}

/** Starts one etcd, which elects the primary of the cluster. */
export async function startEtcd(folder: string, owner: EngineOwner): Promise<Etcd> {
  const [port, peerPort] = [await findLastingPort(), await findLastingPort()]
  const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  const settings = {
    name: 'one',
    'data-dir': join(folder, 'etcd'),
    'log-level': 'error',
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `one=${peerUrl}`,
  }
  const words = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  const started = spawn('etcd', words, { stdio: 'ignore', cwd: folder, ...owner })
  const exited = once(started, 'exit')
  const watcher = whenOrphaned('kill -9 "$1"', [String(started.pid)])
  await until(async () =>
    fetch(`${url}/health`).then(
      ({ ok }) => (ok ? null : 'etcd is not well'),
      () => 'etcd does not answer',
    ),
  )
  return {
    port,
    kill: async () => {
      started.kill('SIGKILL')
      watcher.kill('SIGKILL')
      await exited
    },
  }
}
