import { describe, expect, it } from 'vitest'
import { tagText } from '#domain/tags/tag.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { createTagCache } from './tag-cache.ts'

const wallet = '00000000-0000-7000-8000-000000000001'
const other = '00000000-0000-7000-8000-000000000002'
const team = { name: 'team', value: 'search' }
const feature = { name: 'feature', value: 'rewrite' }

function cacheOf(fault?: Error) {
  const asked: string[] = []
  const cache = createTagCache({
    tags: {
      findOrCreate: async (walletId, tag) => {
        asked.push(`${walletId.at(-1)} ${tagText(tag)}`)
        if (fault !== undefined) throw fault
        return tag.name === 'team' ? 'b' : 'a'
      },
    },
    clock: () => 0,
  })
  return { asked, cache }
}

describe('the ids of tags', () => {
  it('are sorted, and asked for once', async () => {
    const { asked, cache } = cacheOf()
    expect(await cache.find(wallet, [team, feature])).toEqual(['a', 'b'])
    expect(cache.find(wallet, [team, feature])).toEqual(['a', 'b'])
    expect(cache.find(wallet, [team])).toEqual(['b'])
    expect(asked).toEqual(['1 team=search', '1 feature=rewrite'])
  })

  it('are of one wallet', async () => {
    const { asked, cache } = cacheOf()
    await cache.find(wallet, [team])
    await cache.find(other, [team])
    expect(asked).toEqual(['1 team=search', '2 team=search'])
  })

  it('are not guessed while the store is away, and a refusal is passed on', async () => {
    await expect(cacheOf(new Error('away')).cache.find(wallet, [team])).rejects.toMatchObject({
      errorName: 'storeUnavailable',
    })
    const full = new GatewayError('tooManyTags', { message: 'The wallet has too many.' })
    await expect(cacheOf(full).cache.find(wallet, [team])).rejects.toBe(full)
  })
})
