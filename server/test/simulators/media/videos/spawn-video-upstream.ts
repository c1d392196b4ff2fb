import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { VideoHostName } from './hosts.ts'
import type { VideoUpstreamOptions } from './start-video-upstream.ts'
import type { SeenOrder, SeenRequest, VideoUpstream } from './video-upstream.ts'

export interface SpawnedVideoUpstream extends VideoUpstream {
  /** SIGKILL: the sudden death of an upstream. Resolves when its port is free. */
  kill(): Promise<void>
}

/** The same upstream in its own process; `close` also waits for the process to end. */
export async function spawnVideoUpstream(
  host: VideoHostName,
  { key = 'video-key', movie }: VideoUpstreamOptions = {},
): Promise<SpawnedVideoUpstream> {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))
  const child = spawn(process.execPath, [main, '--host', host, '--key', key], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  if (child.stdout === null) throw new Error('The simulator has no output to read its address from.')
  const exited = once(child, 'exit')
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(() => Promise.reject(new Error('The simulator ended before it listened.'))),
  ])
  const { control, vendor, baseUrl } = JSON.parse(String(line))
  const call = async (method: string, body: object = {}) => {
    // Without keep-alive, so that a closing simulator can end immediately.
    const init = { method: 'POST', body: JSON.stringify(body), headers: { connection: 'close' } }
    const response = await fetch(`${control}/${method}`, init)
    if (!response.ok) throw new Error(`The simulator's control answered ${response.status} to ${method}.`)
    return response.json()
  }
  const upstream: SpawnedVideoUpstream = {
    vendor,
    baseUrl,
    key,
    play: async (script) => void (await call('play', { script })),
    playNext: async (...scripts) => void (await call('playNext', { scripts })),
    serve: async (next) => void (await call('serve', { movie: next.toString('base64') })),
    orders: async () => listIn<SeenOrder>(await call('orders')),
    requests: async () => listIn<SeenRequest>(await call('requests')),
    waitForOrders: async (count) => void (await call('waitForOrders', { count })),
    close: async () => {
      await call('close')
      await exited
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
  if (movie !== undefined) await upstream.serve(movie)
  return upstream
}

function listIn<Item>(value: unknown): Item[] {
  if (!Array.isArray(value)) throw new Error('The simulator answered something else than a list.')
  return value
}
