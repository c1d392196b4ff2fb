import { expect, it } from 'vitest'
import { shareByName } from './share-by-name.ts'

it('computes once for concurrent calls with one name, and again once none of them waits', async () => {
  const share = shareByName<string>({ forMs: 50, nowMs: () => 0 })
  const computed: string[] = []
  const ask = (name: string) =>
    share(name, async () => {
      computed.push(name)
      return `${name} ${computed.length}`
    })
  expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toEqual(['a 1', 'a 1', 'b 2'])
  expect(await ask('a')).toBe('a 3')
  expect(computed).toEqual(['a', 'b', 'a'])
})

it('forgets a name whose computation failed', async () => {
  const share = shareByName<string>({ forMs: 50, nowMs: () => 0 })
  await expect(share('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await share('a', async () => 'back')).toBe('back')
})
