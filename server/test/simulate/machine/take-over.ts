import fileSystem from 'node:fs'
import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { fileError } from './disk.ts'
import type { Process } from './process.ts'

/** Paths below this folder are on the disk of the simulated process. */
export const simulatedRoot = '/simulated'

let running: Process | null = null

/** Sets the running process; null is the simulation itself, which has real timers and files. */
export function runAs(process: Process | null): void {
  running = process
}

/** The real next turn of the event loop, after all promises of this one. */
export const realImmediate = globalThis.setImmediate

/**
 * Redirects this program's timers, files and process id to the simulation. The parts under test are imported as
 * shipped: only the operating system below them differs. Code of a simulated process runs alone until all its promises
 * are done, so the current process is the one that requests a timer or a file.
 */
export function takeOver(): void {
  takeOverTimers()
  takeOverFiles()
  const realPid = process.pid
  Object.defineProperty(process, 'pid', { configurable: true, get: () => running?.pid ?? realPid })
}

class VirtualTimer {
  isCancelled = false
  unref(): this {
    return this
  }
}

function takeOverTimers(): void {
  const real = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } as const
  Object.assign(globalThis, {
    setTimeout: (run: () => void, ms?: number) =>
      running === null ? real.setTimeout(run, ms) : startTimer(running, run, ms ?? 0),
    setInterval: (run: () => void, ms: number) =>
      running === null ? real.setInterval(run, ms) : startInterval(running, run, ms),
    setImmediate: (run: () => void) => (running === null ? real.setImmediate(run) : startTimer(running, run, 0)),
    clearTimeout: (timer: NodeJS.Timeout) => cancel(timer) || real.clearTimeout(timer),
    clearInterval: (timer: NodeJS.Timeout) => cancel(timer) || real.clearInterval(timer),
    clearImmediate: (timer: NodeJS.Immediate) => cancel(timer) || real.clearImmediate(timer),
  })
}

/** Returns false for a timer that is not simulated. */
function cancel(timer: unknown): boolean {
  if (!(timer instanceof VirtualTimer)) return false
  timer.isCancelled = true
  return true
}

function startTimer(owner: Process, run: () => void, ms: number): VirtualTimer {
  const timer = new VirtualTimer()
  owner.after(ms, () => {
    if (!timer.isCancelled) run()
  })
  return timer
}

function startInterval(owner: Process, run: () => void, ms: number): VirtualTimer {
  const timer = new VirtualTimer()
  const turn = (): void => {
    if (timer.isCancelled) return
    owner.after(ms, turn)
    run()
  }
  owner.after(ms, turn)
  return timer
}

// Imported names of Node's own modules are rebound after their exports were replaced.
function takeOverFiles(): void {
  const { mkdir, open, readdir, readFile, rename, stat, unlink } = files
  const { readFileSync } = fileSystem
  Object.assign(files, {
    mkdir: async (path: string, options?: object) => (isSimulated(path) ? undefined : mkdir(path, options)),
    readdir: async (path: string) => {
      const owner = ownerOf(path)
      return owner === null ? readdir(path) : owner.disk.filesBelow(path).map(({ name }) => name)
    },
    rename: async (from: string, to: string) => {
      const owner = ownerOf(from)
      return owner === null ? rename(from, to) : owner.disk.rename(owner, from, to)
    },
    readFile: async (path: string, encoding: BufferEncoding) => {
      const owner = ownerOf(path)
      return owner === null ? readFile(path, encoding) : owner.disk.read(owner, path)
    },
    stat: async (path: string) => {
      const owner = ownerOf(path)
      return owner === null ? stat(path) : { ino: await owner.disk.inodeAt(path) }
    },
    unlink: async (path: string) => {
      const owner = ownerOf(path)
      return owner === null ? unlink(path) : owner.disk.unlink(owner, path)
    },
    open: async (path: string, flags: string) => {
      const owner = ownerOf(path)
      return owner === null ? open(path, flags) : openSimulated(owner, path, flags)
    },
  })
  Object.assign(fileSystem, {
    readFileSync: (path: string, options: BufferEncoding) => {
      const pid = /^\/proc\/(\d+)\/stat$/.exec(String(path))?.[1]
      return running === null || pid === undefined ? readFileSync(path, options) : statOf(running, Number(pid))
    },
  })
  syncBuiltinESMExports()
}

function isSimulated(path: string): boolean {
  return typeof path === 'string' && path.startsWith(simulatedRoot)
}

function ownerOf(path: string): Process | null {
  return isSimulated(path) ? running : null
}

/** A file to append to; anything else is the folder, which is opened for syncing. */
function openSimulated(owner: Process, path: string, flags: string): object {
  const { disk } = owner
  if (flags !== 'a') return { sync: () => disk.syncFolder(owner), close: async () => {} }
  const file = disk.open(owner, path)
  return {
    stat: async () => ({ size: file.size, ino: file.inode }),
    appendFile: (text: string) => file.append(text),
    datasync: () => file.sync(),
    close: async () => {},
  }
}

function statOf(asking: Process, pid: number): string {
  const found = asking.disk.processes.get(pid)
  if (found === undefined) throw fileError('ENOENT', 'no such process')
  return `${pid} (node) S ${'0 '.repeat(18)}${found.startTicks} 0`
}
