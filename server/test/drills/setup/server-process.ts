import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A gateway or a worker in a process of its own. */
export interface ServerProcess {
  /** Of a worker: where it says how it is doing. */
  readonly url: string
  /** Where a gateway shows its figures; of a worker the same as `url`. */
  readonly operatingUrl: string
  readonly pid: number
  readonly dataFolder: string
  readonly isAlive: boolean
  /** The last lines it logged. */
  readonly logLines: readonly string[]
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>
  /** SIGTERM; gives the exit code once it is gone. */
  terminate(): Promise<number | null>
  /** Resolves when it has ended, by whoever's hand. */
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
  /** Where another version of all files lies. */
  tree?: string | undefined
}): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...(options.nodeFlags ?? []), mainOf(options.tree), options.command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: options.dataFolder,
    env: { ...inherited(), WEIR_DATA_DIR: options.dataFolder, ...options.env },
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

/** With the cache named from outside, Node need not load its compiler of types for the one file that would name it. */
function inherited(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' }
}
