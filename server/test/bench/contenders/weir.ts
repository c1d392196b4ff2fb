import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildTree, ownCompileCache } from '../build-tree.ts'
import { messagesBurst } from '../mock-messages-answers.ts'
import { contenderCore, payingUserCount } from '../settings.ts'
import { findFreePort, startProcess } from '../start-process.ts'
import {
  type BenchContext,
  type Contender,
  ContenderUnavailable,
  type PrepareContender,
  type RunningContender,
} from './contender.ts'
import type { PrivateEngines } from './private-engines.ts'
import { createWeirCommand, type WeirCommand } from './weir-command.ts'

const plantedWork = new URL('../guard/planted-work.js', import.meta.url).href
const timelineOnSignal = new URL('../timeline/timeline-on-signal.js', import.meta.url).href
const profileOnSignal = new URL('../profile/profile-on-signal.js', import.meta.url).href

/** The built gateway with everything on: keys, rates, holds and charges, against a real Postgres and a real Redis. */
export const prepareWeir: PrepareContender = (context) => prepareGateway(context, { model: 'openai/gpt-4o-mini' })

/** The same gateway without its warm-up. */
export const prepareColdWeir: PrepareContender = (context) =>
  prepareGateway(context, { model: 'openai/gpt-4o-mini' }, { env: { WEIR_WARM_UP_TIMEOUT_MS: '0' } })

/** The gateway of another commit, with its own database. */
export const prepareEarlierWeir: PrepareContender = async (context) => {
  const { earlierRoot } = context
  if (earlierRoot === null) throw new ContenderUnavailable('no commit was named to compare with')
  return prepareGateway({ ...context, repositoryRoot: earlierRoot }, { model: 'openai/gpt-4o-mini' })
}

/** The same gateway with Messages requests, in front of an upstream with OpenAI's protocol. */
export const prepareWeirMessages: PrepareContender = async (context) => ({
  ...(await prepareGateway(context, { model: 'openai/gpt-4o-mini', dialect: 'messages' })),
  isForStreamsAlone: true,
})

/** The same gateway with chat requests, in front of an upstream with Anthropic's protocol. */
export const prepareWeirAnthropic: PrepareContender = async (context) => ({
  ...(await prepareGateway(context, { model: 'anthropic/claude-haiku-4.5', burst: messagesBurst })),
  isForStreamsAlone: true,
})

/** The gateway as several processes that share a port, on any core. */
export function prepareWeirProcesses(count: number): PrepareContender {
  return (context) => prepareGateway(context, { model: 'openai/gpt-4o-mini' }, { processes: count })
}

async function prepareGateway(
  context: BenchContext,
  asked: Pick<RunningContender, 'model' | 'dialect' | 'burst'>,
  { processes, env: special = {} }: { processes?: number; env?: Record<string, string> } = {},
): Promise<Contender> {
  const { gateway, env, callers, engines } = await setUpOnce(context)
  return {
    start: async () => {
      const port = await findFreePort()
      const started = await startProcess({
        command: [process.execPath, ...loadedBefore(context), gateway, 'gateway', ...processFlags(processes)],
        port,
        core: processes === undefined ? contenderCore : 'all',
        env: {
          ...env,
          WEIR_HTTP_PORT: String(port),
          WEIR_OPERATING_PORT: '0',
          WEIR_TEST_PLANTED_US: String(context.plantedUs),
          WEIR_TEST_PROFILE_FILE: context.profileFile ?? '',
          WEIR_TEST_TIMELINE_FILE: context.timelineFile ?? '',
          ...special,
        },
        cwd: context.repositoryRoot,
      })
      return { ...started, ...asked, port, callers, engines }
    },
  }
}

function processFlags(count: number | undefined): string[] {
  return count === undefined ? [] : ['--processes', String(count)]
}

