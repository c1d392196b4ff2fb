import { operateOrganization } from '#control/organizations/operate-organization.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { nanoUsd, parseUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { endOf } from '#lib/utc-calendar.ts'
import { newUuid } from '#lib/uuid.ts'
import { createInvoices } from '#store/postgres/billing/postgres-invoices.ts'
import { createPostgresRollup } from '#store/postgres/usage/postgres-rollup.ts'
import { createOrganizations } from '#store/postgres/organizations/organization-store.ts'
import type { Call } from '#test/drills/setup/call.ts'
import { chatBody } from '#test/drills/setup/chat-body.ts'
import { streamPieces } from '#test/drills/setup/gated-stream.ts'
import { holdOfOneCall } from '#test/drills/setup/hold-of-one-call.ts'
import type { ServerProcess } from '#test/drills/setup/server-process.ts'
import { until } from '#test/drills/setup/until.ts'
import { testIssuer } from '#test/payments/orders.ts'
import type { TestOrganization } from '#test/setup/organizations.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import type { Area, Attack } from '../area.ts'
import { judgeBooks } from '../setup/judge-books.ts'
import { endServers } from '../setup/judge-server.ts'
import { sendJson } from '../setup/send.ts'
import { jumpClocks, wandering } from '../time/jump-clocks.ts'

const [hourMs, dayMs] = [3_600_000, 86_400_000]
const terms = { ...testIssuer, taxes: new Map<string, number>(), dueDays: 14, suspendDays: 0 }
const creditLine = parseUsd('1000')
const [roundsFull, roundsShort] = [20, 3]
const streamsEach = 3
const rollupMax = 1_000
const workersAtOnce = 4
// Eight thousand tokens cost more than a cent, so that invoices have lines.
const promptTokens = 8_000
const body = chatBody({ stream: true, messages: [{ role: 'user', content: 'weir '.repeat(promptTokens) }] })

/**
 * The drills `shifted-clock` and `month-edge` cover constantly wrong clocks and a month end. Here clocks jump to and
 * fro during streams, months are billed early and twice, and the organization switches between prepaid and monthly
 * billing.
 */
export const time: Area = {
  name: 'time',
  tries: 'clocks that jump, months billed by several workers while billing changes, and times that a client claims',
  async run(attack) {
    const { world, report, isShort, random } = attack
    await tryClaimedTimes(attack)
    const shifts = random.shuffle([40 * dayMs, -40 * dayMs, dayMs, -dayMs, hourMs, -hourMs, 0])
    const ahead = wandering(shifts)
    const behind = wandering(shifts.toReversed())
    const gateways = await Promise.all([
      world.startGatewayWith(ahead.env, { nodeFlags: ahead.nodeFlags }),
      world.startGatewayWith(behind.env, { nodeFlags: behind.nodeFlags }),
    ])
    const worker = await world.startWorker(ahead)
    const organization = await world.createOrganization({ usd: '0', creditLineUsd: '1000' })
    const key = await world.addOrganizationKey(organization.id)
    const rounds = isShort ? roundsShort : roundsFull
    let streams = 0
    for (let round = 1; round <= rounds; round += 1) {
      const label = `round ${round} of ${rounds}`
      if (!report.attempt(label)) continue
      streams += await runRound(attack, { label, gateways, worker, organization, key })
    }
    await judgeInvoices(attack, organization)
    await world.simulator.play({ kind: 'echo' })
    await judgeBooks(attack)
    await endServers(attack, [...gateways, worker])
    report.figure(`${streams} streams over ${rounds} jumps of three clocks`)
  },
}

interface Scene {
  readonly label: string
  readonly gateways: readonly ServerProcess[]
  readonly worker: ServerProcess
  readonly organization: TestOrganization
  readonly key: { readonly key: string }
}

/**
 * Streams run on both gateways while all clocks jump, billing changes, and workers with different clocks bill months.
 */
