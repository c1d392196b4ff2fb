/** The durations and repetitions of the bench; everything else is the same in a short run. */
export interface BenchSettings {
  /** How often all contenders are measured in turn; comparisons stay within one window. */
  windows: number
  /** The warm-up for JSON and for streams each, so that the JIT compiler is not measured. */
  warmUpMs: number
  jsonMs: number
  oneClientMs: number
  pacedMs: number
  /** For 50 requests a second. Longer, because the kernel counts CPU in hundredths of a second. */
  slowPacedMs: number
  streamMs: number
  /** The number of concurrent open streams for the memory measurement. */
  openStreams: number
  /** The idle time of open streams before the memory is read. */
  restMs: number
  /** For the section `organizations`. */
  money: { rounds: number; warmUpMs: number; measureMs: number }
  /** For the section `videos`. */
  videos: { openJobs: number; warmUpMs: number; measureMs: number }
  /** For the section `growth`: the windows per database, and the pairs per window. */
  growth: { windows: number; pairs: number }
  /** For the section `cache`. */
  cache: { windows: number; warmUpMs: number; measureMs: number }
  /** For the section `profile`. */
  profile: { warmUpMs: number; measureMs: number }
  /** For the section `timeline`. */
  timeline: { warmUpMs: number; measureMs: number }
  /** For the section `first-second`: processes with and without warm-up, and the seconds of each. */
  firstSecond: { processes: number; seconds: number; rate: number }
  /** For the section `usage`: the number of reads per page. */
  usage: { rounds: number }
}

export const fullSettings: BenchSettings = {
  windows: 9,
  warmUpMs: 10_000,
  jsonMs: 1_500,
  oneClientMs: 1_000,
  pacedMs: 1_500,
  slowPacedMs: 6_000,
  streamMs: 1_500,
  openStreams: 2_000,
  restMs: 2_000,
  money: { rounds: 5, warmUpMs: 1_000, measureMs: 4_000 },
  videos: { openJobs: 5_000, warmUpMs: 24_000, measureMs: 32_000 },
  growth: { windows: 9, pairs: 1_000 },
  cache: { windows: 9, warmUpMs: 5_000, measureMs: 1_500 },
  profile: { warmUpMs: 15_000, measureMs: 10_000 },
  timeline: { warmUpMs: 15_000, measureMs: 20_000 },
  firstSecond: { processes: 5, seconds: 10, rate: 250 },
  usage: { rounds: 5 },
}

/** Enough to prove that every measurement works; its figures are rough. */
export const shortSettings: BenchSettings = {
  windows: 2,
  warmUpMs: 1_000,
  jsonMs: 500,
  oneClientMs: 300,
  pacedMs: 500,
  slowPacedMs: 1_000,
  streamMs: 500,
  openStreams: 2_000,
  restMs: 500,
  money: { rounds: 1, warmUpMs: 500, measureMs: 1_000 },
  videos: { openJobs: 5_000, warmUpMs: 8_000, measureMs: 8_000 },
  growth: { windows: 3, pairs: 200 },
  cache: { windows: 3, warmUpMs: 2_000, measureMs: 1_000 },
  profile: { warmUpMs: 1_000, measureMs: 1_000 },
  timeline: { warmUpMs: 2_000, measureMs: 4_000 },
  firstSecond: { processes: 1, seconds: 10, rate: 250 },
  usage: { rounds: 1 },
}

/** The contender has its own core; load, mock and databases share the other. */
export const contenderCore = 0
export const loadCore = 1

export const concurrency = 64
export const chunksPerStream = 50
export const chunksPerLongStream = 1_000

/** Windows in which other processes used more of the two cores than this, in cores, do not count. */
export const othersMax = 0.1

/** Wallets and keys over which the load rotates; a single hot wallet would flatter batched charges. */
export const payingUserCount = 200

/** A contender with a higher error rate is reported, but not compared. */
export const errorShareMax = 0.01

/** If the load's own rate is below this multiple of a contender's rate, the result says more about the load. */
export const headroomMin = 1.3
