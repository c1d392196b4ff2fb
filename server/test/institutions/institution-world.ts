import { randomBytes } from 'node:crypto'
import type { Outside } from '#bin/wiring/outside.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import { createClient } from '#test/setup/client.ts'
import { type MailServer, startMailServer } from '#test/setup/mail-server.ts'
import type { Reply } from '#test/setup/reply.ts'
import { inspectStore, type StoreInspection } from './inspect-store.ts'

/** A gateway with a mail server, an upstream, and organizations with institution keys. */
export interface InstitutionWorld extends MoneyWorld, StoreInspection {
  mailServer: MailServer
  /** Creates an organization with an administrator and a key for `uni.edu`. */
  createInstitution(options?: { eduConfig?: JsonObject; usd?: string; name?: string }): Promise<Institution>
  post(path: string, body: unknown, options?: PostOptions): Promise<Reply>
  requestCode(entry: { key: string; email: string }, options?: PostOptions): Promise<Reply>
  verify(guess: { key: string; email: string; code: string }, options?: PostOptions): Promise<Reply>
  /** Requests a code and reads it from the mail. */
  codeFor(entry: { key: string; email: string }): Promise<string>
  /** Runs the whole sign-in. */
  enter(entry: { key: string; email: string }): Promise<Entered>
  /** Sends a request as an administrator. */
  manage(institution: Institution, method: string, path?: string, body?: JsonObject): Promise<Reply>
}

export interface Institution {
  organizationId: string
  walletId: string
  admin: { userId: string; walletId: string; key: string }
  keyId: string
  /** The secret, `sk-edu-…`. */
  key: string
}

interface Entered {
  token: string
  expiresAtMs: number
  organization: JsonObject
}

interface PostOptions {
  ip?: string
  url?: string
  headers?: Record<string, string>
}

export async function startInstitutionWorld(
  environment: Record<string, string> = {},
  outside: Partial<Outside> = {},
): Promise<InstitutionWorld> {
  const mailServer = await startMailServer()
  const settings = {
    WEIR_MAIL_URL: mailServer.url,
    WEIR_MAIL_FROM: 'Weir <weir@example.com>',
    // Tests set the client address of a request.
    WEIR_EDGE_PROXIES: '127.0.0.1',
    ...environment,
  }
  const world = await startMoneyWorld(settings, outside)

  const post = (path: string, body: unknown, { ip = randomIp(), url = world.url, headers = {} }: PostOptions = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return createClient(url).post(path, text, { headers: { 'x-real-ip': ip, ...headers } })
  }
  const requestCode: InstitutionWorld['requestCode'] = (entry, options) => post('/api/edu/request-code', entry, options)
  const verify: InstitutionWorld['verify'] = (guess, options) => post('/api/edu/verify', guess, options)

  async function codeFor(entry: { key: string; email: string }): Promise<string> {
    const answer = await requestCode(entry)
    if (answer.status !== 200) throw new Error(`no code: ${answer.status} ${answer.text}`)
    const [domain, ...local] = entry.email.split('@').toReversed()
    const { text } = await mailServer.nextTo(`${local.toReversed().join('@')}@${domain?.toLowerCase()}`)
    return codeIn(text)
  }

  const manage: InstitutionWorld['manage'] = ({ organizationId, admin }, method, path = '', body) =>
    world.as(admin).send(method, `/api/orgs/${organizationId}/institution-keys${path}`, body, {
      // Like many clients, it sends a content type even without a body.
      headers: { 'content-type': 'application/json' },
    })

  return {
    ...world,
    mailServer,
    post,
    requestCode,
    verify,
    codeFor,
    manage,
    enter: async (entry) => {
      const answer = await verify({ ...entry, code: await codeFor(entry) })
      const { token, expiresAt, organization } = answer.json
      if (typeof token !== 'string' || typeof expiresAt !== 'string' || !isJsonObject(organization)) {
        throw new Error(`not let in: ${answer.status} ${answer.text}`)
      }
      // The next code for this person does not have to wait.
      await world.pool.query(`UPDATE institution_code_requests SET subject = NULL`)
      return { token, expiresAtMs: Date.parse(expiresAt), organization }
    },
    createInstitution: async ({ eduConfig = {}, usd = '25', name } = {}) => {
      const bare = await createAdministered(world, { usd, ...(name === undefined ? {} : { name }) })
      const config = { allowedDomains: ['uni.edu'], ...eduConfig }
      const made = await manage(bare, 'POST', '', { name: 'Campus', eduConfig: config })
      const { data } = made.json
      if (!isJsonObject(data) || typeof data.id !== 'string' || typeof data.key !== 'string') {
        throw new Error(`no institution: ${made.status} ${made.text}`)
      }
      return { ...bare, keyId: data.id, key: data.key }
    },
    ...inspectStore(world.pool),
    close: async () => {
      await world.close()
      await mailServer.close()
    },
  }
}

/** Creates an organization and its administrator, without an institution key. */
async function createAdministered(world: MoneyWorld, options: { usd: string; name?: string }): Promise<Institution> {
  const { id: organizationId, walletId } = await world.createOrganization(options)
  const member = await world.addMember(organizationId, { role: 'org_admin' })
  const { key } = await world.addKey(member.userId, { type: 'management' })
  const admin = { userId: member.userId, walletId: member.walletId, key }
  return { organizationId, walletId, admin, keyId: '', key: '' }
}

let people = 0

/** Returns a unique address. */
export function newEmail(domain = 'uni.edu'): string {
  people += 1
  return `student${people}@${domain}`
}

export function codeIn(text: string): string {
  const [code] = /(?<!\d)\d{6}(?!\d)/.exec(text) ?? []
  if (code === undefined) throw new Error(`no code in: ${text}`)
  return code
}

/** Returns another code. */
export function wrongCode(code: string, step = 1): string {
  return String((Number(code) + step) % 1_000_000).padStart(6, '0')
}

export function randomIp(): string {
  const [a = 0, b = 0, c = 0] = randomBytes(3)
  return `10.${a}.${b}.${c}`
}

export function unknownKey(): string {
  return `sk-edu-${randomBytes(32).toString('hex').slice(0, 43)}`
}
