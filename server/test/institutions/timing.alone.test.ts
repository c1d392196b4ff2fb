import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InstitutionWorld, newEmail, startInstitutionWorld, unknownKey } from './institution-world.ts'

let world: InstitutionWorld
beforeAll(async () => {
  world = await startInstitutionWorld()
})
afterAll(() => world.close())

const rounds = 81
const timeoutMs = 120_000

/** How often a value of one list is above one of the other; a half when nobody can tell them apart. */
function shareAbove(one: readonly number[], other: readonly number[]): number {
  const above = one.map((a) => other.filter((b) => a > b).length + other.filter((b) => a === b).length / 2)
  return above.reduce((sum, count) => sum + count, 0) / (one.length * other.length)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

describe('the time of an answer', () => {
  it(
    '[EDU-02] of request-code tells nothing about the key or the domain',
    async () => {
      const { key, keyId } = await world.createInstitution()
      const unknown = unknownKey()
      const kinds = {
        known: () => ({ key, email: newEmail() }),
        unknown: () => ({ key: unknown, email: newEmail() }),
        disallowed: () => ({ key, email: newEmail('elsewhere.edu') }),
      }
      const times = { known: [] as number[], unknown: [] as number[], disallowed: [] as number[] }
      for (let round = 0; round < rounds; round += 1) {
        // In turns, each as often first as the others, and only once nothing of the one before is going on any more.
        const names = ['known', 'unknown', 'disallowed'] as const
        for (const kind of [...names.slice(round % 3), ...names.slice(0, round % 3)]) {
          const entry = kinds[kind]()
          await world.pool.query('TRUNCATE institution_code_requests')
          times[kind].push(await timed(() => world.requestCode(entry)))
          const { key_id } = await world.storedCode(entry)
          expect(key_id).toBe(kind === 'known' ? keyId : null)
          if (kind === 'known') await world.mailServer.nextTo(entry.email)
        }
      }
      const figures = JSON.stringify([median(times.known), median(times.unknown), median(times.disallowed)])
      // Chance alone moves the share by about 0.05; a mail before the answer makes it 1.
      for (const other of [times.unknown, times.disallowed]) {
        expect(Math.abs(shareAbove(times.known, other) - 0.5), figures).toBeLessThan(0.2)
      }
    },
    timeoutMs,
  )

  it(
    '[EDU-10] of verify tells nothing about whether there is a code',
    async () => {
      const { key } = await world.createInstitution()
      const times = { known: [] as number[], unknown: [] as number[] }
      for (let round = 0; round < 30; round += 1) {
        const [known, unknown] = [
          { key, email: newEmail() },
          { key: unknownKey(), email: newEmail() },
        ]
        for (const entry of [known, unknown]) {
          await world.requestCode(entry)
          await world.storedCode(entry)
        }
        await world.mailServer.nextTo(known.email)
        await world.pool.query('TRUNCATE institution_code_requests')
        for (let guess = 0; guess < 4; guess += 1) {
          const code = `00000${guess}`
          const knownFirst = guess % 2 === 0
          if (knownFirst) times.known.push(await timed(() => world.verify({ ...known, code })))
          times.unknown.push(await timed(() => world.verify({ ...unknown, code })))
          if (!knownFirst) times.known.push(await timed(() => world.verify({ ...known, code })))
        }
      }
      expect(Math.abs(shareAbove(times.known, times.unknown) - 0.5)).toBeLessThan(0.2)
    },
    timeoutMs,
  )
})
