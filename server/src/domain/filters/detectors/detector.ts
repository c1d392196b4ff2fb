import type { Span } from '../text/span.ts'

/** Finds one kind of data in a text whose digits and hyphens are ASCII. Runs in linear time. */
export type Detector = (text: string) => Span[]
