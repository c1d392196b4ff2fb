import { Worker } from 'node:worker_threads'
import { realTimers, type Timer, type Timers } from './timers.ts'

/**
 * Runs jobs in threads, each with its own time limit.
 *
 * A job is waiting, running or over. It is over when it was answered, when its time is up (`late`), when there was no
 * room for it (`full`), or when its thread broke (`failed`). A thread is starting, idle or busy. If a thread is still
 * busy some time after its job was late, it can only be terminated, and a spare replaces it immediately.
 */
export class WorkerPool<Job, Answer> {
  readonly #options: WorkerPoolOptions
  readonly #timers: Timers
  readonly #threads = new Set<Thread<Job, Answer>>()
  /** Waiting jobs by queue. A queue that was served moves to the end. */
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

  /** Resolves once all threads have started, including spares: until then they take CPU time from working threads. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  run(job: Job, { queue: name, timeoutMs, marginMs }: JobBounds): Promise<PoolOutcome<Answer>> {
    if (this.#closed || this.#waiting >= this.#options.waitingMax) return Promise.resolve({ kind: 'full' })
    return new Promise((resolve) => {
      const untilMs = this.#timers.nowMs() + timeoutMs - marginMs
      const waiting: Waiting<Job, Answer> = { job, queue: name, resolve, untilMs, timer: undefined }
      // A response that arrived while the event loop was busy gets one turn to be read before the deadline counts.
      waiting.timer = this.#timers.after(timeoutMs, () => setImmediate(() => this.#giveUp(waiting)))
      const queue = this.#queues.get(name)
      if (queue === undefined) this.#queues.set(name, [waiting])
      else queue.push(waiting)
      this.#waiting += 1
      this.#dispatch()
    })
  }

  /** Terminates all threads. Waiting jobs are answered as late. */
  async close(): Promise<void> {
    this.#closed = true
    // `run` answers jobs that wait for the start with `full`.
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
      // A forgotten pool must not keep a process alive.
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
   * Handles a thread that broke or must be terminated. A new thread is started, with growing delays if all threads
   * break at their start.
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
  /** The file that the threads run. It sends `started` once, and answers each envelope with one message. */
  readonly entry: URL
  /** Node's compile cache, with which threads start in half the time. They get nothing else of the environment. */
  readonly compileCacheFolder?: string | undefined
  /** Maximum concurrent jobs. */
  readonly threads: number
  /** Started threads that stand by to replace a stuck one. */
  readonly spares: number
  readonly waitingMax: number
  /** How long a thread may continue with a late job before it is terminated. */
  readonly graceMs: number
  readonly heapMbMax: number
  readonly onThreadLost?: ((error: Error) => void) | undefined
  readonly timers?: Timers | undefined
}

interface JobBounds {
  /** The queue of the job. Jobs of one queue run in order; queues take turns, and no queue gets all threads. */
  readonly queue: string
  /** Time limit of the job, including the wait for a thread. After it the outcome is `late`. */
  readonly timeoutMs: number
  /** The thread is told to finish this much earlier. */
  readonly marginMs: number
}

export type PoolOutcome<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /**
   * `ranMs` is the run time so far, or 0 if the job only waited. `progress` is the last progress that the thread
   * reported.
   */
  | { readonly kind: 'late'; readonly ranMs: number; readonly progress?: Answer }
  | { readonly kind: 'full' }
  | { readonly kind: 'failed'; readonly error: Error }

/** The message to a thread. */
export interface PoolEnvelope<Job> {
  readonly job: Job
  /** The thread's time limit: the job's remaining time when it was sent, minus the margin. */
  readonly budgetMs: number
}

/** A message from a thread. */
export type PoolMessage<Answer> =
  | { readonly kind: 'started' }
  /** The answer to use if no final answer follows. */
  | { readonly kind: 'progress'; readonly answer: Answer }
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'broken'; readonly reason: string }

interface Waiting<Job, Answer> {
  readonly job: Job
  readonly queue: string
  readonly resolve: (outcome: PoolOutcome<Answer>) => void
  /** When the thread should finish. */
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
