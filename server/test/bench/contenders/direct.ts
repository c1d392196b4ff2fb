import { benchModel, type PrepareContender, plainCaller } from './contender.ts'

/** No relay at all: the limit of the load and the mock themselves. */
export const prepareDirect: PrepareContender = async ({ mockPort }) => ({
  start: async () => ({
    port: mockPort,
    pid: null,
    model: benchModel,
    callers: [plainCaller],
    stop: async () => {},
  }),
})
