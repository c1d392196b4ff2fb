import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

export const sphinxModels = '/usr/share/pocketsphinx/model/en-us'

const programs = ['espeak-ng', 'pocketsphinx_batch', 'sox', 'soxi'] as const
const installVoices = 'apt-get install -y --no-install-recommends espeak-ng pocketsphinx pocketsphinx-en-us sox'

/** Fails with installation instructions if a speech program is missing: untested behaviour is not proved. */
export function requireVoices(): void {
  const missing = [...programs.filter((name) => !isOnPath(name)), ...(isThere(sphinxModels) ? [] : [sphinxModels])]
  if (missing.length === 0) return
  throw new Error(`${missing.join(', ')} not found; install with: ${installVoices}`)
}

function isOnPath(name: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => isThere(join(folder, name)))
}

function isThere(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
