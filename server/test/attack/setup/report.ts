/** A response that violates the contract, and how to reproduce it. */
export interface Finding {
  /** The attempt, and the value of `--only` that repeats it alone. */
  readonly label: string
  readonly expected: string
  readonly got: string
  /** The request as a string that can be sent again. */
  readonly request?: string
}

/** The attempts and findings of one area. */
export interface Report {
  readonly tried: number
  readonly findings: readonly Finding[]
  readonly figures: readonly string[]
  /** Counts an attempt. Returns false if `--only` names another one, and the attempt is skipped. */
  attempt(label: string): boolean
  find(finding: Finding): void
  /** Counts the attempt, and records a finding unless it is right. */
  judge(finding: Finding & { readonly isRight: boolean }): void
  /** Records a figure to show, such as a throughput. */
  figure(text: string): void
}

interface ReportOptions {
  /** Only attempts whose label contains this string run. */
  readonly only: string | null
  /** Called at every thousandth attempt. */
  onProgress(tried: number): void
}

const progressEvery = 1_000

export function createReport({ only, onProgress }: ReportOptions): Report {
  let tried = 0
  const findings: Finding[] = []
  const figures: string[] = []
  const count = (): void => {
    tried += 1
    if (tried % progressEvery === 0) onProgress(tried)
  }
  return {
    get tried() {
      return tried
    },
    findings,
    figures,
    attempt: (label) => {
      if (only !== null && !label.includes(only)) return false
      count()
      return true
    },
    find: (finding) => {
      findings.push(finding)
    },
    judge: ({ isRight, ...finding }) => {
      if (only !== null && !finding.label.includes(only)) return
      count()
      if (!isRight) findings.push(finding)
    },
    figure: (text) => {
      figures.push(text)
    },
  }
}
