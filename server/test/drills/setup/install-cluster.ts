import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const installer = fileURLToPath(new URL('../../../../.ci/cluster', import.meta.url))

/** Installs Patroni, etcd and pgBackRest if they are missing. */
export async function installCluster(): Promise<void> {
  await run(installer)
}
