import { expect, it } from 'vitest'
import { splitShortcuts } from './split-shortcuts.ts'

it.each([
  ['acme/model', { id: 'acme/model', sort: null, online: false }],
  ['acme/model:floor', { id: 'acme/model', sort: 'price', online: false }],
  ['acme/model:nitro', { id: 'acme/model', sort: 'throughput', online: false }],
  ['acme/model:online', { id: 'acme/model', sort: null, online: true }],
  ['acme/model:free:online', { id: 'acme/model:free', sort: null, online: true }],
  ['acme/model:online:floor', { id: 'acme/model', sort: 'price', online: true }],
  // The last of two contradicting shortcuts wins.
  ['acme/model:floor:nitro', { id: 'acme/model', sort: 'throughput', online: false }],
  ['acme/model:thinking', { id: 'acme/model:thinking', sort: null, online: false }],
  ['acme/floor', { id: 'acme/floor', sort: null, online: false }],
])('[ROUTE-13] %s', (name, split) => {
  expect(splitShortcuts(name)).toEqual(split)
})
