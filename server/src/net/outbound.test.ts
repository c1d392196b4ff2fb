import { describe, expect, it } from 'vitest'
import { createOutbound } from './outbound.ts'

const limits = { atOnceMax: 100, perAccountMax: 2, waitingPerAccountMax: 3, bytesMax: 1_000, bytesPerAccountMax: 200 }

describe('[B4] requests to addresses that accounts name', () => {
  it('are so many at once for one account; others are begun beside them, and what finds the line full is refused', async () => {
    const outbound = createOutbound(limits)
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const begun: string[] = []
    const run = (account: string) =>
      outbound.run({ account, bytesMax: 0 }, async () => {
        begun.push(account)
        await opened
      })
    const runs = Array.from({ length: 5 }, () => run('flood'))
    await expect(run('flood')).rejects.toMatchObject({ errorName: 'rateLimited', retryAfterS: 5 })
    const other = run('acme')
    expect(begun).toEqual(['flood', 'flood', 'acme'])
    expect(outbound.busyAccounts).toEqual(['flood'])
    open()
    await Promise.all([...runs, other])
    expect(begun).toHaveLength(6)
    expect(outbound.busyAccounts).toEqual([])
  })

  it('are so many bytes at once, and a process that is full says so without blaming the account', async () => {
    const outbound = createOutbound(limits)
    const begun: string[] = []
    const forever = (account: string, bytesMax: number) =>
      void outbound.run({ account, bytesMax }, () => {
        begun.push(account)
        return new Promise(() => {})
      })
    forever('a', 150)
    forever('a', 51)
    for (const account of ['b', 'c', 'd', 'e']) forever(account, 200)
    forever('f', 100)
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e'])
    for (const account of 'ghijklmno') for (let count = 0; count < 3; count += 1) forever(account, 60)
    forever('p', 60)
    await expect(outbound.run({ account: 'q', bytesMax: 60 }, async () => {})).rejects.toMatchObject({
      errorName: 'overloaded',
    })
  })
})
