import { api, dataOf } from '../../api/client.ts'

export const readBreaker = () => dataOf(api.GET('/api/user/circuit-breaker'))
export type Breaker = Awaited<ReturnType<typeof readBreaker>>
