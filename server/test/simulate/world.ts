import { createRandom, type Random } from '#test/drills/setup/random.ts'
import { Invariants } from './invariants.ts'
import { Disk } from './machine/disk.ts'
import { Process } from './machine/process.ts'
import { Scheduler } from './machine/scheduler.ts'
import { runAs } from './machine/take-over.ts'
import { generationId, principals, wallets } from './people.ts'
import { type Call, newCall, serveCall } from './pipeline/call.ts'
import { drawCall } from './pipeline/draw-call.ts'
import { type Gateway, leaseMs, spoolFolder, startGateway, sweepEveryMs } from './pipeline/gateway.ts'
import { startWorker } from './pipeline/worker.ts'
import { drawProfile, faultyMs, noWireFaults, type Profile } from './profile.ts'
import type { NewWallet, Store } from './store/store.ts'
import { Wire } from './wire.ts'

// The last statement after a broken connection may place a hold, which must then expire and be swept.
const endMs = faultyMs + 6_000 + leaseMs + 2 * sweepEveryMs

/** `onDifference` is called when two stores differ. */
export type StoreFactory = (profile: Profile, onDifference: (what: string) => void) => Store

/** Counts of a world's events. */
export interface Figures {
  turns: number
  calls: number
  statements: number
  /** Statements with a fault in transit. */
  faults: number
  /** Killed processes, power failures, and outages of Postgres. */
  crashes: number
}

/**
 * Gateways on two machines, a worker, a Postgres and their clients, from one seed. `turn` runs the next event; all
 * events are in the scheduler, and all randomness comes from the seed.
 */
export class World {
  readonly profile: Profile
  readonly #random: Random
  readonly #scheduler: Scheduler<Process>
  readonly #wire: Wire
  readonly #store: Store
  readonly #invariants: Invariants
  readonly #calls = new Map<string, Call>()
  readonly #serving = new Map<Call, Process>()
  readonly #disks: readonly Disk[]
  readonly #gateways: Gateway[] = []
  #worker: Process
  #started = 0
  readonly figures: Figures = { turns: 0, calls: 0, statements: 0, faults: 0, crashes: 0 }
  readonly #trace: ((line: string) => void) | null

  constructor(seed: number, createStore: StoreFactory, trace: ((line: string) => void) | null = null) {
    this.#random = createRandom(seed)
    this.#trace = trace
    this.profile = drawProfile(this.#random)
    this.#store = createStore(this.profile, (what) => this.#invariants.violations.push(`the stores differ: ${what}`))
    this.#scheduler = new Scheduler<Process>(this.profile.startMs)
    this.#disks = [new Disk(this.#random), new Disk(this.#random)]
    for (const disk of this.#disks) disk.faults = this.profile.disk
    this.#invariants = new Invariants({
      books: () => this.#store.books,
      calls: this.#calls,
      mayLoseCommits: this.profile.outages.some(({ losesCommits }) => losesCommits),
      isCalm: this.profile.isCalm,
    })
    this.#wire = this.#connect()
    this.#worker = this.#startWorker()
    for (let slot = 0; slot < this.profile.gatewayCount; slot += 1) this.#startGateway(slot)
    this.#plan()
  }

  get violations(): readonly string[] {
    return this.#invariants.violations
  }

  async open(): Promise<void> {
    for (const { credit, paidIn, ...wallet } of wallets) {
      await this.#store.addWallet(wallet)
      await this.#store.credit({ id: wallet.id, walletId: wallet.id, amount: credit })
      if (wallet.customerId !== null) await this.#move(wallet, paidIn, 800)
    }
  }

