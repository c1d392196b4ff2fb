import { request } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noteRoutes } from './note-routes.ts'
import { watchRequests } from './watch-requests.ts'

let server: FastifyInstance
let url: string
let [begun, arrived] = [0, Promise.withResolvers<void>()]
let seen: { method: string; route: string; status: string }[]
let ended: PromiseWithResolvers<void>

beforeEach(async () => {
  ;[begun, seen, arrived, ended] = [0, [], Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  server = Fastify()
  noteRoutes(server)
  watchRequests(server, {
    began: () => void (begun += 1),
    ended: (end) => {
      seen.push(end)
      ended.resolve()
    },
  })
  server.get('/things/:id', async () => 'a thing')
  server.get('/slow', () => {
    arrived.resolve()
    return new Promise(() => {})
  })
  url = await server.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(() => server.close())

it('names the route and not the path, and all paths that are no route alike', async () => {
  await (await fetch(`${url}/things/7`)).text()
  await (await fetch(`${url}/things/8`)).text()
  await (await fetch(`${url}/nothing/here`, { method: 'POST' })).text()
  await expect.poll(() => seen.length).toBe(3)
  expect(begun).toBe(3)
  expect(seen.toSorted((one, other) => one.status.localeCompare(other.status))).toEqual([
    { method: 'GET', route: '/things/:id', status: '200' },
    { method: 'GET', route: '/things/:id', status: '200' },
    { method: 'POST', route: 'unknown', status: '404' },
  ])
})

it('has 499 for a client that left before there was a status', async () => {
  const leaving = request(`${url}/slow`).end()
  leaving.on('error', () => {})
  await arrived.promise
  expect([begun, seen]).toEqual([1, []])
  leaving.destroy()
  await ended.promise
  expect(seen).toEqual([{ method: 'GET', route: '/slow', status: '499' }])
})
