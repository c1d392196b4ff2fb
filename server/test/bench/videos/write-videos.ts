import { divide } from '../divide.ts'
import type { VideoFigures } from './measure-videos.ts'
import type { ReadTimes } from './time-reads.ts'

export function writeVideos(figures: VideoFigures): string {
  const { read_job_ms: job, read_key_ms: key, read_nothing_ms: nothing } = figures
  const row = (name: string, { p50, p99 }: ReadTimes): string =>
    `| ${name} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${divide(p99, nothing.p99) ?? '–'} |`
  return [
    '| open jobs | polls/s | shortest time between two polls of a job, ms | worker, of a core |',
    '|---|---|---|---|',
    `| ${figures.open_jobs} | ${figures.polls_per_s} | ${figures.shortest_gap_ms ?? '–'} | ${figures.worker_cpu} |`,
    '',
    '| reads meanwhile | p50 ms | p99 ms | p99 ÷ that of /health |',
    '|---|---|---|---|',
    row('/v1/videos/{id}', job),
    row('/v1/key', key),
    row('/health', nothing),
  ].join('\n')
}
