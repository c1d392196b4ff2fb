/** Why an import file is refused: where, and what is wrong there. */
export interface Problem {
  readonly path: string
  readonly reason: string
}

export type NoteProblem = (path: string, reason: string) => void
