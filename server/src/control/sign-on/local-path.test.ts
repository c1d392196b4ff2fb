import { expect, it } from 'vitest'
import { localPath } from './local-path.ts'

it.each(['/console/', '/console', '/console/keys?page=2#top', '/console/organizations/1/members'])(
  'keeps %j',
  (path) => {
    expect(localPath(path)).toBe(path)
  },
)

it.each([
  null,
  '',
  '/',
  '/api/auth/sign-out',
  '/consolex',
  'console/',
  '//evil.example/console/',
  '/\\evil.example',
  '/console/\\..\\..\\evil',
  'https://evil.example/console/',
  'javascript:alert(1)',
  '/console/../..//evil.example',
  '/console/%2e%2e/%2e%2e/api/keys',
  '/console/\t/x',
  '/console/\u202e',
  `/console/${'a'.repeat(1_000)}`,
])('replaces %j by the start page', (path) => {
  expect(localPath(path)).toBe('/console/')
})
