import { parseResponseId, publicResponseId } from '#domain/responses/response-id.ts'
import { parseBatchId, publicBatchId } from '#domain/batches/batch-id.ts'
import { parseFileId, publicFileId } from '#domain/files/file-id.ts'
import { parseJobId, publicJobId } from '#domain/video/job-id.ts'
import { newUuid } from '#lib/uuid.ts'
import type { Person, Place, Registry } from './people.ts'
import {
  findWallet,
  makeBatches,
  makeDocument,
  makeCustomerToken,
  makeEndCustomer,
  makeNote,
  makeNotice,
  makeJob,
  makeOperators,
  makeOperatedThings,
  makeOwnKey,
  makeRun,
  makeThings,
  makeTopUp,
  type Things,
} from './make-things.ts'
import type { Target } from '#test/oracle/targets.ts'

export interface ThingFinder {
  /** The ids for a path. Requests that delete get new things: a whole team, or things within one. */
  find(caller: Person, target: Target, made: 'before' | 'team' | 'in team'): Promise<Things>
}

interface ThingOptions {
  readonly registry: Registry
  readonly places: { readonly home: Place; readonly away: Place }
  readonly marks: { readonly home: string; readonly away: string }
  /** Deletes the things of an organization as its administrator would. */
  readonly vanish: (things: Things) => Promise<void>
  /** Sends a request whose response is stored. Null if the client may not. */
  readonly storeResponse: (headers: Record<string, string>) => Promise<string | null>
}

export async function createThingFinder(options: ThingOptions): Promise<ThingFinder> {
  const { registry, places, marks, vanish } = options
  const { home, away } = places
  const make = (where: 'home' | 'away', teamId: string): Promise<Things> =>
    makeThings(registry, { organizationId: places[where].organizationId, teamId, mark: marks[where] })
  const operated = await makeOperatedThings(registry)
  const own = { ...(await make('home', home.teamId)), ...operated }
  const otherTeam = { ...(await make('home', home.otherTeamId)), ...operated }
  const foreign = { ...(await make('away', away.teamId)), ...operated }
  const doomedTeam = await registry.addTeam(home.organizationId)
  const vanished = { ...neverWas(), ...(await make('home', doomedTeam.teamId)) }
  await vanish(vanished)
  const deserted = await vanishedOrganization(registry)
  const accounts = createAccountThings(options)

  async function made(target: 'own' | 'other team' | 'foreign', what: 'team' | 'in team'): Promise<Things> {
    const where = target === 'foreign' ? 'away' : 'home'
    const standing = { own, 'other team': otherTeam, foreign }[target]
    const organizationId = places[where].organizationId
    const teamId = what === 'team' ? (await registry.addTeam(organizationId)).teamId : (standing['teamId'] ?? '')
    return { ...standing, ...(await make(where, teamId)) }
  }

  async function inOrganization(target: Target, what: 'before' | 'team' | 'in team'): Promise<Things> {
    switch (target) {
      case 'own':
      case 'other team':
      case 'foreign':
        return what === 'before' ? { own, 'other team': otherTeam, foreign }[target] : made(target, what)
      case 'own, foreign inside':
        return { ...foreign, orgId: home.organizationId }
      case 'own, vanished inside':
        return { ...vanished, orgId: home.organizationId }
      case 'own, never-was inside':
        return { ...neverWas(), orgId: home.organizationId }
      case 'vanished':
        return { ...vanished, orgId: deserted }
      case 'never-was':
        return neverWas()
    }
  }

  /** An operator deletes other operators, each once. */
  async function operatorsFor(caller: Person, target: Target, isFresh: boolean): Promise<Things> {
    const deletes = isFresh && caller.operates !== null && (target === 'own' || target === 'foreign')
    return deletes ? makeOperators(registry) : {}
  }

  return {
    find: async (caller, target, what) => ({
      ...(await inOrganization(target, what)),
      ...(await accounts(caller, target, what !== 'before')),
      ...(what !== 'before' && target !== 'never-was' ? { noteId: await makeNote(registry, operated) } : {}),
      ...(await operatorsFor(caller, target, what !== 'before')),
    }),
  }
}

const unknownResponse = (): string => publicResponseId(newUuid(Date.now()))

/** Of a document: the series of a year begins at 1, and no test gets this far. */
const unusedNumber = 'WEIR-2026-999999'

/**
 * The ids of an account's own things in paths: a key, a job, a customer, a run, a response, a wallet, an order and its
 * receipt.
 * They are created on first use.
 */
