import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const memoryFolder = '/dev/shm'
// Containers often have 64 MB of it, which is less than an empty Postgres with its log.
const roomBytesMin = 2_000_000_000

/** Where a Postgres of tests keeps its data: in memory, where the system has room for it. */
export async function findEngineFolder(): Promise<string> {
  const room = await statfs(memoryFolder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return room >= roomBytesMin ? memoryFolder : tmpdir()
}
