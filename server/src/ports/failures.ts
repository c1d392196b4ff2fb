import type { FailureVerdict, TakenAttempt } from '#domain/limits/failures.ts'

/** Counts wrong passwords for all processes. Subjects are hashes. Everything in it may be lost without opening an account. */
export interface Failures {
  /** Counts an attempt as failed before its password is looked at; not while a pause lasts. */
  take(subject: string, tolerance: number, nowMs: number): Promise<FailureVerdict>
  giveBack(subject: string, taken: TakenAttempt): Promise<void>
  /** Counts a failure towards the pressure on a subject, which stops nobody by itself. Answers those of the window. */
  notePressure(subject: string, nowMs: number): Promise<number>
  readPressure(subject: string, nowMs: number): Promise<number>
}
