import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, connect } from 'node:net'
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

interface StartOptions {
  command: readonly string[]
  /** The process is ready once it listens on this port. */
  port: number
  /** 'all' pins it to no core. */
  core: number | 'all'
  env?: Record<string, string>
  cwd?: string
  readyMs?: number
  /** The user to run as. */
  user?: { uid: number; gid: number }
  stopSignal?: NodeJS.Signals
}

interface StartedProcess {
  pid: number
  stop(): Promise<void>
}

// Only ends a hung start: a busy machine may take a minute to start a gateway.
const readyMsMax = 300_000

/** Starts a server on one core and waits until it listens. Its output is kept, and only shown if the start fails. */
export async function startProcess(options: StartOptions): Promise<StartedProcess> {
  const { command, port, core, env = {}, cwd, readyMs = readyMsMax, user, stopSignal = 'SIGTERM' } = options
  const cores = core === 'all' ? `0-${cpus().length - 1}` : String(core)
  // taskset replaces itself with the command, so the child's pid is the command's own.
  const child = spawn('taskset', ['-c', cores, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
    ...user,
  })
  const exited = once(child, 'exit').finally(() => living.delete(started))
  const started = { child, stop: () => stopChild(child, exited, stopSignal) }
  living.add(started)
  const readOutput = keepOutput(child)
  const deadlineMs = Date.now() + readyMs
  while (!(await isListening(port))) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadlineMs) {
      child.kill('SIGKILL')
      throw new Error(`${command.join(' ')} did not start listening: ${readOutput()}`)
    }
    await sleep(50)
  }
  if (child.pid === undefined) throw new Error(`${command.join(' ')} has no process id`)
  return { pid: child.pid, stop: started.stop }
}

const living = new Set<{ child: ChildProcess; stop: () => Promise<void> }>()

/** Stops all remaining processes, such as the half of a pair whose other half failed. */
export async function stopRemaining(): Promise<void> {
  await Promise.all([...living].map(({ stop }) => stop()))
}

// An interrupted bench must not leave servers behind, least of all on the core that the next one measures.
process.on('exit', () => {
  // Not SIGKILL, because a killed master leaves its workers running.
  for (const { child } of living) child.kill('SIGTERM')
})

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('no free port')
  return address.port
}

/** Keeps the last few thousand characters of a child's output; the rest is discarded, so that no pipe fills up. */
function keepOutput(child: ChildProcess): () => string {
  let output = ''
  const take = (part: Buffer): void => {
    output = (output + part.toString()).slice(-4_000)
  }
  child.stdout?.on('data', take)
  child.stderr?.on('data', take)
  return () => output.trim()
}

async function stopChild(child: ChildProcess, exited: Promise<unknown>, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  const isOver = await Promise.race([exited.then(() => true), sleep(10_000, false, { ref: false })])
  if (isOver) return
  child.kill('SIGKILL')
  await exited
}

function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('connect', () => {
    socket.destroy()
    resolve(true)
  })
  socket.on('error', () => resolve(false))
  return promise
}
