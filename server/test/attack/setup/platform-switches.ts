import assert from 'node:assert/strict'
import { until } from '#test/drills/setup/until.ts'
import type { ExpectedEndpoint } from '#test/oracle/read-access.ts'
import type { AttackWorld } from './attack-world.ts'
import { sendJson } from './send.ts'

/**
 * Whether a successful request changes the gateways' responses to everyone: an operator request without a victim in its
 * path. These are the kill switch, routes and provider accounts. Such a request must run alone, and its switch is
 * reverted before the next one.
 */
export function isPlatformSwitch({ method, path, scope }: ExpectedEndpoint): boolean {
  return scope === 'platform' && method !== 'GET' && !path.includes('{')
}

interface PlatformSwitches {
  /**
   * Reverts all switches since its creation. An engaged kill switch must first stop requests at both gateways, and a
   * released one must admit them. Throws if anything else has changed.
   */
  takeBack(): Promise<void>
  /** How often the kill switch was found engaged and was released. */
  readonly releases: number
}

const operatedPaths = ['/api/admin/brake', '/api/admin/routes', '/api/admin/providers'] as const

export async function watchPlatformSwitches(world: AttackWorld): Promise<PlatformSwitches> {
  const operator = { authorization: `Bearer ${(await world.addOperatorKey()).key}` }
  const caller = await world.createClient()
  world.noteUnseen(caller.keyId)
  const read = async (): Promise<string[]> =>
    Promise.all(
      operatedPaths.map(async (path) => {
        const { status, text } = await sendJson(world.pair[0].url + path, { headers: operator })
        assert.equal(status, 200, text)
        return text
      }),
    )
  const untilCallsGet = (status: number): Promise<unknown> =>
    Promise.all(
      world.pair.map(({ url }) =>
        until(async () => {
          const answer = await call(url, caller.key)
          return answer.status === status ? null : `a call gets ${answer.status}, not ${status}: ${answer.text}`
        }),
      ),
    )
  const before = await read()
  assert.match(before[0] ?? '', /"engaged":false/, 'the kill switch is off when an area begins')
  let releases = 0
  return {
    takeBack: async () => {
      const [brake] = await read()
      if (brake?.includes('"engaged":true')) {
        await untilCallsGet(503)
        const released = await sendJson(`${world.pair[0].url}/api/admin/brake`, {
          method: 'PUT',
          headers: operator,
          body: { engaged: false },
        })
        assert.equal(released.status, 200, released.text)
        await untilCallsGet(200)
        releases += 1
      }
      assert.deepEqual(await read(), before, 'the platform is as it was')
    },
    get releases() {
      return releases
    },
  }
}

function call(url: string, key: string): ReturnType<typeof sendJson> {
  return sendJson(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: { model: 'test/echo', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 16 },
  })
}
