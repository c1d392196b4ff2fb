import { expect, it } from 'vitest'
import { postgresServers } from './postgres-servers.ts'

it('one server is taken as it stands, whatever it is', () => {
  for (const url of [
    'postgres://weir@db/weir',
    'postgresql://u:p%40ss@[::1]:5433/weir?sslmode=no-verify',
    'postgres:///weir',
  ]) {
    expect(postgresServers(url)).toEqual({ urls: [url], onlyPrimary: false })
  }
})

it('several servers share all but their place, and mean the one that takes writes', () => {
  expect(postgresServers('postgres://u:p@ss@one:5432,two,[::1]:5434/weir?sslmode=verify-full')).toEqual({
    urls: ['one:5432', 'two', '[::1]:5434'].map((host) => `postgres://u:p@ss@${host}/weir?sslmode=verify-full`),
    onlyPrimary: true,
  })
})

it('one server may be asked for as the primary, and the parameter does not reach the driver', () => {
  for (const word of ['read-write', 'primary']) {
    expect(postgresServers(`postgres://u@db/weir?sslmode=disable&target_session_attrs=${word}&a=b`)).toEqual({
      urls: ['postgres://u@db/weir?sslmode=disable&a=b'],
      onlyPrimary: true,
    })
    expect(postgresServers(`postgres://u@db/weir?target_session_attrs=${word}`)?.urls).toEqual(['postgres://u@db/weir'])
  }
})

it.each([
  'mysql://u@db/weir',
  'postgres://u@one,,two/weir',
  'postgres://u@one:70000,two/weir',
  'postgres://u@one,two/weir?target_session_attrs=any',
  'postgres://u@one/weir?target_session_attrs=standby',
])('refuses %s', (url) => {
  expect(postgresServers(url)).toBeNull()
})
