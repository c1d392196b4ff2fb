import { parseArgs } from 'node:util'
import { installLocked } from '../../../tools/lib/install-locked.ts'
import { allTwins } from './all-twins.ts'
import { failureLines, hasFailed, twinTable } from './report-twins.ts'
import { loadSdks, type RunTwin, runTwin } from './run-twin.ts'
import { sdksFolder } from './sdks-folder.ts'
import { runTypes } from './types/run-types.ts'
import { updateSdks } from './update-sdks.ts'

// `npm run twins` compares our requests and readers with the providers' official SDKs. `-- --only NAME` runs the twins
// whose provider, capability or SDK contains the name; `-- --update` first updates the SDKs to their newest versions.
const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, update: { type: 'boolean', default: false } },
})
const moved = values.update ? await updateSdks() : []
await installLocked(sdksFolder)

const chosen = allTwins.filter(({ provider, capability, sdk }) =>
  [provider, capability, sdk].some((name) => name.includes(values.only)),
)
// The compiler runs in its own process while the calls are made.
const typed = runTypes(values.only)
await loadSdks(chosen)
const runs: RunTwin[] = []
for (const twin of chosen) runs.push(await runTwin(twin))

for (const line of twinTable(runs)) console.log(line)
const differing = runs.filter((run) => !hasFailed(run) && run.explained.length > 0)
if (differing.length > 0) console.log('\nDiffers, with the reason on record:')
for (const { twin, explained } of differing) {
  const fields = explained.map(({ field }) => field)
  for (const [field, reason] of Object.entries(twin.differences ?? {})) {
    const isMet = fields.some((name) => name === field || name.startsWith(`${field}.`))
    if (isMet) console.log(`  ${twin.provider} ${twin.call}  ${field}: ${reason}`)
  }
}
const failed = runs.filter(hasFailed)
for (const run of failed) console.log(`\n${failureLines(run).join('\n')}`)

const types = await typed
for (const fault of types.faults) console.log(`FAILED  types: ${fault}`)

const sdkCount = new Set(runs.map(({ twin }) => twin.sdk)).size
const sameCount = runs.length - failed.length - differing.length
console.log(`
${runs.length} calls over ${sdkCount} official SDKs: ${sameCount} same, ${differing.length} differ with a reason, ${failed.length} failed`)
console.log(
  `${types.bodies.length} bodies against the SDKs' types: ${types.listedCount} listed with a reason, ${types.faults.length} failed`,
)
if (values.update) console.log(moved.length === 0 ? 'No SDK has moved.' : `Moved:\n  ${moved.join('\n  ')}`)
const failedCount = failed.length + types.faults.length
const passedCount = runs.length - failed.length + types.bodies.length - types.faults.length
console.log(`${passedCount} passed, ${failedCount} failed`)
// SDKs leave timers and sockets behind.
process.exit(failedCount === 0 && passedCount > 0 ? 0 : 1)
