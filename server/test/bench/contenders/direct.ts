import { benchModel, type PrepareContender, plainCaller } from './contender.ts'

/** No relay at all: what load and mock can do by themselves. */
export const prepareDirect: PrepareContender = async ({ mockPort }) => ({
  start: async () => ({
    port: mockPort,
    pid: null,
    model: benchModel,
    callers: [plainCaller],
    stop: async () => {},
  }),
})
