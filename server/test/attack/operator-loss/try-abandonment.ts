import { request as httpRequest } from 'node:http'
import { formatUsd, nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { until } from '#test/drills/setup/until.ts'
import type { ServerProcess } from '#test/drills/setup/server-process.ts'
import { requestFor } from '#test/money/overspend/ask.ts'
import { createGate } from '#test/money/overspend/gate.ts'
import { copyOf, copiesMax } from '#test/money/overspend/greedy-models.ts'
import type { GreedyUpstream } from '#test/money/overspend/greedy-upstream.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Attack } from '../area.ts'
import { sendJson } from '../setup/send.ts'
import { newClientAddress } from '../sign-in/visitor.ts'

/** Each response is worth four cents, so that the wallet's credit would be held twice over if it could be. */
const ask = { stream: true, cap: 4_000, model: copyOf('acme/plain', copiesMax - 1) }
const worthOfOne = parseUsd('0.04')
const [calls, bursts] = [50, 3]
const [walletsFull, walletsShort] = [4, 1]

interface Scene {
  readonly upstream: GreedyUpstream
  readonly gateways: readonly ServerProcess[]
}

/**
 * Clients that read whole responses and disconnect before usage arrives, all at once, burst after burst. Disconnecting
 * is free, so the daily cost of one wallet is bounded by the responses that its credit holds at once, plus an unused
 * allowance.
 */
export async function tryAbandonment(
  attack: Attack,
  scene: Scene,
  { walletUsd, allowance }: { walletUsd: string; allowance: bigint },
): Promise<void> {
  const { world, report, isShort } = attack
  const label = `${bursts} bursts of ${calls} answers that are abandoned before their usage`
  if (!report.attempt(label)) return
  const most = parseUsd(walletUsd) + allowance
  let worst = 0n
  for (let index = 0; index < (isShort ? walletsShort : walletsFull); index += 1) {
    const wallet = await world.createClient({ usd: walletUsd })
    world.noteUnseen(wallet.keyId)
    const from = newClientAddress()
    const made: number[] = []
    for (let turn = 0; turn < bursts; turn += 1) {
      made.push(await abandonAll(scene, wallet, from))
      await world.settleDown()
      await untilRestricted(scene, wallet, from)
    }
    const worth = worthOfOne * BigInt(made.reduce((sum, count) => sum + count, 0))
    if (worth > worst) worst = worth
    report.judge({
      label: `${label}: what one wallet cost the operator`,
      isRight: worth > 0n && worth <= most,
      expected: `at most $${formatUsd(nanoUsd(most))}, a wallet's credit and its allowance`,
      got: `$${formatUsd(nanoUsd(worth))}, ${made.join(' + ')} answers`,
    })
    // The first burst exceeded the allowance.
    report.judge({
      label: `${label}: answers after the first burst`,
      isRight:
        made[0] !== undefined &&
        worthOfOne * BigInt(made[0]) > allowance &&
        made.slice(1).every((count) => count === 0),
      expected: 'none',
      got: made.join(' + '),
    })
  }
  const perUsd = Number(worst) / Number(parseUsd(walletUsd))
  report.figure(
    `abandoned answers: $${formatUsd(nanoUsd(worst))} of one wallet and day, $${perUsd.toFixed(2)} for each dollar`,
  )
}

/** A disconnect counts shortly after its request has ended. */
function untilRestricted(
  { gateways }: Pick<Scene, 'gateways'>,
  { key }: TestClient,
  localAddress: string,
): Promise<void> {
  const { path, body } = requestFor({ ...ask, stream: false, cap: 1 })
  const headers = { authorization: `Bearer ${key}` }
  return until(async () => {
    const sent = gateways.map(({ url }) => sendJson(url + path, { method: 'POST', headers, body, localAddress }))
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    return statuses.every((status) => status === 429)
      ? null
      : `a wallet beyond its allowance gets ${statuses.join(', ')}`
  })
}

/**
 * Returns the number of upstream responses. No client disconnects before every other has read its response or was
 * rejected.
 */
async function abandonAll({ upstream, gateways }: Scene, { key }: TestClient, from: string): Promise<number> {
  const before = upstream.caps.length
  const read = createGate(calls)
  // Usage never arrives, so waiting for it after a disconnect is useless.
  upstream.play({ wants: ask.cap, endGate: createGate(Number.POSITIVE_INFINITY) })
  const turns = Array.from({ length: calls }, async (_, turn) => {
    const leave = await readWhole(gateways[turn % gateways.length]?.url ?? '', key, from)
    read.arrive()
    await read.opened
    leave()
  })
  await Promise.all(turns)
  return upstream.caps.length - before
}

/**
 * Resolves when every output token has arrived or the response ended; returns a function that disconnects the client.
 */
function readWhole(url: string, key: string, localAddress: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<() => void>()
  const { path, body } = requestFor(ask)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const sent = httpRequest(url + path, { method: 'POST', agent: false, localAddress, headers })
  const leave = (): void => void sent.destroy()
  sent.on('error', () => resolve(leave))
  sent.on('response', (response) => {
    let frames = 0
    response.on('data', (bytes: Buffer) => {
      frames += bytes.toString('latin1').split('"content":"word').length - 1
      if (frames >= ask.cap) resolve(leave)
    })
    response.on('error', () => resolve(leave))
    response.on('close', () => resolve(leave))
  })
  sent.end(JSON.stringify(body))
  return promise
}
