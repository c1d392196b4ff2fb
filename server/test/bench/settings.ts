/** How long and how often the bench looks; everything else is the same in a short run. */
export interface BenchSettings {
  /** How often all contenders are looked at, one after the other; what is compared is of one window. */
  windows: number
  /**
   * Before anything is counted, for JSON and for streams each: a compiler that is still at work is not what is
   * measured.
   */
  warmUpMs: number
  jsonMs: number
  oneClientMs: number
  pacedMs: number
  streamMs: number
  /** How many streams are open at the same time where their memory is measured. */
  openStreams: number
  /** How long open streams are left alone before memory is read. */
  restMs: number
  /** Of the section about organizations. */
  money: { rounds: number; warmUpMs: number; measureMs: number }
  /** Of the section about videos. */
  videos: { openJobs: number; warmUpMs: number; measureMs: number }
  /** Of the section about growth: how often each database is looked at, and how many pairs are sent it each time. */
  growth: { windows: number; pairs: number }
  /** Of the section about where CPU goes. */
  profile: { warmUpMs: number; measureMs: number }
  /** Of the section about usage: how often each page is read. */
  usage: { rounds: number }
}

export const fullSettings: BenchSettings = {
  windows: 9,
  warmUpMs: 10_000,
  jsonMs: 1_500,
  oneClientMs: 1_000,
  pacedMs: 1_500,
  streamMs: 1_500,
  openStreams: 2_000,
  restMs: 2_000,
  money: { rounds: 5, warmUpMs: 1_000, measureMs: 4_000 },
  videos: { openJobs: 5_000, warmUpMs: 24_000, measureMs: 32_000 },
  growth: { windows: 9, pairs: 1_000 },
  profile: { warmUpMs: 15_000, measureMs: 10_000 },
  usage: { rounds: 5 },
}

/** Enough to see that everything that is measured still works; its figures are rough. */
export const shortSettings: BenchSettings = {
  windows: 2,
  warmUpMs: 1_000,
  jsonMs: 500,
  oneClientMs: 300,
  pacedMs: 500,
  streamMs: 500,
  openStreams: 2_000,
  restMs: 500,
  money: { rounds: 1, warmUpMs: 500, measureMs: 1_000 },
  videos: { openJobs: 5_000, warmUpMs: 8_000, measureMs: 8_000 },
  growth: { windows: 3, pairs: 200 },
  profile: { warmUpMs: 1_000, measureMs: 1_000 },
  usage: { rounds: 1 },
}

/** The contender has a core for itself; load, mock and engines share the other. */
export const contenderCore = 0
export const loadCore = 1

export const concurrency = 64
export const chunksPerStream = 50
export const chunksPerLongStream = 1_000

/** A window in which others used more of the two cores than this, in cores, is not counted. */
export const othersMax = 0.1

/** Wallets and keys over which the load rotates; one hot wallet would flatter batched charges. */
export const payingUserCount = 200

/** A contender that fails more often than this is reported, but not compared. */
export const errorShareMax = 0.01

/**
 * Below this many times a contender's rate, the rate of the load itself says more about the load than about the
 * contender.
 */
export const headroomMin = 1.3