async function runRound(attack: Attack, { label, gateways, worker, organization, key }: Scene): Promise<number> {
  const { world, report, random } = attack
  await setBilling(attack, organization, 'monthly')
  const gate = `time ${label}`
  const usage = { prompt: promptTokens, completion: streamPieces.length }
  const stream = goodStream({ pieces: streamPieces }, usage)
  await world.simulator.play(
    insertAfterWrites(stream, random.integer(2, streamPieces.length), { do: 'gate', name: gate }),
  )
  const calls = gateways.flatMap((gateway) =>
    Array.from({ length: streamsEach }, (): Call => world.call(gateway, key, body)),
  )
  await Promise.all(calls.map((call) => call.waitForChunks(1)))
  await Promise.all([
    jumpClocks([...gateways, worker]),
    changeBilling(attack, organization),
    billMonths(attack),
    ...Array.from({ length: workersAtOnce }, () => createPostgresRollup(world.pool).rollUp(rollupMax)),
  ])
  await Promise.all([world.simulator.release(gate), billMonths(attack), changeBilling(attack, organization)])
  for (const seen of await Promise.all(calls.map(({ ended }) => ended))) {
    const isRight = seen.end === 'complete' && seen.costNano !== null && seen.costNano > 0n
    const got = `${seen.status} ${seen.end} ${seen.cause ?? ''} ${seen.costNano} ${seen.text.slice(-300)}`
    report.judge({ label, isRight, expected: 'a stream that ends and is charged', got })
    const { rows } = await world.pool.query('SELECT 1 FROM lapsed_holds WHERE id = $1', [seen.generationId])
    report.judge({
      label,
      isRight: rows.length === 0,
      expected: 'a hold that lasts',
      got: `${seen.generationId} lapsed`,
    })
  }
  return calls.length
}

/** Switches to prepaid and back. */
async function changeBilling(attack: Attack, organization: TestOrganization): Promise<void> {
  await setBilling(attack, organization, 'prepaid')
  await setBilling(attack, organization, 'monthly')
}

async function setBilling({ world }: Attack, { id }: TestOrganization, billing: 'prepaid' | 'monthly'): Promise<void> {
  const deps = { organizations: createOrganizations(world.pool), announce: async () => {} }
  const change = { billing, creditLine: billing === 'monthly' ? creditLine : zeroUsd }
  await operateOrganization(deps, { reference: id, change }, operatorAuthor(0))
}

/** Runs several workers at once, some with clocks months ahead. */
async function billMonths({ world, random }: Attack): Promise<void> {
  const clocks = Array.from({ length: workersAtOnce }, () => billedAt(random.integer(0, 1)))
  await Promise.all(clocks.map((nowMs) => createInvoices(world.pool).issueDue(terms, nowMs)))
}

/** The time by which a month is billed, this many months from now. */
function billedAt(months: number): number {
  let endMs = endOf('month', Date.now())
  for (let month = 0; month < months; month += 1) endMs = endOf('month', endMs)
  return endMs + 13 * hourMs
}

const sumsText = `SELECT w.charged_nano - w.credited_nano AS owed,
    (SELECT coalesce(sum(g.cost_nano), 0) FROM generations g WHERE g.wallet_id = w.id) AS used,
    (SELECT coalesce(sum(m.spent_nano), 0) FROM usage_months m WHERE m.wallet_id = w.id) AS rolled_up,
    (SELECT coalesce(sum(i.credit_nano), 0) FROM invoice_states i WHERE i.wallet_id = w.id) AS billed,
    (SELECT i.carried_nano FROM invoiced_months i WHERE i.wallet_id = w.id ORDER BY i.month DESC LIMIT 1) AS carried
  FROM wallets w WHERE w.id = $1`

interface Sums {
  readonly owed: string
  readonly used: string
  readonly rolled_up: string
  readonly billed: string
  readonly carried: string
}

