import type { Disk } from './disk.ts'
import type { Scheduler } from './scheduler.ts'

/** A simulated process with an id, a disk and timers; all but the disk die with it. */
export class Process {
  readonly name: string
  readonly pid: number
  /** Like field 22 of `/proc/<pid>/stat`. */
  readonly startTicks: number
  readonly disk: Disk
  readonly #scheduler: Scheduler<Process>
  #isAlive = true

  constructor(options: { name: string; pid: number; startTicks: number; disk: Disk; scheduler: Scheduler<Process> }) {
    this.name = options.name
    this.pid = options.pid
    this.startTicks = options.startTicks
    this.disk = options.disk
    this.#scheduler = options.scheduler
    this.disk.processes.set(this.pid, this)
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  /** Like SIGKILL: no handler runs, and all pending operations never complete. */
  kill(): void {
    this.#isAlive = false
    if (this.disk.processes.get(this.pid) === this) this.disk.processes.delete(this.pid)
    this.disk.abandon(this)
  }

  after(ms: number, run: () => void): void {
    this.#scheduler.after(ms, this, run)
  }

  get nowMs(): number {
    return this.#scheduler.nowMs
  }
}
