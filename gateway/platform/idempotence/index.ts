import { createHash } from 'node:crypto'
import '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { nanoid } from 'nanoid'
import { newId } from '../database'
import type { Database } from '../database'
import { ServiceError, contextOf, ok, readParts } from '../http'
import type { Answer } from '../http'
import { HEARTBEAT, KeyStore } from './keys'
import type { Held } from './keys'

export { idempotenceTables } from './tables'

export interface IdempotenceService {
  sweep(): Promise<void>
  close(): Promise<void>
}

interface HeldKey extends Held {
  settled: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    heldKey: HeldKey | null
  }
  interface FastifyContextConfig {
    /** The answer holds a secret and is never kept: a repeated key runs the call again. */
    unrepeatable?: boolean
  }
}

const HEADER = 'idempotency-key'
const KEY_SHAPE = /^[A-Za-z0-9_-]{8,128}$/
/**
 * The duplicate-submission guard (R283, R284): every call but GET that carries an Idempotency-Key runs once a day for each
 * person and key. The same payload gets the stored answer, another one 10010009, a running one 10010010.
 *
 * A write that settles its key in its own transaction (`context.idempotence.settle`) happens exactly once, whatever dies.
 * For other calls the answer is stored right before it is sent; a refusal frees the key, because nothing was written.
 */
export async function registerIdempotence(app: FastifyInstance, database: Database): Promise<IdempotenceService> {
  const keys = new KeyStore(database, newId())
  await keys.beat()
  if (database.kind !== 'postgres') await keys.releaseOthers()
  const heart = setInterval(
    () => void keys.beat().catch((error: unknown) => app.log.warn({ err: error }, 'the sign of life could not be written')),
    HEARTBEAT,
  )
  heart.unref()

  app.decorateRequest('heldKey', null)
  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers[HEADER]
    const context = request.callContext
    const reading = request.method === 'GET' || request.method === 'HEAD'
    if (typeof key !== 'string' || reading || !context || request.is404) return undefined
    if (request.routeOptions.config.unrepeatable) return undefined
    if (!KEY_SHAPE.test(key)) {
      throw new ServiceError('badRequest', {
        message: {
          zh: '幂等键格式不正确，请先调用取键接口。',
          en: 'The idempotence key has the wrong format. Please get one from the key call first.',
        },
        data: { errors: [{ field: 'Idempotency-Key', message: 'format' }] },
      })
    }
    const { staffId } = context.user
    const claim = await keys.claim(staffId, key, fingerprintOf(request))
    if (claim.kind === 'mismatch') throw new ServiceError('idempotenceMismatch')
    if (claim.kind === 'running') throw new ServiceError('idempotenceRunning')
    if (claim.kind === 'replay' && request.isMultipart()) await requireSameParts(request, claim.content)
    if (claim.kind === 'replay') return reply.header('x-idempotent-replay', 'true').status(claim.status).send(claim.answer)
    const held: HeldKey = { staffId, key, holder: claim.holder, settled: false }
    request.heldKey = held
    request.callContext = {
      ...context,
      idempotence: {
        settle: async (transaction, answer) => {
          await keys.settle(transaction, held, { status: 200, answer, content: request.partsDigest })
          held.settled = true
        },
      },
    }
    return undefined
  })
  app.addHook('preSerialization', async (request, reply, payload) => {
    const held = request.heldKey
    if (!held || held.settled || !isSuccess(payload, reply)) return payload
    await keys.settleAtEnd(held, { status: reply.statusCode, answer: payload, content: request.partsDigest })
    request.heldKey = null
    return payload
  })
  app.addHook('onSend', async (request, _reply, payload) => {
    const held = request.heldKey
    request.heldKey = null
    // A refusal, a fault or a file. A key that was settled in a transaction which was undone has no answer and is freed, too.
    if (held) await keys.end(held)
    return payload
  })
  app.get(
    '/v2/sys/staff/common/request/idempotence',
    { schema: { summary: 'A fresh idempotence key (R283)', tags: ['sys/staff'] } },
    (request) => {
      contextOf(request)
      return ok({ key: nanoid(24) })
    },
  )

  return {
    sweep: () => keys.sweep(),
    close: async () => {
      clearInterval(heart)
      await keys.leave()
    },
  }
}

function fingerprintOf(request: FastifyRequest): string {
  // The parts of an upload are compared when they were read (`requireSameParts`).
  const body = request.isMultipart() ? 'multipart' : JSON.stringify(sorted(request.body ?? null))
  return createHash('sha256').update(`${request.method} ${request.url}\n${body}`).digest('base64url')
}

/** An upload is repeated only with the same fields and the same bytes: they are read and thrown away. */
async function requireSameParts(request: FastifyRequest, content: string | null): Promise<void> {
  await readParts(request, undefined, async (stream) => {
    for await (const _chunk of stream);
  })
  if (request.partsDigest !== content) throw new ServiceError('idempotenceMismatch')
}

/** Objects with their keys in order, so that the same payload has one text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, part]) => [name, sorted(part)]),
  )
}

function isSuccess(payload: unknown, reply: FastifyReply): payload is Answer {
  return reply.statusCode < 300 && typeof payload === 'object' && payload !== null && 'code' in payload && payload.code === 0
}