/** Once all months are over, each request is charged, rolled up and billed exactly once. */
async function judgeInvoices(attack: Attack, organization: TestOrganization): Promise<void> {
  const { world, report } = attack
  await world.settleDown()
  await setBilling(attack, organization, 'monthly')
  while ((await createInvoices(world.pool).issueDue(terms, billedAt(2))).isFull);
  await until(() => whatIsNotRolledUp(attack))
  const { rows } = await world.pool.query<Sums>(sumsText, [organization.walletId])
  const [sums] = rows
  if (sums === undefined) throw new Error('an organization has a wallet')
  const [owed, used, rolledUp] = [BigInt(sums.owed), BigInt(sums.used), BigInt(sums.rolled_up)]
  const billed = BigInt(sums.billed) + BigInt(sums.carried)
  report.judge({
    label: 'monthly billing over changes of billing',
    isRight: used > 0n && owed === used && rolledUp === used && billed === used && BigInt(sums.billed) > 0n,
    expected: `${used} nano-dollars charged, rolled up, and billed or carried`,
    got: JSON.stringify(sums),
  })
}

/** Workers roll up settled requests concurrently. */
async function whatIsNotRolledUp({ world }: Attack): Promise<string | null> {
  const text =
    'SELECT count(*)::integer AS waiting FROM generations, rollup_state WHERE settled_position >= rolled_up_below'
  const { rows } = await world.pool.query<{ waiting: number }>(text)
  const waiting = rows[0]?.waiting ?? 0
  return waiting === 0 ? null : `${waiting} requests are not rolled up`
}

/** A used-up daily limit stays used up, whatever time the client claims. */
async function tryClaimedTimes(attack: Attack): Promise<void> {
  const { world, report } = attack
  const plain = chatBody({ stream: true })
  const [gateway] = world.pair
  const limit = nanoUsd(await holdOfOneCall(world, gateway, plain))
  await world.simulator.play({ kind: 'echo' })
  const caller = await world.createClient({ terms: { limit, period: 'day' } })
  await world.call(gateway, caller, plain).ended
  for (const { name, headers, fields } of claimedTimes(Date.now() + 2 * dayMs)) {
    for (const { url } of world.pair) {
      const { status, text } = await sendJson(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${caller.key}`, ...headers },
        body: { ...plain, ...fields },
      })
      const label = `a time that a client claims: ${name}`
      report.judge({ label, isRight: status === 402, expected: '402', got: `${status} ${text.slice(0, 300)}` })
    }
  }
}

interface ClaimedTime {
  readonly name: string
  readonly headers?: Record<string, string>
  readonly fields?: Record<string, unknown>
}

function claimedTimes(atMs: number): readonly ClaimedTime[] {
  const [text, iso, seconds] = [new Date(atMs).toUTCString(), new Date(atMs).toISOString(), Math.floor(atMs / 1_000)]
  const id = newUuid(atMs)
  return [
    { name: 'none' },
    { name: 'Date', headers: { date: text } },
    { name: 'If-Modified-Since', headers: { 'if-modified-since': text } },
    { name: 'X-Request-Start', headers: { 'x-request-start': `t=${atMs}` } },
    { name: 'X-Timestamp', headers: { 'x-timestamp': String(seconds) } },
    { name: 'X-Amz-Date', headers: { 'x-amz-date': iso.replaceAll(/[-:]|\.\d+/g, '') } },
    { name: 'X-Request-Id', headers: { 'x-request-id': id } },
    { name: 'Idempotency-Key', headers: { 'idempotency-key': id } },
    { name: 'traceparent', headers: { traceparent: `00-${id.replaceAll('-', '')}-${id.slice(0, 8)}00000001-01` } },
    { name: 'created', fields: { created: seconds } },
    { name: 'metadata', fields: { metadata: { started_at: iso, created_at: iso } } },
    { name: 'id', fields: { id, generation_id: id } },
  ]
}
