import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const memoryFolder = '/dev/shm'
// Containers often have 64 MB of it, which is less than an empty Postgres with its WAL.
const roomBytesMin = 2_000_000_000

/** The data folder of a test Postgres: in memory if there is enough space. */
export async function findEngineFolder(): Promise<string> {
  const room = await statfs(memoryFolder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return room >= roomBytesMin ? memoryFolder : tmpdir()
}
