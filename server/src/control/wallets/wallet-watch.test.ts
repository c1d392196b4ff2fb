import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { WalletMark } from '#ports/wallet-marks.ts'
import { createWalletWatch, roundsMax, type WalletWatch } from './wallet-watch.ts'
import { checkEvery, type WalletNews, watchersMax, watchersPerWalletMax } from './watched-wallets.ts'

const empty: WalletMark = {
  balance: nanoUsd(0n),
  held: nanoUsd(0n),
  creditLine: nanoUsd(0n),
  charged: nanoUsd(0n),
  refused: 0,
}

/** A watch whose rounds are made by the test. */
function openWorld() {
  const marks = new Map<Uuid, WalletMark>()
  const reads: (readonly Uuid[])[] = []
  const faults: unknown[] = []
  const rounds: (() => void)[] = []
  let isAway = false
  const watch = createWalletWatch({
    marks: {
      read: async (ids) => {
        if (isAway) throw new Error('away')
        reads.push(ids)
        return new Map(ids.flatMap((id) => [[id, marks.get(id)] as const]).filter(isKnown))
      },
    },
    pause: () =>
      new Promise((resolve) => {
        rounds.push(resolve)
      }),
    onFault: (error) => faults.push(error),
  })
  return {
    watch,
    reads,
    faults,
    set: (id: Uuid, change: Partial<WalletMark>) => marks.set(id, { ...empty, ...marks.get(id), ...change }),
    goAway: (away: boolean) => {
      isAway = away
    },
    round: async () => {
      rounds.pop()?.()
      await turn()
    },
  }
}

const allowed = async () => true

function isKnown(entry: readonly [Uuid, WalletMark | undefined]): entry is [Uuid, WalletMark] {
  return entry[1] !== undefined
}

/** Reads news as a client does: always waiting for the next. */
function follow(watch: WalletWatch, id: Uuid, isStillAllowed = allowed, clientId = newUuid(0)) {
  const news: WalletNews[] = []
  const state = { news, isOver: false }
  const iterator = watch.watch(id, { clientId, isStillAllowed })[Symbol.asyncIterator]()
  const run = async () => {
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) news.push(next.value)
    state.isOver = true
  }
  return { state, running: run(), leave: () => iterator.return?.() }
}

const figures = (news: readonly WalletNews[], name: keyof WalletMark) =>
  news.map((one) => (typeof one === 'string' ? one : one.mark[name]))

