import { fileURLToPath } from 'node:url'
import { contenderCore } from '../settings.ts'
import { findFreePort, startProcess } from '../start-process.ts'
import { benchModel, type PrepareContender, plainCaller } from './contender.ts'

const relay = fileURLToPath(new URL('../bare-relay.ts', import.meta.url))

/** The yardstick: only Node's HTTP server and undici. */
export const prepareBare: PrepareContender = async ({ mockPort }) => ({
  start: async () => {
    const port = await findFreePort()
    const started = await startProcess({
      command: [process.execPath, relay, String(port), `http://127.0.0.1:${mockPort}`],
      port,
      core: contenderCore,
    })
    return { ...started, port, model: benchModel, callers: [plainCaller] }
  },
})
