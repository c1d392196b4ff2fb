import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isJsonObject, parseJsonObject } from '#lib/json.ts'

const run = promisify(execFile)
const installFfmpeg = 'apt-get install -y --no-install-recommends ffmpeg'

/** A real video: a moving test picture with a tone, with its index at the end as encoders write it. */
export async function makeMovie({ seconds = 2, size = '320x180' } = {}): Promise<Buffer> {
  return inFolder(async (folder) => {
    const path = join(folder, 'made.mp4')
    const picture = ['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=24:duration=${seconds}`]
    const tone = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`]
    await ffmpeg([...picture, ...tone, '-c:v', 'mpeg4', '-c:a', 'aac', '-shortest', path])
    return readFile(path)
  })
}

interface SeenMovie {
  readonly seconds: number
  readonly width: number
  readonly height: number
  /** Decodable frames. */
  readonly frames: number
}

/** Decodes a video from its first frame to its last; rejects if it is broken. */
export async function readMovie(bytes: Buffer): Promise<SeenMovie> {
  return inFolder(async (folder) => {
    const path = join(folder, 'seen.mp4')
    await writeFile(path, bytes)
    await ffmpeg(['-xerror', '-i', path, '-f', 'null', '-'])
    const what = ['-show_entries', 'stream=width,height,nb_read_frames:format=duration']
    const counted = ['-v', 'error', '-count_frames', '-select_streams', 'v:0', ...what, '-of', 'json', path]
    const { stdout } = await run('ffprobe', counted)
    const { streams, format } = parseJsonObject(stdout) ?? {}
    const [stream] = Array.isArray(streams) ? streams : []
    if (!isJsonObject(stream) || !isJsonObject(format)) throw new Error(`no video in ${stdout}`)
    const { width, height, nb_read_frames: frames } = stream
    return { seconds: Number(format.duration), width: Number(width), height: Number(height), frames: Number(frames) }
  })
}

async function ffmpeg(rest: readonly string[]): Promise<void> {
  try {
    await run('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-y', ...rest])
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    // If ffmpeg is missing, the test fails: untested behaviour is not proved.
    if (isMissing) throw new Error(`ffmpeg not found; install with: ${installFfmpeg}`, { cause: error })
    throw error
  }
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-movie-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