describe('a watch of a wallet', () => {
  it('tells the figures at once, and then each change once', async () => {
    const world = openWorld()
    const id = newUuid(0)
    world.set(id, { balance: nanoUsd(5n) })
    const { state } = follow(world.watch, id)
    await turn()
    await world.round()
    for (const change of [
      { balance: nanoUsd(4n) },
      { held: nanoUsd(3n) },
      { creditLine: nanoUsd(2n) },
      { charged: nanoUsd(1n) },
      { refused: 1 },
    ]) {
      world.set(id, change)
      await world.round()
      await world.round()
    }
    expect(figures(state.news, 'balance')).toEqual([5n, 4n, 4n, 4n, 4n, 4n])
    expect(figures(state.news, 'refused')).toEqual([0, 0, 0, 0, 0, 1])
  })

  it('reads all wallets together, and nothing while nobody watches', async () => {
    const world = openWorld()
    const ids = [newUuid(0), newUuid(0)] as const
    for (const id of ids) world.set(id, {})
    const watches = [ids[0], ids[0], ids[1]].map((id) => follow(world.watch, id))
    await turn()
    world.reads.length = 0
    await world.round()
    expect(world.reads).toEqual([[...ids]])
    for (const { leave } of watches) void leave()
    world.set(ids[0], { refused: 1 })
    world.set(ids[1], { refused: 1 })
    await world.round()
    world.reads.length = 0
    await world.round()
    await world.round()
    expect(world.reads).toEqual([])
  })

  it('keeps the last figures for a client that does not read', async () => {
    const world = openWorld()
    const id = newUuid(0)
    world.set(id, {})
    const reading = follow(world.watch, id)
    const slow = world.watch.watch(id, { clientId: id, isStillAllowed: allowed })[Symbol.asyncIterator]()
    await slow.next()
    const waiting = slow.next()
    world.set(id, { refused: 1 })
    await world.round()
    await waiting
    for (const refused of [2, 3]) {
      world.set(id, { refused })
      await world.round()
    }
    expect((await slow.next()).value).toMatchObject({ mark: { refused: 3 } })
    expect(figures(reading.state.news, 'refused')).toEqual([0, 1, 2, 3])
  })

  it('shows every 15 rounds that it is still there, and is over after its rounds', async () => {
    const world = openWorld()
    const id = newUuid(0)
    world.set(id, {})
    const { state, running } = follow(world.watch, id)
    await turn()
    for (let round = 0; round < roundsMax; round += 1) {
      expect(state.isOver).toBe(false)
      await world.round()
    }
    await running
    expect(state.news.filter((news) => news === 'still there')).toHaveLength(roundsMax / 15)
  })

  it.each([
    ['quiet', false],
    ['busy', true],
  ])('of a %s wallet tells nothing more once its client may not watch any longer', async (_kind, isBusy) => {
    const world = openWorld()
    const id = newUuid(0)
    world.set(id, {})
    let isAllowed = true
    const { state, running } = follow(world.watch, id, async () => isAllowed)
    await turn()
    for (let round = 1; round < 2 * checkEvery; round += 1) {
      world.set(id, { refused: isBusy ? round : 0 })
      await world.round()
      if (round === checkEvery) isAllowed = false
    }
    expect(state.isOver).toBe(false)
    const before = state.news.length
    world.set(id, { refused: 1_000 })
    await world.round()
    await running
    expect(state.news.slice(before)).toEqual(['not allowed'])
  })

  it('is over, without a last word, when its client cannot be checked', async () => {
    const world = openWorld()
    const id = newUuid(0)
    world.set(id, {})
    const { state, running } = follow(world.watch, id, async () => {
      throw new Error('away')
    })
    await turn()
    for (let round = 0; round < checkEvery; round += 1) await world.round()
    await running
    expect(state.news).not.toContain('not allowed')
  })

  it('checks its clients one after another, however many came at once, and each once in 60 rounds', async () => {
    const world = openWorld()
    const clients = Array.from({ length: 2 * checkEvery }, () => newUuid(0))
    const checked = new Map<Uuid, number>()
    let inRound = 0
    for (const id of clients) {
      world.set(id, {})
      follow(world.watch, id, async () => {
        checked.set(id, (checked.get(id) ?? 0) + 1)
        inRound += 1
        return true
      })
    }
    await turn()
    for (let round = 0; round < checkEvery; round += 1) {
      inRound = 0
      await world.round()
      await turn()
      expect(inRound).toBe(2)
    }
    expect(clients.map((id) => checked.get(id))).toEqual(clients.map(() => 1))
  })

  it('goes on after the store was away', async () => {
    const world = openWorld()
    const id = newUuid(0)
    world.set(id, {})
    const { state } = follow(world.watch, id)
    await turn()
    world.goAway(true)
    await world.round()
    expect(world.faults).toHaveLength(1)
    world.goAway(false)
    world.set(id, { refused: 7 })
    await world.round()
    expect(figures(state.news, 'refused')).toEqual([0, 7])
  })

  it('is over when the gateway shuts down, and refuses further ones', async () => {
    const world = openWorld()
    const id = newUuid(0)
    world.set(id, {})
    const { running } = follow(world.watch, id)
    await turn()
    await world.watch.close()
    await running
    await expect(follow(world.watch, id).running).rejects.toMatchObject({ errorName: 'draining' })
  })

  it('allows so many watches of a wallet, and so many in all', async () => {
    const world = openWorld()
    const ids = Array.from({ length: watchersMax / watchersPerWalletMax + 1 }, () => newUuid(0))
    for (const id of ids) world.set(id, {})
    const [first = newUuid(0), ...others] = ids
    const many = Array.from({ length: watchersPerWalletMax }, () => follow(world.watch, first))
    await expect(follow(world.watch, first).running).rejects.toMatchObject({ errorName: 'rateLimited' })
    const rest = others
      .slice(0, -1)
      .flatMap((id) => Array.from({ length: watchersPerWalletMax }, () => follow(world.watch, id)))
    const last = others.at(-1) ?? first
    expect(many.length + rest.length).toBe(watchersMax)
    await expect(follow(world.watch, last).running).rejects.toMatchObject({ errorName: 'rateLimited' })
    void many[0]?.leave()
    world.set(first, { refused: 1 })
    await world.round()
    follow(world.watch, last)
    await expect(follow(world.watch, last).running).rejects.toMatchObject({ errorName: 'rateLimited' })
  })

  it('allows one client so many watches, over all wallets, and leaves room for others', async () => {
    const world = openWorld()
    const [client, wallet, other] = [newUuid(0), newUuid(0), newUuid(0)]
    for (const id of [wallet, other]) world.set(id, {})
    const ofClient = (id: Uuid) => follow(world.watch, id, allowed, client)
    const open = Array.from({ length: 20 }, (_, index) => ofClient(index % 2 === 0 ? wallet : other))
    for (const id of [wallet, other]) {
      await expect(ofClient(id).running).rejects.toMatchObject({ errorName: 'rateLimited' })
    }
    const neighbour = follow(world.watch, wallet)
    await turn()
    expect(figures(neighbour.state.news, 'refused')).toEqual([0])
    void open[0]?.leave()
    world.set(wallet, { refused: 1 })
    await world.round()
    const next = ofClient(other)
    await turn()
    expect(figures(next.state.news, 'refused')).toEqual([0])
    await expect(ofClient(wallet).running).rejects.toMatchObject({ errorName: 'rateLimited' })
  })
})
