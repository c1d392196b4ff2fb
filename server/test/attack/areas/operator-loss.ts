import { formatUsd, nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import type { ServerProcess } from '#test/drills/setup/server-process.ts'
import { importModels } from '#test/money/import-models.ts'
import { type Ask, plainModel, requestFor } from '#test/money/overspend/ask.ts'
import { isBeyondCount } from '#test/money/overspend/attack.ts'
import { createGate, type Gate } from '#test/money/overspend/gate.ts'
import { type GreedyUpstream, startGreedyUpstream } from '#test/money/overspend/greedy-upstream.ts'
import { copyOf, greedyModels } from '#test/money/overspend/greedy-models.ts'
import { billedToTheOperator } from '#test/money/overspend/operator-ways.ts'
import type { Way } from '#test/money/overspend/way.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Area, Attack } from '../area.ts'
import { tryAbandonment } from '../operator-loss/try-abandonment.ts'
import { sendJson } from '../setup/send.ts'
import { newClientAddress } from '../sign-in/visitor.ts'

const walletUsd = '1'
/** Enough credit for one request of each way, and less than the bill of an upstream that then ignores its cap. */
const decoyUsd = '0.75'
/** The daily operator loss allowed per wallet. */
const allowance = parseUsd('0.50')
const [walletsFull, walletsShort] = [6, 2]
const callsShortMax = 40

export const operatorLoss: Area = {
  name: 'operator-loss',
  tries: 'bursts of wallets with a dollar each, whose upstreams bill more than their holds, or whose clients leave',
  alarm: /"msg":"an upstream reported more tokens than the request can have used/,
  async run(attack) {
    const { world, report } = attack
    const upstream = await startGreedyUpstream()
    await importModels(world.pool, greedyModels)
    await addProviders(attack, upstream)
    const env = { WEIR_LIMITS_UNBILLED_USD: '0.50', WEIR_BREAKER_FAILURES: '1000000' }
    const gateways = await Promise.all([world.startGatewayWith(env), world.startGatewayWith(env)])
    const scene = { upstream, gateways }
    let worst: Loss = { name: 'none', ofWallet: 0n, perUsd: 0 }
    let first = 0n
    for (const [index, each] of billedToTheOperator.entries()) {
      if (!report.attempt(each.name)) continue
      const loss = await tryWay(attack, scene, withOwnModel(each, index))
      first += loss.first
      if (loss.ofWallet > worst.ofWallet) worst = loss
    }
    await tryAbandonment(attack, scene, { walletUsd, allowance })
    await Promise.all(gateways.map((gateway) => world.endGateway(gateway)))
    await upstream.close()
    const most = `$${formatUsd(nanoUsd(worst.ofWallet))} of one wallet and day, $${worst.perUsd.toFixed(2)} for each dollar`
    report.figure(`${billedToTheOperator.length} ways: at most ${most} (${worst.name})`)
    report.figure(`$${formatUsd(nanoUsd(first))} until upstreams were known to break their word`)
  },
}

interface Scene {
  readonly upstream: GreedyUpstream
  readonly gateways: readonly ServerProcess[]
}

interface Loss {
  readonly name: string
  /** The absorbed amount of the wallet that cost the operator most. */
  readonly ofWallet: bigint
  /** The absorbed amount of all wallets per dollar of credit. */
  readonly perUsd: number
}

async function addProviders({ world }: Attack, { url }: GreedyUpstream): Promise<void> {
  await world.addProvider({ vendor: 'openai', name: 'loss-openai', url: `${url}/v1`, pattern: 'acme/*' })
  await world.addProvider({ vendor: 'anthropic', name: 'loss-claude', url, pattern: 'claude/*' })
  await world.addProvider({ vendor: 'perplexity', name: 'loss-sonar', url: `${url}/v1`, pattern: 'sonar/*' })
}

/** A gateway remembers per model that its upstream is inexact, so each way uses another model. */
function withOwnModel(way: Way, index: number): Way {
  return { ...way, ask: { ...way.ask, model: copyOf(way.ask.model ?? plainModel, index) } }
}

async function tryWay(attack: Attack, scene: Scene, way: Way): Promise<Loss & { first: bigint }> {
  const { world, report, isShort } = attack
  const first = isBeyondCount(way) ? await learn(attack, scene, way) : 0n
  const wallets = await Promise.all(
    Array.from({ length: isShort ? walletsShort : walletsFull }, () => world.createClient({ usd: walletUsd })),
  )
  const calls = isShort ? Math.min(way.calls, callsShortMax) : way.calls
  const gate = createGate(wallets.length * calls)
  scene.upstream.play({ ...way.greed, gate })
  await Promise.all(wallets.map((wallet) => burst(scene, wallet, { ask: way.ask, calls, gate })))
  await world.settleDown()
  const absorbed = await Promise.all(wallets.map((wallet) => absorbedBy(attack, wallet)))
  const ofWallet = absorbed.reduce((most, each) => (each > most ? each : most), 0n)
  report.judge({
    label: `${way.name}: what one wallet cost the operator`,
    isRight: ofWallet <= allowance,
    expected: `at most $${formatUsd(allowance)}`,
    got: `$${formatUsd(nanoUsd(ofWallet))}`,
  })
  const perUsd = Number(absorbed.reduce((sum, each) => sum + each, 0n)) / Number(parseUsd(walletUsd)) / wallets.length
  return { name: way.name, ofWallet, perUsd, first }
}

/** Sends one request per gateway, which then knows the upstream. Returns the operator's loss. */
async function learn(attack: Attack, { upstream, gateways }: Scene, way: Way): Promise<bigint> {
  upstream.play(way.greed)
  const decoys = await Promise.all(gateways.map(() => attack.world.createClient({ usd: decoyUsd })))
  const called = gateways.map((gateway, index) => {
    const decoy = decoys[index]
    return decoy === undefined ? null : callOnce(gateway, decoy, { ask: way.ask, from: newClientAddress() })
  })
  await Promise.all(called)
  await attack.world.settleDown()
  const absorbed = await Promise.all(decoys.map((decoy) => absorbedBy(attack, decoy)))
  return absorbed.reduce((sum, each) => sum + each, 0n)
}

/** All at once: no response ends before every request is in progress or rejected. */
async function burst(
  { gateways }: Scene,
  wallet: TestClient,
  { ask, calls, gate }: { ask: Ask; calls: number; gate: Gate },
): Promise<void> {
  const from = newClientAddress()
  const turns = Array.from({ length: calls }, async (_, turn) => {
    const gateway = gateways[turn % gateways.length]
    if (gateway !== undefined) await callOnce(gateway, wallet, { ask, from })
    gate.arrive()
  })
  await Promise.all(turns)
}

async function callOnce(
  { url }: ServerProcess,
  { key }: TestClient,
  { ask, from }: { ask: Ask; from: string },
): Promise<void> {
  const { path, body } = requestFor(ask)
  const headers = { authorization: `Bearer ${key}` }
  await sendJson(`${url}${path}`, { method: 'POST', headers, body, localAddress: from })
}

async function absorbedBy({ world }: Attack, { walletId }: TestClient): Promise<bigint> {
  const text = 'SELECT coalesce(sum(absorbed_nano), 0) AS absorbed FROM generations WHERE wallet_id = $1'
  const { rows } = await world.pool.query<{ absorbed: string }>(text, [walletId])
  return BigInt(rows[0]?.absorbed ?? 0)
}
