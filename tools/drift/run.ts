import { parseArgs } from 'node:util'
import { sdksFolder } from '../../server/test/twins/sdks-folder.ts'
import { installLocked } from '../lib/install-locked.ts'
import { decisions } from './decisions.ts'
import { findNewWords, findUnusedDecisions, type Topic } from './find-drift.ts'
import { installNewest } from './install-newest.ts'
import { readTopics } from './read-topics.ts'

// `npm run drift` compares the words of the pinned official SDKs with the starter catalogue and with the words that our
// protocols know. `-- --newest` compares the newest published versions instead, which needs the npm registry.
const { values } = parseArgs({ options: { newest: { type: 'boolean', default: false } } })
const topics = values.newest ? await readNewest() : await readPinned()
const drift = [
  ...findNewWords(topics, decisions),
  // A decision about a word that the newest version has dropped is still needed for the pinned version.
  ...(values.newest ? [] : findUnusedDecisions(topics, decisions)),
]
for (const line of drift) console.log(line)
const words = topics.reduce((sum, topic) => sum + topic.words.length, 0)
console.log(`${words - drift.length} passed, ${drift.length} failed`)
process.exitCode = drift.length === 0 ? 0 : 1

async function readPinned(): Promise<Topic[]> {
  await installLocked(sdksFolder)
  return readTopics(sdksFolder)
}

async function readNewest(): Promise<Topic[]> {
  const { folder, moved, remove } = await installNewest()
  try {
    for (const line of moved) console.log(line)
    return readTopics(folder)
  } finally {
    remove()
  }
}
