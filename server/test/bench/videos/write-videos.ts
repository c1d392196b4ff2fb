import { divide } from '../ratios.ts'
import type { VideoFigures } from './measure-videos.ts'

/** The figures as a Markdown table. */
export function writeVideos(figures: VideoFigures): string {
  const { open_jobs, polls_per_s, shortest_gap_ms, worker_cpu, read_job_ms: job, read_key_ms: key } = figures
  return [
    '| open jobs | polls/s | shortest gap between two polls of a job, ms | worker, of a core | p99 of a job, ms | p99 of the key, ms | job ÷ key |',
    '|---|---|---|---|---|---|---|',
    `| ${open_jobs} | ${polls_per_s} | ${shortest_gap_ms ?? '–'} | ${worker_cpu} | ${job.p99.toFixed(1)} | ${key.p99.toFixed(1)} | ${divide(job.p99, key.p99) ?? '–'} |`,
  ].join('\n')
}
