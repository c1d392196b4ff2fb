/** An answer that is not what the contract says, and how to get it again. */
export interface Finding {
  /** Which attempt: also what `--only` takes to repeat it alone. */
  readonly label: string
  readonly expected: string
  readonly got: string
  /** The request, as text that can be sent again. */
  readonly request?: string
}

/** What one area tried and found. */
export interface Report {
  readonly tried: number
  readonly findings: readonly Finding[]
  readonly figures: readonly string[]
  /** Counts an attempt. Says no where `--only` names another one; the attempt is then left out. */
  attempt(label: string): boolean
  find(finding: Finding): void
  /** Counts the attempt and writes it down where the answer was not the expected one. */
  judge(finding: Finding & { readonly isRight: boolean }): void
  /** A figure worth showing, such as a throughput. */
  figure(text: string): void
}

interface ReportOptions {
  /** Only attempts whose label contains it. */
  readonly only: string | null
  /** Told of every thousandth attempt. */
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
