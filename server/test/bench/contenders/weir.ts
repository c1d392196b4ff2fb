import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { contenderCore, payingUserCount } from '../settings.ts'
import { findFreePort, startProcess } from '../start-process.ts'
import type { BenchContext, PrepareContender } from './contender.ts'
import { type PrivateEngines, startEngines } from './private-engines.ts'
import { createPayingUsers } from './paying-users.ts'
import { createWeirCommand, type WeirCommand } from './weir-command.ts'

const model = 'openai/gpt-4o-mini'

/** The gateway with everything on: keys, rates, holds and charges, against a real Postgres and a real Redis. */
export const prepareWeir: PrepareContender = async (context) => {
  const gateway = join(context.repositoryRoot, 'server/src/bin/weir.ts')
  if (!existsSync(gateway)) throw new Error(`${gateway} does not exist`)
  const engines = await startEngines(join(context.scratchFolder, 'engines'))
  const env = makeEnvironment(context, engines)
  const callers = await prepareCallers(createWeirCommand({ gateway, env }), context, engines.postgresUrl)
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
}

function makeEnvironment({ scratchFolder }: BenchContext, engines: PrivateEngines): Record<string, string> {
  const dataFolder = join(scratchFolder, 'weir')
  mkdirSync(dataFolder, { recursive: true })
  return {
    WEIR_SECRET: randomBytes(32).toString('base64'),
    WEIR_POSTGRES_URL: engines.postgresUrl,
    WEIR_REDIS_URL: engines.redisUrl,
    WEIR_DATA_DIR: dataFolder,
    WEIR_LOG_LEVEL: 'warn',
    // Rates are counted as ever; only the number at which they refuse is out of reach.
    WEIR_LIMITS_INFERENCE_FUNDED: '100000000',
  }
}

/** Sets everything up as an operator would, and returns one set of headers for each paying user. */
async function prepareCallers(
  weir: WeirCommand,
  { repositoryRoot, mockPort, log }: BenchContext,
  postgresUrl: string,
): Promise<Record<string, string>[]> {
  await weir('migrate')
  await weir('catalogue', 'import', join(repositoryRoot, 'server/test/samples/catalogue.json'))
  await weir('provider', 'add', 'openai', '--base-url', `http://127.0.0.1:${mockPort}/v1`, '--key', 'sk-mock')
  log(`weir: creating ${payingUserCount} paying users`)
  const secrets = await createPayingUsers(postgresUrl, payingUserCount)
  return secrets.map((secret) => ({ authorization: `Bearer ${secret}` }))
}
