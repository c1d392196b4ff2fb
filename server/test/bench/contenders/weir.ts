import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { contenderCore, payingUserCount } from '../settings.ts'
import { findFreePort, startProcess } from '../start-process.ts'
import type { BenchContext, PrepareContender } from './contender.ts'
import { type PrivateEngines, startEngines } from './private-engines.ts'
import { createWeirCommand, type WeirCommand } from './weir-command.ts'

const model = 'openai/gpt-4.1-mini'

/** The gateway with everything on: keys, rates, holds and charges, against a real Postgres and a real Redis. */
export const prepareWeir: PrepareContender = async (context) => {
  const gateway = join(context.repositoryRoot, 'server/src/bin/weir.ts')
  if (!existsSync(gateway)) throw new Error(`${gateway} does not exist`)
  const engines = await startEngines(join(context.scratchFolder, 'engines'))
  try {
    const env = makeEnvironment(context, engines)
    const callers = await prepareAccounts(createWeirCommand({ gateway, env }), context)
    return {
      start: async () => {
        const port = await findFreePort()
        const started = await startProcess({
          command: [process.execPath, gateway, 'gateway'],
          port,
          core: contenderCore,
          env: { ...env, WEIR_HTTP_PORT: String(port) },
          cwd: context.repositoryRoot,
        })
        return { ...started, port, model, callers }
      },
      dispose: engines.stop,
    }
  } catch (error) {
    await engines.stop()
    throw error
  }
}

function makeEnvironment({ scratchFolder }: BenchContext, engines: PrivateEngines): Record<string, string> {
  const dataFolder = join(scratchFolder, 'weir')
  mkdirSync(dataFolder, { recursive: true })
  return {
    WEIR_SECRET: 'bench-only-0123456789abcdef0123456789abcdef',
    WEIR_POSTGRES_URL: engines.postgresUrl,
    WEIR_REDIS_URL: engines.redisUrl,
    WEIR_DATA_DIR: dataFolder,
    WEIR_LOG_LEVEL: 'warn',
    // Rates are counted as ever; only the number at which they refuse is out of reach.
    WEIR_LIMITS_INFERENCE_FUNDED: '100000000',
  }
}

/** Makes the accounts as an operator would, and returns one set of headers for each. */
async function prepareAccounts(weir: WeirCommand, context: BenchContext): Promise<Record<string, string>[]> {
  const catalogue = join(context.repositoryRoot, 'server/test/samples/catalogue.json')
  await weir('migrate')
  await weir('catalogue', 'import', catalogue)
  await weir('provider', 'add', 'openai', '--base-url', `http://127.0.0.1:${context.mockPort}/v1`, '--key', 'sk-mock')
  context.log(`weir: creating ${payingUserCount} users`)
  const emails = Array.from({ length: payingUserCount }, (_, index) => `bench-${index}@example.com`)
  const callers: Record<string, string>[] = []
  const createInTurn = async (): Promise<void> => {
    for (let email = emails.pop(); email !== undefined; email = emails.pop()) {
      await weir('user', 'create', email)
      await weir('wallet', 'credit', email, '100000')
      const printed = await weir('key', 'create', email)
      const secret = /sk-weir-[\w-]+/.exec(printed)?.[0]
      if (secret === undefined) throw new Error(`key create printed no key: ${printed}`)
      callers.push({ authorization: `Bearer ${secret}` })
    }
  }
  await Promise.all(Array.from({ length: 4 }, createInTurn))
  return callers
}
