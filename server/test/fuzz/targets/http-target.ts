import { connect } from 'node:net'
import startEngines from '#test/setup/engines.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { type MailServer, startMailServer } from '#test/setup/mail-server.ts'
import { BrokenInvariant } from '../engine/expect.ts'
import { mutateHttp } from '../engine/mutate-http.ts'
import type { FuzzTarget } from '../target.ts'

interface Edge {
  readonly gateway: TestGateway
  readonly mail: MailServer
  readonly port: number
  /** The values of the names in seeds. */
  readonly names: ReadonlyMap<string, string>
  readonly stopEngines: () => Promise<void>
}

let edge: Edge | null = null

/** A gateway with its stores in this process, and bytes on its socket. */
export const httpTarget: FuzzTarget = {
  name: 'http-edge',
  runs: 20_000,
  mutate: mutateHttp,
  bytesMax: 65_536,
  keepsMemory: true,
  words: ['Transfer-Encoding: chunked', 'Content-Length: 0', 'Expect: 100-continue', 'Upgrade: h2c', '/v1/', 'KEY_ID'],
  open: async () => {
    edge = await openEdge()
  },
  close: async () => {
    await edge?.gateway.close()
    await edge?.mail.close()
    await edge?.stopEngines()
    edge = null
  },
  run: async (input) => {
    if (edge === null) throw new Error('there is no gateway')
    const { gateway, port, names } = edge
    const answer = await exchange(port, withNames(input, names))
    const logged = gateway.logLines.splice(0).find((line) => /^\{"level":[56]0/.test(line) && !isAboutRoutes(line))
    if (logged !== undefined) throw new BrokenInvariant('nothing is logged as our fault', `: ${logged.slice(0, 2_000)}`)
    if (/^HTTP\/1\.1 5/m.test(answer) && !isAboutRoutes(answer)) {
      throw new BrokenInvariant('no answer is a fault of ours', `: ${answer.slice(0, 1_000)}`)
    }
  },
}

/** No provider is configured, so no catalogue model can be served. */
function isAboutRoutes(text: string): boolean {
  return text.includes('No provider is configured for ')
}

async function openEdge(): Promise<Edge> {
  const stopEngines = await startEngines()
  // Without a mail server, a request for a code would be refused before it is judged.
  const mail = await startMailServer()
  // The limits are high, because thousands of inputs announce a body that never arrives.
  const gateway = await startTestGateway({
    WEIR_LIMITS_ACCOUNT: '1000000',
    WEIR_LIMITS_SIGN_IN: '1000000',
    WEIR_HTTP_ADDRESS_UNREAD_MAX: '1000000',
    WEIR_MAIL_URL: mail.url,
    WEIR_MAIL_FROM: 'Weir <weir@example.com>',
  })
  const { id: organizationId } = await gateway.createOrganization()
  const { teamId } = await gateway.addTeam(organizationId)
  const { memberId } = await gateway.addMember(organizationId, { teamId, role: 'org_admin' })
  const member = await gateway.addOrganizationKey(organizationId, { memberId })
  const manager = await gateway.addOrganizationKey(organizationId, { memberId, terms: { type: 'management' } })
  const names = new Map([
    ['MANAGER_KEY', manager.key],
    ['MEMBER_KEY', member.key],
    ['ORG_ID', organizationId],
    ['TEAM_ID', teamId],
    ['MEMBER_ID', memberId],
    ['KEY_ID', member.keyId],
  ])
  return { gateway, mail, port: Number(new URL(gateway.url).port), names, stopEngines }
}

function withNames(input: Buffer, names: ReadonlyMap<string, string>): Buffer {
  const text = input.toString('latin1')
  const named = text.replaceAll(/[A-Z]{3,7}_(?:KEY|ID)\b/g, (name) => names.get(name) ?? name)
  if (named === text) return input
  // The value of a name is longer than the name.
  const end = named.indexOf('\r\n\r\n')
  const grown = named.length - named.indexOf('\r\n\r\n') - (text.length - text.indexOf('\r\n\r\n'))
  const head = named
    .slice(0, end)
    .replace(/^(content-length: )(\d{1,9})$/im, (_, name: string, length: string) => name + (Number(length) + grown))
  return Buffer.from(head + named.slice(end), 'latin1')
}

/** Sends bytes verbatim, ends its side, and returns everything received until the peer closed. */
function exchange(port: number, bytes: Buffer): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(piece))
  socket.on('error', () => {})
  socket.on('end', () => socket.destroy())
  socket.on('close', () => resolve(Buffer.concat(pieces).toString('latin1')))
  socket.end(bytes)
  return promise
}
