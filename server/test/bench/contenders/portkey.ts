import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { contenderCore } from '../settings.ts'
import { findFreePort, startProcess } from '../start-process.ts'
import { benchModel, ContenderUnavailable, type PrepareContender, plainCaller } from './contender.ts'

const version = '1.15.2'

// With 1.14.2 and later, which its own version range admits, all its streamed responses are a 500 ("TypeError:
// immutable"). With this version streams work and JSON is no slower, so it is measured at its best.
const nodeServerVersion = '1.13.8'

/** The best known open-source gateway in Node, in its own folder. */
export const preparePortkey: PrepareContender = async ({ cacheFolder, mockPort, log }) => {
  const folder = join(cacheFolder, `portkey-${version}-${nodeServerVersion}`)
  const script = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js')
  if (!existsSync(script)) {
    log(`installing @portkey-ai/gateway ${version}`)
    await install(folder)
  }
  return {
    start: async () => {
      const port = await findFreePort()
      const started = await startProcess({
        command: [process.execPath, script, `--port=${port}`, '--headless'],
        port,
        core: contenderCore,
        env: { NODE_ENV: 'production' },
        cwd: folder,
      })
      const caller = {
        ...plainCaller,
        'x-portkey-provider': 'openai',
        'x-portkey-custom-host': `http://127.0.0.1:${mockPort}/v1`,
      }
      return { ...started, port, model: benchModel, callers: [caller] }
    },
  }
}

async function install(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const manifest = {
    private: true,
    dependencies: { '@portkey-ai/gateway': version },
    overrides: { '@hono/node-server': nodeServerVersion },
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  try {
    await promisify(execFile)('npm', ['install', '--ignore-scripts'], { cwd: folder, timeout: 300_000 })
  } catch (error) {
    throw new ContenderUnavailable(`npm could not install it: ${String(error)}`)
  }
}
