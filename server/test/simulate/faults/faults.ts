/**
 * Faults that the simulation must find, to prove that its checks work. Each replaces a string in a file under `server/`
 * at load time, or in a Postgres function; a missing string fails the run.
 */
export interface Fault {
  readonly name: string
  readonly where: { readonly file: string } | { readonly sqlFunction: string }
  readonly find: string
  readonly replace: string
  /** A second replacement in the same file, for a fault that one safeguard alone would make harmless. */
  readonly and?: { readonly find: string; readonly replace: string }
}

const model = { file: 'test/simulate/store/model.ts' }
const money = { file: 'src/store/postgres/money/postgres-money.ts' }
const spool = { file: 'src/store/spool/settle-spool.ts' }

/**
 * A writer that finds its file renamed writes again. Without that, a file that is taken while it is written loses
 * lines.
 */
const writesOnce = {
  find: 'if (await appendDurably(path, text)) return',
  replace: 'return void (await appendDurably(path, text))',
}

export const faults: readonly Fault[] = [
  {
    name: 'settle-twice-charges-twice',
    where: model,
    find: 'if (settled !== undefined) return settled',
    replace: '',
  },
  {
    name: 'sweep-frees-a-live-lease',
    where: model,
    find: 'leaseUntilMs < nowMs)',
    replace: 'leaseUntilMs < nowMs + 3_000)',
  },
  {
    name: 'windows-are-not-released',
    where: model,
    find: 'this.#addHeld(hold, { amount: -hold.amount',
    replace: 'this.#addHeld({ ...hold, windows: [] }, { amount: -hold.amount',
  },
  {
    name: 'extension-is-not-counted',
    where: model,
    find: 'this.#addHeld(hold, { amount: taken, estimate: 0n })',
    replace: '',
  },
  {
    name: 'extension-ignores-the-wallet',
    where: model,
    find: "{ scope: 'wallet', room: this.#walletRoom(hold.walletId) }",
    replace: "{ scope: 'wallet', room: more }",
  },
  {
    name: 'hold-ignores-windows',
    where: model,
    find: '.filter((window) => (isHardLimit(window.scope) ? window.room < amount : window.room <= 0n))',
    replace: '.filter(() => false)',
  },
  {
    name: 'renewal-does-nothing',
    where: model,
    find: 'Math.max(hold.leaseUntilMs, untilMs)',
    replace: 'hold.leaseUntilMs',
  },
  {
    name: 'outcome-is-not-final',
    where: { file: 'src/pipeline/settle/settle.ts' },
    find: 'ticket.settlement ??=',
    replace: 'ticket.settlement =',
  },
  {
    name: 'leases-are-not-renewed',
    where: { file: 'src/pipeline/hold/lease-keeper.ts' },
    find: 'if (due.length > 0)',
    replace: 'if (due.length > 1_000)',
  },
  {
    name: 'lease-is-kept-after-the-end',
    where: { file: 'src/pipeline/hold/lease-keeper.ts' },
    find: 'old.delete(id)',
    replace: '',
  },
  { name: 'failed-settle-is-not-spooled', where: money, find: 'await spool.append(entry)', replace: '' },
  {
    name: 'spool-answers-before-it-writes',
    where: money,
    find: 'await spool.append(entry)',
    replace: 'void spool.append(entry).catch(() => {})',
  },
  {
    name: 'spool-is-not-synced',
    where: { file: 'src/store/spool/append-durably.ts' },
    find: 'await file.datasync()',
    replace: '',
  },
  {
    name: 'spool-folder-is-not-synced',
    where: { file: 'src/store/spool/append-durably.ts' },
    find: 'if ((await file.stat()).size === 0) await syncFolder(folder)',
    replace: '',
  },
  {
    name: 'spool-is-deleted-before-it-is-sent',
    where: { file: 'src/store/spool/replay-file.ts' },
    find: 'for (let start = 0;',
    replace: 'await unlink(path).catch(() => {}); for (let start = 0;',
  },
  {
    name: 'spool-of-the-dead-is-left',
    where: spool,
    find: '(owner !== tag && isProcessAlive(owner))',
    replace: 'owner !== tag',
  },
  {
    // A writer that finds its file gone writes again, so taking a live file only loses lines if that is missing too.
    name: 'spool-of-the-living-is-taken',
    where: spool,
    find: '(owner !== tag && isProcessAlive(owner))',
    replace: 'false',
    and: writesOnce,
  },
  {
    name: 'spool-writes-while-it-renames',
    where: spool,
    find: 'const turn = lastTurn.then(act, act)',
    replace: 'const turn = act()',
    and: writesOnce,
  },
  {
    name: 'torn-line-swallows-the-next',
    where: spool,
    find: "`\\n${entries.map(spoolLine).join('')}`",
    replace: "entries.map(spoolLine).join('')",
  },
  {
    name: 'sql-settle-keeps-the-hold',
    where: { sqlFunction: 'settle_generations' },
    find: 'held_nano = w.held_nano - n.held',
    replace: 'held_nano = w.held_nano',
  },
  {
    name: 'sql-plain-settle-keeps-the-hold',
    where: { sqlFunction: 'settle_plain_generation' },
    find: 'held_nano = w.held_nano - held',
    replace: 'held_nano = w.held_nano',
  },
  {
    name: 'sql-plain-batch-keeps-the-hold',
    where: { sqlFunction: 'settle_plain_generations' },
    find: 'held_nano = w.held_nano - n.held',
    replace: 'held_nano = w.held_nano',
  },
  {
    name: 'sql-sweep-ignores-leases',
    where: { sqlFunction: 'sweep_holds' },
    find: 'l.id = ANY (lapsed) AND l.lease_until < clock_timestamp()',
    replace: "l.lease_until < clock_timestamp() + interval '5 s'",
  },
  {
    name: 'sql-extension-ignores-windows',
    where: { sqlFunction: 'extend_hold' },
    find: 'THEN u.cap - s.spent_nano - s.held_nano',
    replace: 'THEN u.cap',
  },
  {
    name: 'sql-charge-without-a-hold-is-lost',
    where: { sqlFunction: 'settle_generations' },
    find: 'greatest(least(lacking.cost - lacking.held, min(x.room)), 0)',
    replace: '0',
  },
  {
    name: 'charge-ignores-the-room',
    where: { file: 'test/simulate/store/charge-rule.ts' },
    find: 'return cost < payable ? cost : payable',
    replace: 'return payable < 0n ? payable : cost',
  },
  {
    name: 'breaker-lets-holds-in-when-full',
    where: model,
    find: 'window.room < amount : window.room <= 0n',
    replace: 'window.room < amount : false',
  },
  {
    name: 'sql-retry-is-placed-again',
    where: { sqlFunction: 'place_holds' },
    find: 'IF is_retry THEN',
    replace: 'IF false THEN',
  },
  {
    name: 'spool-folder-is-synced-last',
    where: { file: 'src/store/spool/append-durably.ts' },
    find: 'if ((await file.stat()).size === 0) await syncFolder(folder)',
    replace: `if ((await file.stat()).size === 0) {
      await file.appendFile(text)
      await file.datasync()
      await syncFolder(folder)
      return true
    }`,
  },
]

export function faultNamed(name: string): Fault {
  const fault = faults.find((each) => each.name === name)
  if (fault === undefined) throw new Error(`no fault is called ${name}`)
  return fault
}

/** Fails if the string is missing, so that the list keeps up with the code. */
export function replaceIn(text: string, { name, find, replace, and }: Fault): string {
  if (!text.includes(find)) throw new Error(`the fault ${name} cannot be planted: its text is not there any more`)
  const changed = text.replaceAll(find, () => replace)
  return and === undefined ? changed : replaceIn(changed, { name, where: { file: '' }, ...and })
}
