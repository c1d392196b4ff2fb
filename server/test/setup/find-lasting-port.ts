import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'

const lowest = 10_000
const triesMax = 100

/**
 * A free port for a server that stops and restarts. It is below the kernel's ephemeral range, so no other process gets
 * it while the server is down.
 */
export async function findLastingPort(): Promise<number> {
  const end = await readEphemeralStart()
  for (let tries = 0; tries < triesMax; tries += 1) {
    const port = randomInt(lowest, end)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port from ${lowest} to ${end}`)
}

async function readEphemeralStart(): Promise<number> {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '32768')
  return Number.parseInt(range, 10)
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
