import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { createLogger } from './create-logger.ts'
import { leaveMessage, placeVariable } from './gateway-place.ts'

const pauseMsMin = 1_000
const pauseMsMax = 30_000

/**
 * Runs several gateway processes behind one port. This process holds the port, and the gateways take connections in
 * turn. A process that dies is restarted. SIGTERM and SIGINT end all of them. SIGHUP replaces them one by one with
 * processes that have read the settings again, and stops at the first that cannot start, so that wrong settings do not
 * end them all.
 *
 * The first process starts alone: an error that stops it would stop all of them, and it ends this process with its exit
 * code.
 */
export async function runGatewayProcesses(config: Config, count: number): Promise<number> {
  const logger = createLogger('gateways', config.log)
  const stopping = new AbortController()
  const toStop = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  const started = Promise.withResolvers<readonly GatewayPlace[]>()
  replaceOnHangUp(started.promise, { logger, signal: stopping.signal })
  const first = startProcess(0)
  const isReady = await Promise.race([first.ready, toStop.then(() => 'stopped')])
  if (isReady === false) return first.ended
  if (isReady === 'stopped') return stopUnready(first)
  const places = Array.from({ length: count }, (_, place) =>
    keepPlace(place === 0 ? first : startProcess(place), { place, logger, signal: stopping.signal }),
  )
  const ready = Promise.all(places.map(({ current }) => current().ready))
  if ((await Promise.race([ready, toStop.then(() => 'stopped')])) !== 'stopped') {
    logger.info({ processes: count }, 'all processes are ready')
    started.resolve(places)
  }
  await toStop
  stopping.abort()
  for (const { current } of places) current().worker.process.kill('SIGTERM')
  const codes = await Promise.all(places.map(({ over }) => over))
  logger.info('all processes have stopped')
  return Math.max(...codes)
}

/** A SIGHUP before all processes have started waits for them. Without a listener it would end this process. */
function replaceOnHangUp(
  started: Promise<readonly GatewayPlace[]>,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): void {
  const replaceAll = async (): Promise<void> => {
    const places = await started
    for (const place of places) {
      if (signal.aborted) return
      if (!(await place.replace())) {
        logger.error('a new process failed to start; the other processes keep running unchanged')
        return
      }
    }
    logger.info({ processes: places.length }, 'all processes were replaced')
  }
  let replacing = Promise.resolve()
  process.on('SIGHUP', () => {
    replacing = replacing.then(replaceAll)
  })
}

interface GatewayProcess {
  readonly worker: Worker
  /** False if the process exits before it is ready. */
  readonly ready: Promise<boolean>
  /** The exit code. */
  readonly ended: Promise<number>
}

function startProcess(place: number): GatewayProcess {
  const worker = cluster.fork({ [placeVariable]: String(place) })
  const ended = once(worker, 'exit').then(([code]) => (typeof code === 'number' ? code : 1))
  const ready = Promise.race([once(worker, 'message').then(() => true), ended.then(() => false)])
  return { worker, ready, ended }
}

/** The signal itself may end a process that is not ready, which is no failure: it has not served yet. */
async function stopUnready({ worker, ended }: GatewayProcess): Promise<number> {
  worker.process.kill('SIGTERM')
  await ended
  return 0
}

interface GatewayPlace {
  current(): GatewayProcess
  /** Drains the process and starts another. Resolves with whether the new one became ready. */
  replace(): Promise<boolean>
  /** The exit code of the last process, after all were told to stop. */
  readonly over: Promise<number>
}

/** Keeps one process running at an index and restarts it when it dies. */
function keepPlace(
  first: GatewayProcess,
  { place, logger, signal }: { place: number; logger: Logger; signal: AbortSignal },
): GatewayPlace {
  let current = first
  let replacement: { of: GatewayProcess; by: PromiseWithResolvers<GatewayProcess> } | null = null

  async function keep(): Promise<number> {
    for (let pauseMs = pauseMsMin; ; ) {
      const wasReady = await current.ready
      const code = await current.ended
      if (!signal.aborted && current !== replacement?.of) {
        pauseMs = wasReady ? pauseMsMin : Math.min(pauseMs * 2, pauseMsMax)
        logger.error({ place, code, pauseMs }, 'a process exited; a replacement starts after a pause')
        await wait(pauseMs, undefined, { signal }).catch(() => {})
      }
      if (signal.aborted) return wasReady ? code : 0
      current = startProcess(place)
      replacement?.by.resolve(current)
    }
  }

  return {
    current: () => current,
    replace: async () => {
      const by = Promise.withResolvers<GatewayProcess>()
      replacement = { of: current, by }
      if (current.worker.isConnected()) current.worker.send(leaveMessage)
      return Promise.race([by.promise.then(({ ready }) => ready), once(signal, 'abort').then(() => true)])
    },
    over: keep(),
  }
}
