// Loaded before a gateway by `npm run bench -- profile`: the first SIGUSR2 starts a CPU profile, the second writes it.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'

const session = new Session()
let isProfiling = false

process.on('SIGUSR2', async () => {
  if (isProfiling) {
    const { profile } = await session.post('Profiler.stop')
    writeFileSync(process.env.WEIR_TEST_PROFILE_FILE, JSON.stringify(profile))
    process.exit(0)
  }
  isProfiling = true
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 200 })
  await session.post('Profiler.start')
})
