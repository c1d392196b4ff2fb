import { expect, it } from 'vitest'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { byokPath, startByokWorld } from './byok-world.ts'

it('[BYOK-12] [BYOK-13] own keys come and go in every process within a second or two', async () => {
  const world = await startByokWorld()
  const other = await startSecondGateway(world, {
    WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEIR_LIMITS_INFERENCE_FUNDED: '100000',
    WEIR_DRAIN_NOTICE_MS: '0',
  })
  const home = await world.newByokHome()
  const isOwn = async (): Promise<boolean> => {
    const { json, status } = await callChat({ url: other.url, key: home.key.key }, {})
    expect(status).toBe(200)
    return JSON.stringify(json['usage']).includes('cost_details')
  }
  expect(await isOwn()).toBe(false)
  const key = await home.addOwnKey()
  await expect.poll(isOwn).toBe(true)
  await home.manager.delete(`${byokPath}/${key['id']}`)
  await expect.poll(isOwn).toBe(false)
  await other.close()
  await world.close()
})
