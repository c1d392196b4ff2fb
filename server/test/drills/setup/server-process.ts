import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A gateway or a worker in its own process. */
export interface ServerProcess {
  /** For a worker, the URL of its health endpoint. */
  readonly url: string
  /** The URL of a gateway's metrics; for a worker the same as `url`. */
  readonly operatingUrl: string
  readonly pid: number
  readonly dataFolder: string
  readonly isAlive: boolean
  /** The last log lines. */
  readonly logLines: readonly string[]
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>
  /** Sends SIGTERM and returns the exit code. */
  terminate(): Promise<number | null>
  /** Resolves when it has exited for any reason. */
  readonly exited: Promise<void>
}

const ownTree = fileURLToPath(new URL('../../../..', import.meta.url))

/** The program of a tree: of this one, or of another version. */
export function mainOf(tree = ownTree): string {
  return join(tree, 'server/src/bin/weir.ts')
}

const logLinesMax = 400
const living = new Set<ChildProcess>()

process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL')
})

export async function startServerProcess(options: {
  command: 'gateway' | 'worker'
  env: Record<string, string>
  dataFolder: string
  nodeFlags?: readonly string[]
  /** The folder of another version. */
  tree?: string | undefined
  /** The program of a build, in place of the sources of a tree. */
  program?: string
}): Promise<ServerProcess> {
  const program = options.program ?? mainOf(options.tree)
  const child = spawn(process.execPath, [...(options.nodeFlags ?? []), program, options.command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: options.dataFolder,
    env: {
      ...inherited(),
      // Failpoints would stop requests of the warm-up too. Another version may not know the setting.
      ...(options.tree === undefined ? { WEIR_WARM_UP_TIMEOUT_MS: '0' } : {}),
      WEIR_DATA_DIR: options.dataFolder,
      ...options.env,
    },
  })
  living.add(child)
  const exited = once(child, 'exit').then(() => {
    living.delete(child)
  })
  const logLines: string[] = []
  const ready = Promise.withResolvers<{ url: string; operatingUrl: string }>()
  const take = (line: string): void => {
    logLines.push(line)
    if (logLines.length > logLinesMax) logLines.shift()
    const found = /(?:"operating":"([^"]+)",)?"address":"([^"]+)","msg":"the (?:gateway|worker) is ready"/.exec(line)
    const [, operatingUrl, url] = found ?? []
    if (url !== undefined) ready.resolve({ url, operatingUrl: operatingUrl ?? url })
  }
  createInterface({ input: child.stdout }).on('line', take)
  createInterface({ input: child.stderr }).on('line', take)
  const failed = exited.then(() => Promise.reject(new Error(`the ${options.command} ended: ${logLines.join('\n')}`)))
  const { url, operatingUrl } = await Promise.race([ready.promise, failed])
  failed.catch(() => {})
  return {
    url,
    operatingUrl,
    pid: child.pid ?? 0,
    dataFolder: options.dataFolder,
    get isAlive() {
      return child.exitCode === null && child.signalCode === null
    },
    logLines,
    exited,
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
    terminate: async () => {
      child.kill('SIGTERM')
      await exited
      return child.exitCode
    },
  }
}

/** With the compile cache set from outside, Node need not load its type stripper for the file that would set it. */
function inherited(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' }
}