  /** Runs the next event. Returns false when the world has ended, or an invariant was violated. */
  turn(): boolean | Promise<boolean> {
    if (this.violations.length > 0) return false
    const event = this.#scheduler.next()
    if (event === undefined || this.#isOver()) return false
    this.figures.turns += 1
    runAs(event.owner)
    const pending = event.run()
    return pending instanceof Promise ? pending.then(() => true) : true
  }

  /** After the repair a world ends once nothing is left to do, or when its time is over. */
  #isOver(): boolean {
    const ms = this.#scheduler.nowMs - this.profile.startMs
    if (ms <= faultyMs || (ms <= endMs && (!this.#wire.isIdle || this.#store.books.holds.size > 0))) return false
    if (ms > endMs) return true
    const isServing = [...this.#serving].some(([call, process]) => call.end === 'open' && process.isAlive)
    return !isServing && this.#spooled().length === 0
  }

  #spooled(): string[] {
    const names = this.#disks.flatMap((disk) => disk.filesBelow(spoolFolder)).map(({ name }) => name)
    return names.filter((name) => name !== 'rejected.ndjson')
  }

  /** Judges the final state, once `turn` has returned false. */
  async close(): Promise<void> {
    runAs(null)
    if (this.violations.length > 0) return
    this.#invariants.judgeEnd(this.#spooled())
    for (const found of await this.#store.audit(this.#scheduler.nowMs)) this.#invariants.violations.push(found)
  }

  #say(line: string): void {
    if (this.#trace === null) return
    const ms = this.#scheduler.nowMs - this.profile.startMs
    this.#trace(`${(ms / 1_000).toFixed(3).padStart(7)} s  ${line}`)
  }

  #connect(): Wire {
    return new Wire({
      scheduler: this.#scheduler,
      random: this.#random,
      store: this.#store,
      faults: this.profile.wire,
      events: {
        executing: (sent) => this.#invariants.executing(sent),
        fault: () => {
          this.figures.faults += 1
        },
        executed: (sent, result) => {
          this.figures.statements += 1
          if (this.#trace !== null) this.#say(`Postgres: ${sent.name} → ${JSON.stringify(result.rows)}`)
          this.#invariants.executed(sent, result, this.#scheduler.nowMs)
        },
        trace: this.#trace === null ? null : (line) => this.#say(line),
      },
    })
  }

  #plan(): void {
    const { profile } = this
    const at = (ms: number, run: () => Promise<void> | void): void => this.#scheduler.after(ms, null, run)
    for (let number = 1; number <= profile.callCount; number += 1) {
      at(this.#random.integer(0, faultyMs / 2), () => this.#call(number))
    }
    for (const ms of profile.kills) at(ms, () => this.#killGateway(this.#random.integer(0, this.#gateways.length - 1)))
    for (const ms of profile.powerLosses) at(ms, () => this.#losePower(this.#random.integer(0, 1)))
    for (const ms of profile.workerKills) at(ms, () => this.#killWorker())
    for (const { atMs, forMs, losesCommits } of profile.outages) {
      at(atMs, () => this.#stopPostgres(losesCommits))
      at(Math.min(faultyMs, atMs + forMs), () => this.#startPostgres())
    }
    profile.topUps.forEach((ms, position) => at(ms, () => this.#topUp(position)))
    at(faultyMs, () => this.#repair())
  }

  #call(number: number): void {
    const up = this.#gateways.filter(({ process }) => process.isAlive)
    if (up.length === 0) return
    const gateway = this.#random.pick(up)
    const id = generationId(this.#scheduler.nowMs, number)
    const script = drawCall(this.#random, { id, principal: this.#random.pick(principals), profile: this.profile })
    const call = newCall(script, this.#scheduler.nowMs)
    this.#calls.set(id, call)
    this.#serving.set(call, gateway.process)
    this.figures.calls += 1
    this.#say(
      `a client calls ${gateway.process.name}: #${number} reserves ${script.heldTokens}, uses ${script.usedTokens}`,
    )
    runAs(gateway.process)
    void serveCall(gateway, script, call).finally(() => this.#say(`#${number} is ${call.end}`))
  }

  #startGateway(slot: number): void {
    const process = this.#newProcess(`gateway-${slot + 1}`, slot === 2 ? 1 : 0)
    runAs(process)
    this.#gateways[slot] = startGateway(process, this.#wire, (line) => this.#say(line))
  }

  #startWorker(): Process {
    const process = this.#newProcess('worker', 1)
    runAs(process)
    startWorker(process, this.#wire)
    return process
  }

  #newProcess(name: string, machine: number): Process {
    this.#started += 1
    const disk = this.#disks[machine]
    if (disk === undefined) throw new Error(`there is no machine ${machine}`)
    // Few process ids, so that a new process may reuse the id of a dead one.
    const free = [101, 102, 103, 104].filter((pid) => !disk.processes.has(pid))
    return new Process({
      name,
      pid: this.#random.pick(free),
      startTicks: this.#started,
      disk,
      scheduler: this.#scheduler,
    })
  }

  #killGateway(slot: number): void {
    const gateway = this.#gateways[slot]
    if (gateway === undefined || !gateway.process.isAlive) return
    this.#say(`${gateway.process.name} is killed`)
    gateway.process.kill()
    this.figures.crashes += 1
    this.#scheduler.after(this.#random.integer(0, 3_000), null, () => this.#restart(slot))
  }

  #restart(slot: number): void {
    if (this.#gateways[slot]?.process.isAlive === true) return
    this.#startGateway(slot)
    this.#say(`${this.#gateways[slot]?.process.name} starts again`)
  }

  #killWorker(): void {
    this.#say('the worker is killed')
    this.#worker.kill()
    this.figures.crashes += 1
    this.#scheduler.after(this.#random.integer(0, 3_000), null, () => {
      if (!this.#worker.isAlive) this.#worker = this.#startWorker()
    })
  }

  #losePower(machine: number): void {
    const disk = this.#disks[machine]
    if (disk === undefined) return
    this.#say(`machine ${machine + 1} loses its power`)
    for (const [slot, { process }] of this.#gateways.entries()) if (process.disk === disk) this.#killGateway(slot)
    if (this.#worker.disk === disk) this.#killWorker()
    disk.losePower()
  }

  async #stopPostgres(losesCommits: boolean): Promise<void> {
    this.#say(losesCommits ? 'Postgres loses its power' : 'Postgres is stopped')
    this.#wire.stop()
    this.figures.crashes += 1
    if (losesCommits) await this.#store.crash(this.#random)
    this.#invariants.judge()
  }

  #startPostgres(): void {
    this.#say('Postgres is up')
    this.#wire.start()
  }

  /** A wallet gets money, and its customer pays some in or gets some back. */
  async #topUp(position: number): Promise<void> {
    const wallet = this.#random.pick(wallets)
    this.#say(`a wallet gets 200`)
    const id = generationId(this.#scheduler.nowMs, 900 + position)
    await this.#store.credit({ id, walletId: wallet.id, amount: 200n })
    if (wallet.customerId !== null) await this.#move(wallet, position % 2 === 0 ? 150n : -70n, 850 + position)
  }

  async #move({ id: walletId, customerId }: NewWallet, amount: bigint, number: number): Promise<void> {
    if (customerId === null) return
    await this.#store.move({ id: generationId(this.#scheduler.nowMs, number), walletId, customerId, amount })
  }

  /** From here on nothing fails. */
  #repair(): void {
    this.#say('all is repaired')
    this.#wire.faults = noWireFaults
    for (const disk of this.#disks) disk.faults = { fullChance: 0, syncChance: 0 }
    this.#startPostgres()
    for (const slot of this.#gateways.keys()) this.#restart(slot)
    if (!this.#worker.isAlive) this.#worker = this.#startWorker()
  }
}
