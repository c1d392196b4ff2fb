import { Worker } from 'node:worker_threads'
import { realTimers, type Timer, type Timers } from './timers.ts'

/**
 * Runs jobs in threads, each within its own time.
 *
 * A job is waiting, running or over. It is over when it was answered, when its time is up (`late`), when there was no
 * room for it (`full`), or when its thread broke (`failed`). A thread is starting, idle or busy. One that is still busy
 * some time after its job was late cannot be stopped in any other way, so it is ended, and a spare takes its place at
 * once.
 */
export class WorkerPool<Job, Answer> {
  readonly #options: WorkerPoolOptions
  readonly #timers: Timers
  readonly #threads = new Set<Thread<Job, Answer>>()
  /** Jobs that wait, by queue. A queue that was served moves to the end. */
  readonly #queues = new Map<string, Waiting<Job, Answer>[]>()
  #waiting = 0
  #closed = false
  #startsFailed = 0
  readonly #ready = Promise.withResolvers<void>()

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#timers = options.timers ?? realTimers
    for (let count = 0; count < options.threads + options.spares; count += 1) this.#start()
  }

  /** Resolves once all threads have started, spares too: until then they take the time of those that work. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  run(job: Job, { queue: name, timeoutMs, marginMs }: JobBounds): Promise<PoolOutcome<Answer>> {
    if (this.#closed || this.#waiting >= this.#options.waitingMax) return Promise.resolve({ kind: 'full' })
    return new Promise((resolve) => {
      const untilMs = this.#timers.nowMs() + timeoutMs - marginMs
      const waiting: Waiting<Job, Answer> = { job, queue: name, resolve, untilMs, timer: undefined }
      // An answer that came while the event loop was busy gets one turn to be read before the deadline counts.
      waiting.timer = this.#timers.after(timeoutMs, () => setImmediate(() => this.#giveUp(waiting)))
      const queue = this.#queues.get(name)
      if (queue === undefined) this.#queues.set(name, [waiting])
      else queue.push(waiting)
      this.#waiting += 1
      this.#dispatch()
    })
  }

  /** Ends all threads. Jobs that still wait are answered as late. */
  async close(): Promise<void> {
    this.#closed = true
    // `run` answers jobs that wait for the start with "no room".
    this.#ready.resolve()
    for (const queue of this.#queues.values()) for (const waiting of queue) finish(waiting, this.#late(waiting))
    this.#queues.clear()
    this.#waiting = 0
    const threads = [...this.#threads]
    for (const { job } of threads) if (job !== undefined) finish(job, this.#late(job))
    this.#threads.clear()
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }

  #start(): void {
    const { entry, heapMbMax, compileCacheFolder: folder } = this.#options
    const env = folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
    const worker = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: heapMbMax }, env, execArgv: [] })
    const thread: Thread<Job, Answer> = { worker, state: 'starting', job: undefined }
    this.#threads.add(thread)
    worker.on('message', (message: PoolMessage<Answer>) => this.#hear(thread, message))
    worker.on('error', (error) => this.#lose(thread, error))
    worker.on('exit', () => this.#lose(thread, new Error('the worker thread exited')))
  }

  #hear(thread: Thread<Job, Answer>, message: PoolMessage<Answer>): void {
    const { job } = thread
    if (message.kind === 'progress') {
      if (job !== undefined) job.progress = message.answer
      return
    }
    thread.state = 'idle'
    thread.job = undefined
    if (message.kind === 'started') {
      // A pool that was forgotten must not keep a process alive.
      thread.worker.unref()
      this.#startsFailed = 0
      const started = [...this.#threads].filter(({ state }) => state !== 'starting').length
      if (started === this.#threads.size) this.#ready.resolve()
    } else if (job !== undefined) {
      finish(job, message.kind === 'answered' ? message : { kind: 'failed', error: new Error(message.reason) })
    }
    this.#dispatch()
  }

  /** Assigns waiting jobs to free threads: one job of each queue in turn, and never all threads to one queue. */
  #dispatch(): void {
    for (const thread of this.#threads) {
      if (this.#waiting === 0) return
      if (thread.state !== 'idle' || this.#busyCount() >= this.#options.threads) continue
      const next = this.#takeNext()
      if (next === undefined) return
      thread.state = 'busy'
      thread.job = next
      next.startedMs = this.#timers.nowMs()
      const envelope: PoolEnvelope<Job> = { job: next.job, budgetMs: next.untilMs - next.startedMs }
      thread.worker.postMessage(envelope, [])
    }
  }

  #takeNext(): Waiting<Job, Answer> | undefined {
    const perQueueMax = Math.max(1, this.#options.threads - 1)
    for (const [name, queue] of this.#queues) {
      if ([...this.#threads].filter(({ job }) => job?.queue === name).length >= perQueueMax) continue
      const next = queue.shift()
      this.#queues.delete(name)
      if (queue.length > 0) this.#queues.set(name, queue)
      if (next === undefined) continue
      this.#waiting -= 1
      return next
    }
    return undefined
  }

  #busyCount(): number {
    return [...this.#threads].filter(({ state }) => state === 'busy').length
  }

  #giveUp(waiting: Waiting<Job, Answer>): void {
    const thread = [...this.#threads].find(({ job }) => job === waiting)
    if (thread !== undefined) {
      waiting.resolve(this.#late(waiting))
      const end = (): void => {
        if (thread.job === waiting) this.#lose(thread, new Error('a job timed out'))
      }
      this.#timers.after(this.#options.graceMs, end).unref()
      return
    }
    const queue = this.#queues.get(waiting.queue)
    const place = queue?.indexOf(waiting) ?? -1
    if (queue === undefined || place === -1) return
    queue.splice(place, 1)
    this.#waiting -= 1
    if (queue.length === 0) this.#queues.delete(waiting.queue)
    waiting.resolve(this.#late(waiting))
  }

  #late({ progress, startedMs }: Waiting<Job, Answer>): PoolOutcome<Answer> {
    const ranMs = startedMs === undefined ? 0 : this.#timers.nowMs() - startedMs
    return progress === undefined ? { kind: 'late', ranMs } : { kind: 'late', ranMs, progress }
  }

  /**
   * A thread that broke, or that must be broken. A new one is started, later and later if they all break at their
   * start.
   */
  #lose(thread: Thread<Job, Answer>, error: Error): void {
    if (!this.#threads.delete(thread)) return
    if (thread.job !== undefined) finish(thread.job, { kind: 'failed', error })
    if (thread.state === 'starting') this.#startsFailed += 1
    this.#options.onThreadLost?.(error)
    void thread.worker.terminate()
    const delayMs = this.#startsFailed === 0 ? 0 : Math.min(100 * 2 ** this.#startsFailed, 10_000)
    this.#timers.after(delayMs, () => this.#closed || this.#start()).unref()
    this.#dispatch()
  }
}

export interface WorkerPoolOptions {
  /** The file that the threads run. It says `started` once, and answers each envelope with one message. */
  readonly entry: URL
  /**
   * Where Node keeps compiled modules: threads start in half the time. All else of the environment stays outside of
   * them.
   */
  readonly compileCacheFolder?: string | undefined
  /** How many jobs run at once. */
  readonly threads: number
  /** Threads that stand by, started, until one that is stuck is ended. */
  readonly spares: number
  readonly waitingMax: number
  /** How long a thread may go on with a job that is late before it is ended. */
  readonly graceMs: number
  readonly heapMbMax: number
  readonly onThreadLost?: ((error: Error) => void) | undefined
  readonly timers?: Timers | undefined
}

interface JobBounds {
  /** The queue of the job. Jobs of a queue run in order; queues take turns, and no queue gets all threads. */
  readonly queue: string
  /** After this the outcome is `late`. Waiting for a thread is part of it. */
  readonly timeoutMs: number
  /** The thread is told to be done so much earlier. */
  readonly marginMs: number
}

export type PoolOutcome<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /**
   * With how long it had run by then, 0 if it only waited, and with what was known, if the thread had said something.
   */
  | { readonly kind: 'late'; readonly ranMs: number; readonly progress?: Answer }
  | { readonly kind: 'full' }
  | { readonly kind: 'failed'; readonly error: Error }

/** What a thread is sent. */
export interface PoolEnvelope<Job> {
  readonly job: Job
  /** How long the thread may take: what was left of the job's time when it was sent, less the margin. */
  readonly budgetMs: number
}

/** What a thread says. */
export type PoolMessage<Answer> =
  | { readonly kind: 'started' }
  /** An answer for the case that no other comes. */
  | { readonly kind: 'progress'; readonly answer: Answer }
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'broken'; readonly reason: string }

interface Waiting<Job, Answer> {
  readonly job: Job
  readonly queue: string
  readonly resolve: (outcome: PoolOutcome<Answer>) => void
  /** When the thread should be done with it. */
  readonly untilMs: number
  timer: Timer | undefined
  startedMs?: number
  progress?: Answer
}

interface Thread<Job, Answer> {
  readonly worker: Worker
  state: 'starting' | 'idle' | 'busy'
  job: Waiting<Job, Answer> | undefined
}

function finish<Job, Answer>(waiting: Waiting<Job, Answer>, outcome: PoolOutcome<Answer>): void {
  waiting.timer?.cancel()
  waiting.resolve(outcome)
}
