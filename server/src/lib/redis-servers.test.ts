import { expect, it } from 'vitest'
import { sentinelServers } from './redis-servers.ts'

it('reads sentinels, the name of the set, credentials and the number of the database', () => {
  expect(sentinelServers('redis+sentinel://weir:p%40ss@one,two:26380,[::1]:26381/money/2')).toEqual({
    sentinels: [
      { host: 'one', port: 26_379 },
      { host: 'two', port: 26_380 },
      { host: '::1', port: 26_381 },
    ],
    name: 'money',
    username: 'weir',
    password: 'p@ss',
    db: 2,
  })
  expect(sentinelServers('redis+sentinel://:secret@one/set')).toEqual({
    sentinels: [{ host: 'one', port: 26_379 }],
    name: 'set',
    password: 'secret',
    db: 0,
  })
})

it.each(['redis://one/0', 'redis+sentinel://one', 'redis+sentinel://one,,two/set', 'redis+sentinel://one:70000/set'])(
  'refuses %s',
  (url) => {
    expect(sentinelServers(url)).toBeNull()
  },
)
