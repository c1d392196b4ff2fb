export const counterNames = ['promises', 'timers', 'redis', 'kb', 'bigints', 'statements'] as const
export type Counter = (typeof counterNames)[number]
export type Counters = Readonly<Record<Counter, number>>

/** Counters by kind: a request, or one more chunk of a stream. */
export type CountedKinds = Readonly<Record<string, Counters>>
