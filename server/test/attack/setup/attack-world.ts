import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addUpstream } from '#test/drills/setup/add-upstream.ts'
import type { ServerProcess } from '#test/drills/setup/server-process.ts'
import { createWorld, type Engines, type GatewayOptions, type World } from '#test/drills/setup/world.ts'
import { createAccounts } from '#test/setup/accounts.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { createHostileResolver } from '#test/egress/corpus.ts'
import { type MailServer, startMailServer } from '#test/setup/mail-server.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import { createTestSignIn, type TestSignIn } from '#test/setup/sign-in.ts'
import { type HostileDns, type ResolveName, startHostileDns } from './hostile-dns.ts'

/**
 * Two gateways and a worker as in production; an upstream and a DNS server under the attacker's control; a mail server.
 */
export interface AttackWorld extends World, TestSignIn {
  readonly mail: MailServer
  readonly dns: HostileDns
  readonly pair: readonly [ServerProcess, ServerProcess]
  /** Returns the two gateways in turn. */
  nextGateway(): ServerProcess
  /** Starts another gateway with its own settings. */
  startGatewayWith(env: Record<string, string>, options?: Omit<GatewayOptions, 'env'>): Promise<ServerProcess>
  /** Stops a gateway that an area started. */
  endGateway(gateway: ServerProcess): Promise<void>
  /** The processes that must stay alive. */
  readonly servers: readonly ServerProcess[]
}

/** As in production except for rate limits: their rejections would hide every other response. */
const environment = {
  WEIR_HTTP_PUBLIC_URL: ownOrigin,
  WEIR_LIMITS_ACCOUNT: '1000000',
  WEIR_LIMITS_INFERENCE_LOW: '1000000',
  WEIR_LIMITS_INFERENCE_FUNDED: '1000000',
  WEIR_POSTGRES_BUDGET_MS: '60000',
  WEIR_REDIS_BUDGET_MS: '60000',
  WEIR_RESPONSES_RETENTION_MS: '3600000',
  WEIR_MAIL_FROM: 'Weir <weir@example.com>',
  WEIR_AUTH_PASSKEYS: 'true',
  WEIR_AUTH_GOOGLE_CLIENT_ID: 'our-client',
  WEIR_AUTH_GOOGLE_CLIENT_SECRET: 'our-client-secret',
}

export async function createAttackWorld(engines: Engines): Promise<AttackWorld> {
  const [world, mail, dns] = await Promise.all([
    createWorld(engines, { hasWorker: true }),
    startMailServer(),
    startHostileDns(resolveHostile()),
  ])
  await addUpstream(world, { pattern: 'openai/*' })
  // Each gateway reads what the other one stores.
  const blobs = await mkdtemp(join(tmpdir(), 'blobs-'))
  const names = { WEIR_MAIL_URL: mail.url, WEIR_DNS_SERVERS: dns.address, WEIR_BLOBS_FOLDER: blobs }
  const common = { ...environment, ...names }
  const startGatewayWith: AttackWorld['startGatewayWith'] = (env, options) =>
    world.startGateway({ ...options, env: { ...common, ...env } })
  const pair = await Promise.all([startGatewayWith({}), startGatewayWith({})])
  let turn = 0
  const ended = new Set<ServerProcess>()
  return {
    ...world,
    ...createTestSignIn(world.pool, { secret: testSecret }),
    // Running gateways may learn of additions late, because they serve no requests for them.
    ...createAccounts(world.pool, { secret: testSecret, refresh: async () => {} }),
    get transcripts() {
      return world.transcripts
    },
    mail,
    dns,
    pair,
    nextGateway: () => pair[(turn += 1) % 2] ?? pair[0],
    startGatewayWith,
    endGateway: async (gateway) => {
      ended.add(gateway)
      await gateway.kill()
    },
    get servers() {
      return [...world.gateways, ...world.workers].filter((server) => !ended.has(server))
    },
    close: async () => {
      await world.close()
      await Promise.all([mail.close(), dns.close()])
    },
  }
}

/**
 * Names that start with `flood-` are never answered, `upstream-` is this machine, and the corpus resolves the others.
 */
function resolveHostile(): ResolveName {
  const resolveCorpus = createHostileResolver()
  return (name) => {
    if (name.startsWith('flood-')) return Promise.withResolvers<readonly string[]>().promise
    return name.startsWith('upstream-') ? Promise.resolve(['127.0.0.1']) : resolveCorpus(name)
  }
}
