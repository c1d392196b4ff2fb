import { describe, expect, it } from 'vitest'
import { judgeChance } from './judge-chance.ts'

const linesIn = (text: string, path = 'server/test/a.test.ts') => judgeChance([{ path, text }]).map(({ line }) => line)

describe('a wait', () => {
  it.each([
    `await new Promise((resolve) => setTimeout(resolve, 50))`,
    `const timer = setInterval(work, 5)`,
    `const sleep = promisify(setTimeout)`,
    `globalThis.setTimeout(work, 5)`,
  ])('is found in %s', (code) => {
    expect(linesIn(`\n${code}`)).toEqual([2])
    expect(linesIn(code, 'server/test/a-world.ts')).toEqual([])
  })

  it.each([
    [`import { setTimeout } from 'node:timers/promises'`, 'await setTimeout(200)'],
    [`import { setTimeout as wait } from 'node:timers/promises'`, 'await wait(200)'],
    [`import { setImmediate, setTimeout as wait } from 'timers/promises'`, 'await Promise.race([work, wait(200)])'],
    [`import { scheduler } from 'node:timers/promises'`, 'await scheduler.wait(200)'],
    [`import * as timers from 'node:timers/promises'`, 'await timers.setTimeout(200)'],
    [`import timers from 'node:timers'`, 'timers.setTimeout(work, 200)'],
  ])('is found after %s', (clause, code) => {
    expect(linesIn(`${clause}\n${code}\nawait work()\n${code}`)).toEqual([2, 4])
  })

  it.each([
    `await new Promise((resolve) => setImmediate(resolve))`,
    `import { setImmediate as nextTurn } from 'node:timers/promises'\nawait nextTurn()`,
    `socket.setTimeout(1_000, give)`,
    `const options = { setTimeout: 1, wait: 2 }`,
    `const text = 'setTimeout(work, 5)' // setTimeout(work, 5)`,
  ])('is not %s', (code) => {
    expect(linesIn(code)).toEqual([])
  })
})

describe('an elapsed time with a constant bound', () => {
  it.each([
    `expect(performance.now() - startMs).toBeLessThan(1_000)`,
    `expect(Date.now() - startMs).toBeLessThanOrEqual(boundMs)`,
    `expect(performance.now() - startMs, 'too slow').not.toBeGreaterThan(100)`,
    `expect.soft((Date.now() / 1_000 - startS) * 2).toBeLessThan(3)`,
    `expect(\n  performance.now() - startMs,\n).toBeLessThan(\n  100,\n)`,
    `while (performance.now() - startMs < 500) work()`,
  ])('is found in %s', (code) => {
    expect(linesIn(`\n${code}`)).toEqual([2])
  })

  it.each([
    ['a name', `const tookMs = performance.now() - startMs\nexpect(tookMs).toBeLessThan(9)`, [2]],
    ['a name with a type', `const tookMs: number = Date.now() - startMs\nexpect(tookMs).toBeLessThan(9)`, [2]],
    ['a name of a name', `const a = Date.now() - b\nconst c = Math.ceil(a)\nexpect(c).toBeLessThan(9)`, [3]],
    ['an operator', `const tookMs = Date.now() - startMs\nif (tookMs > 1_500) fail()`, [2]],
    ['a named bound', `const maxMs = 9\nconst tookMs = Date.now() - startMs\nif (tookMs >= maxMs) fail()`, [3]],
    ['two readings', `const a = Date.now()\nwork()\nconst b = Date.now()\nexpect(b - a).toBeLessThan(9)`, [4]],
    ['an arrow', `const time = () => performance.now() - start\nexpect(time()).toBeLessThan(9)`, [2]],
    ['a list', `const times = [1, 2].map(() => Date.now() - b)\nexpect(Math.min(...times)).toBeLessThan(9)`, [2]],
    [
      'a function',
      `async function timed(work: Work): Promise<number> {
        const startMs = performance.now()
        try { await work() } finally {
          if (done) {
            return performance.now() - startMs
          }
        }
      }
      expect(await timed(work)).toBeLessThan(9)
      const [first, second] = await Promise.all([timed(work), timed(work)])
      expect(second).toBeLessThan(9)`,
      [9, 11],
    ],
    [
      'a property',
      `async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
        const startMs = performance.now()
        const result = await work()
        return { result, ms: performance.now() - startMs }
      }
      const loaded = await timed(work)
      expect(loaded.result).toBeLessThan(9)
      expect(loaded.ms).toBeLessThan(9)`,
      [8],
    ],
  ])('is found through %s', (_way, code, lines) => {
    expect(linesIn(code)).toEqual(lines)
  })

  it.each([
    ['a ratio', `const a = Date.now() - b\nconst c = Date.now() - d\nexpect(a / c).toBeLessThan(3)`],
    ['a named ratio', `const a = Date.now() - b\nconst c = a / timeOf(d)\nexpect(c).toBeLessThan(3)`],
    ['another time', `const a = Date.now() - b\nconst c = Date.now() - d\nexpect(a).toBeLessThan(c * 3)`],
    ['a lower bound', `expect(performance.now() - startMs).toBeGreaterThanOrEqual(50)`],
    ['a count', `const startMs = performance.now()\nconst calls = count()\nexpect(calls).toBeLessThan(3)`],
    ['a moment', `const longAgoMs = Date.now() - 3_600_000\nexpect(longAgoMs).toBeLessThan(row.atMs)`],
    ['a statement before', `const a = 5\nlog(performance.now() - startMs)\nexpect(a).toBeLessThan(9)`],
    ['what is said of it', `const a = Date.now() - b\nexpect(calls, String(a)).toBeLessThan(3)`],
    ['its neighbour', `const a = Date.now() - b\nconst c = { calls: count(), a }\nexpect(c.calls).toBeLessThan(3)`],
    ['text', `const text = 'expect(performance.now() - startMs).toBeLessThan(9)'`],
  ])('is not %s', (_what, code) => {
    expect(linesIn(code)).toEqual([])
  })
})

describe('an exception', () => {
  const wait = 'await new Promise((resolve) => setTimeout(resolve, 50))'

  it('has its reason in a comment above, of as many lines as it needs', () => {
    expect(linesIn(`// allowed: the kernel has no event for it\n${wait}`)).toEqual([])
    expect(linesIn(`// allowed: the kernel has no event\n// for what it does here.\n  ${wait}`)).toEqual([])
    expect(linesIn(`// allowed: a bound of the contract\nexpect(Date.now() - a).toBeLessThan(9)`)).toEqual([])
  })

  it.each([
    ['without a reason', `// allowed:\n${wait}`],
    ['with a word for a reason', `// allowed: slow\n${wait}`],
    ['of another kind', `// The kernel has no event for it.\n${wait}`],
    ['further above', `// allowed: the kernel has no event for it\nawait work()\n${wait}`],
  ])('does not hold %s', (_what, code) => {
    expect(linesIn(code)).toHaveLength(1)
  })
})
