import { hostileUrls } from '#test/egress/corpus.ts'
import { startCanary } from '#test/egress/canary.ts'
import type { Area, Attack } from '../area.ts'
import { type UrlPlace, urlPlaces } from '../expected/url-places.ts'
import { makePlace, makeThings } from '../isolation/make-things.ts'
import { atOnce } from '../setup/at-once.ts'
import { asCurl, sendJson } from '../setup/send.ts'

const lanes = 12
const shortUrls = 30

export const ssrf: Area = {
  name: 'ssrf',
  tries: 'addresses of private networks, in every spelling, wherever an address can be written',
  alarm: /"error":"modelNotServed"/,
  async run(attack) {
    const { world, report, random, isShort } = attack
    const canary = await startCanary()
    const who = await makeWriters(attack)
    const urls = hostileUrls(canary.port)
    const chosen = isShort ? random.shuffle(urls).slice(0, shortUrls) : urls
    const probes = urlPlaces.flatMap((place) => chosen.map((url) => ({ place, ...url })))
    await atOnce(probes, lanes, async ({ place, url, rebinds }) => {
      // Only the attacker's DNS server resolves these names, and gateways ask it only if it is their resolver.
      const isName = /\/\/(?:v[46]|mixed|rebind)-/.test(url)
      // Without the canary's port, which differs in every run.
      const shown = JSON.stringify(url).replaceAll(String(canary.port), 'PORT')
      const label = `${isName ? '[B4] ' : ''}${shown} as ${place.name}`
      if (!report.attempt(label)) return
      const address = world.nextGateway().url + place.path.replace('{ownKeyId}', who.ownKeyId)
      const request = { method: place.method, headers: who[place.by], body: place.body(url) }
      const before = canary.connections
      const { status, text } = await sendJson(address, request)
      // A name that is public at the check passes, and then the request fails because no provider creates videos. The
      // connection count decides.
      const isRight = place.statuses.includes(status) || (rebinds && (status < 500 || status === 503))
      const got = `${status} ${text.slice(0, 200)}`
      if (!isRight)
        report.find({ label, expected: place.statuses.join(' or '), got, request: asCurl(address, request) })
      if (canary.connections === before) return
      report.find({
        label,
        expected: 'no connection to loopback (perhaps of a neighbour)',
        got,
        request: asCurl(address, request),
      })
    })
    report.judge({
      label: 'connections to the canary on loopback',
      isRight: canary.connections === 0,
      expected: '0',
      got: String(canary.connections),
    })
    await canary.close()
    report.figure(`${chosen.length} addresses at ${urlPlaces.length} places, ${canary.connections} connections`)
  },
}

type Writers = Record<UrlPlace['by'], Record<string, string>> & { ownKeyId: string }

async function makeWriters({ world }: Attack): Promise<Writers> {
  const { organizationId, teamId } = await makePlace(world, 'home')
  const { memberId } = await world.addMember(organizationId, { role: 'org_admin' })
  const manager = await world.addOrganizationKey(organizationId, { memberId, terms: { type: 'management' } })
  const things = await makeThings(world, { organizationId, teamId, mark: 'home' })
  const { key, keyId } = await world.createClient({ usd: '1000' })
  world.noteUnseen(keyId)
  return {
    manager: { authorization: `Bearer ${manager.key}` },
    caller: { authorization: `Bearer ${key}` },
    ownKeyId: things['ownKeyId'] ?? '',
  }
}
