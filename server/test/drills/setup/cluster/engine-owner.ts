import { execFile } from 'node:child_process'
import { chown, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findEngineFolder } from '#test/setup/find-engine-folder.ts'
import { whenOrphaned } from '#test/setup/when-orphaned.ts'

const run = promisify(execFile)

/** The user of the databases: Postgres refuses to run as root, so root uses the user it was installed with. */
export interface EngineOwner {
  readonly uid?: number
  readonly gid?: number
}

// Watchers end the databases in the folder, which write until the end.
const removeFolder = 'for turn in 1 2 3 4 5 6 7 8 9 10; do sleep 1; rm -rf "$1"; done'

/** Creates a data folder that its owner may write to. It is removed when this process ends in any way. */
export async function createOwnedFolder(name: string): Promise<{ folder: string; owner: EngineOwner }> {
  const folder = await mkdtemp(join(await findEngineFolder(), `weir-${name}-`))
  whenOrphaned(removeFolder, [folder])
  if (process.getuid?.() !== 0) return { folder, owner: {} }
  const owner = { uid: await readId('-u'), gid: await readId('-g') }
  await chown(folder, owner.uid, owner.gid)
  return { folder, owner }
}

async function readId(flag: string): Promise<number> {
  return Number((await run('id', [flag, 'postgres'])).stdout)
}