function createAccountThings({
  registry,
  places,
  storeResponse,
}: ThingOptions): (caller: Person, target: Target, isFresh: boolean) => Promise<Things> {
  const kept = new Map<string, Promise<Things>>()
  const keep = (name: string, make: () => Promise<Things>): Promise<Things> => {
    const found = kept.get(name) ?? make()
    kept.set(name, found)
    return found
  }
  const stranger = async (): Promise<Things> => {
    const { key, keyId, walletId } = await registry.createClient()
    const jobId = await makeJob(registry, newUuid(Date.now()))
    const topUpId = await makeTopUp(registry, walletId)
    const customerId = await makeEndCustomer(registry, walletId)
    const customerTokenId = await makeCustomerToken(registry, customerId, keyId)
    const number = await makeDocument(registry, walletId, topUpId)
    const noticeId = await makeNotice(registry, walletId)
    const runId = await makeRun(registry, walletId, keyId)
    const responseId = (await storeResponse({ authorization: `Bearer ${key}` })) ?? unknownResponse()
    const ids = { jobId, customerId, customerTokenId, runId, responseId, topUpId, number, noticeId }
    return { ...(await makeBatches(registry, walletId, keyId)), id: keyId, walletId, ...ids }
  }
  const ofCaller = async (caller: Person): Promise<Things> => {
    const bound = caller.boundTo === null ? null : places[caller.boundTo]
    const id = (await makeOwnKey(registry, bound, caller)) ?? newUuid(Date.now())
    const walletId = await findWallet(registry, bound, caller)
    const topUpId = await makeTopUp(registry, walletId)
    const number = await makeDocument(registry, walletId, topUpId)
    const [customerId, noticeId] = [await makeEndCustomer(registry, walletId), await makeNotice(registry, walletId)]
    const runId = await makeRun(registry, walletId, caller.keyId ?? null)
    const customerTokenId = await makeCustomerToken(registry, customerId, id)
    const jobId = await makeJob(registry, walletId)
    const responseId = (await storeResponse(caller.headers)) ?? unknownResponse()
    const batches = await makeBatches(registry, walletId, caller.keyId ?? null)
    const ids = { id, jobId, customerId, customerTokenId, runId, responseId, walletId, topUpId, number, noticeId }
    return { ...batches, ...ids }
  }
  const gone = async (caller: Person): Promise<Things> => {
    const things = await ofCaller(caller)
    await registry.pool.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [things['id']])
    const jobId = things['jobId'] ?? ''
    const { rowCount } = await registry.pool.query('DELETE FROM video_jobs WHERE id = $1', [parseJobId(jobId)])
    if (rowCount !== 1) throw new Error(`no job ${jobId} to delete`)
    await registry.pool.query('DELETE FROM end_customers WHERE id = $1', [things['customerId']])
    await registry.pool.query('DELETE FROM runs WHERE id = $1', [things['runId']])
    await deleteStored(registry, things)
    // A wallet, its orders and its receipts outlive their owner, so ids that never existed stand for deleted ones.
    const [walletId, topUpId, noticeId] = [newUuid(Date.now()), newUuid(Date.now()), newUuid(Date.now())]
    return { ...things, walletId, topUpId, noticeId, number: unusedNumber }
  }
  return async (caller, target, isFresh) => {
    switch (target) {
      case 'own':
        return isFresh ? ofCaller(caller) : keep(`own ${caller.name}`, () => ofCaller(caller))
      case 'vanished':
        return keep(`gone ${caller.name}`, () => gone(caller))
      case 'never-was':
        return neverMade()
      default:
        return keep('stranger', stranger)
    }
  }
}

async function deleteStored({ pool }: Registry, things: Things): Promise<void> {
  await pool.query('DELETE FROM stored_responses WHERE id = $1', [parseResponseId(things['responseId'] ?? '')])
  await pool.query('DELETE FROM files WHERE id = $1', [parseFileId(things['fileId'] ?? '')])
  const openAi = parseBatchId('openai', things['batchId'] ?? '')
  const messages = parseBatchId('messages', things['messageBatchId'] ?? '')
  await pool.query('DELETE FROM batches WHERE id = ANY ($1::uuid[])', [[openAi, messages]])
}

/** Ids of things that no account ever had. */
function neverMade(): Things {
  return {
    id: newUuid(Date.now()),
    jobId: publicJobId(newUuid(Date.now())),
    customerId: newUuid(Date.now()),
    runId: newUuid(Date.now()),
    responseId: unknownResponse(),
    fileId: publicFileId(newUuid(Date.now())),
    batchId: publicBatchId('openai', newUuid(Date.now())),
    messageBatchId: publicBatchId('messages', newUuid(Date.now())),
    customerTokenId: newUuid(Date.now()),
    walletId: newUuid(Date.now()),
    topUpId: newUuid(Date.now()),
    noticeId: newUuid(Date.now()),
    number: unusedNumber,
  }
}

/**
 * No endpoint deletes an organization, but an operator may. Its remains must look like an organization that never
 * existed.
 */
async function vanishedOrganization(registry: Registry): Promise<string> {
  const { id } = await registry.createOrganization({ usd: '0' })
  await registry.pool.query('DELETE FROM organizations WHERE id = $1', [id])
  return id
}

const names =
  'orgId teamId memberId keyId institutionKeyId sessionId ruleId ownKeyId invitationId tokenId domainId connectionId userRef walletRef customerRef organizationRef noteId announcementId accountName campaignId requestId month operatorRef operatorKeyId'.split(
    ' ',
  )

function neverWas(): Things {
  return Object.fromEntries(names.map((name) => [name, newUuid(Date.now())]))
}