/** The bench's instrumentation of a gateway, as Node flags. */
function loadedBefore(context: BenchContext): string[] {
  const { plantedUs, profileFile, timelineFile, repositoryRoot, earlierRoot } = context
  const isPlanted = plantedUs > 0 && repositoryRoot !== earlierRoot
  return [
    ...(isPlanted ? ['--import', plantedWork] : []),
    ...(profileFile === null ? [] : ['--import', profileOnSignal]),
    ...(timelineFile === null ? [] : ['--import', timelineOnSignal]),
  ]
}

interface SetUp {
  gateway: string
  env: Record<string, string>
  callers: Record<string, string>[]
  engines: PrivateEngines
}

/** Keyed by the run and the folder of the tree. */
const setUps = new Map<string, Promise<SetUp>>()

/** Contenders send different requests to the gateway, but share its databases. */
function setUpOnce(context: BenchContext): Promise<SetUp> {
  const key = `${context.scratchFolder} ${context.repositoryRoot}`
  const setUp = setUps.get(key) ?? setUpGateway(context)
  setUps.set(key, setUp)
  return setUp
}

async function setUpGateway(context: BenchContext): Promise<SetUp> {
  const isEarlier = context.repositoryRoot === context.earlierRoot
  context.log(`weir: building ${isEarlier ? 'the earlier tree' : 'this tree'}`)
  // The tree of a commit stays the same, so its build is kept beside it.
  const folder = isEarlier ? `${context.repositoryRoot}.build` : join(context.scratchFolder, 'build')
  const gateway = buildTree(context.repositoryRoot, folder)
  const engines = await context.engines()
  const place = isEarlier ? await engines.place('weir_earlier') : engines
  const env = makeEnvironment(join(context.scratchFolder, isEarlier ? 'weir-earlier' : 'weir'), place)
  const callers = await prepareCallers(createWeirCommand({ gateway, env }), context, place.postgresUrl)
  return { gateway, env, callers, engines }
}

function makeEnvironment(
  dataFolder: string,
  engines: Pick<PrivateEngines, 'postgresUrl' | 'redisUrl'>,
): Record<string, string> {
  mkdirSync(dataFolder, { recursive: true })
  return {
    ...ownCompileCache,
    WEIR_SECRET: randomBytes(32).toString('base64'),
    WEIR_POSTGRES_URL: engines.postgresUrl,
    WEIR_REDIS_URL: engines.redisUrl,
    WEIR_DATA_DIR: dataFolder,
    WEIR_LOG_LEVEL: 'warn',
    // Rates are counted as usual; only the limit is out of reach.
    WEIR_LIMITS_INFERENCE_FUNDED: '100000000',
    // The whole load comes from one address.
    WEIR_HTTP_ADDRESS_CONNECTIONS_MAX: '16384',
  }
}

/** Sets everything up as an operator would, and returns one set of headers per paying user. */
async function prepareCallers(
  weir: WeirCommand,
  { repositoryRoot, mockPort, log }: BenchContext,
  postgresUrl: string,
): Promise<Record<string, string>[]> {
  await weir('migrate', '--no-catalogue')
  await weir('catalogue', 'import', join(repositoryRoot, 'server/test/samples/catalogue.json'))
  await weir('provider', 'add', 'openai', '--base-url', `http://127.0.0.1:${mockPort}/v1`, '--key', 'sk-mock')
  await weir('provider', 'add', 'anthropic', '--base-url', `http://127.0.0.1:${mockPort}`, '--key', 'sk-ant-mock')
  log(`weir: creating ${payingUserCount} paying users`)
  // An earlier tree has an earlier schema, so its own code writes to it.
  const payingUsers: typeof import('./paying-users.ts') = await import(
    join(repositoryRoot, 'server/test/bench/contenders/paying-users.ts')
  )
  const secrets = await payingUsers.createPayingUsers(postgresUrl, payingUserCount)
  return secrets.map((secret) => ({ authorization: `Bearer ${secret}` }))
}
