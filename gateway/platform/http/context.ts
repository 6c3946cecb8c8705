import type { FastifyRequest } from 'fastify'
import type { Executor } from '../database'
import type { Answer } from './answer'
import { ServiceError } from './serviceError'
import type { Locale } from './text'

/** Row scope that a role grants on an entity. */
export type Scope = 'own' | 'shared' | 'department' | 'departmentTree' | 'all'
/** What a field rule does; from the strictest to the least strict. */
export type FieldRule = 'hide' | 'mask' | 'read'

/** The member of staff behind a call. Ids are those of sys.staff and sys.department. */
export interface ContextUser {
  /** Same as staffId (R143 has both). */
  readonly userId: string
  readonly staffId: string
  readonly name: string
  readonly nameEn: string | null
  readonly jobNumber: string
  /** All departments, the main one included. */
  readonly deptIds: readonly string[]
  readonly mainDeptId: string | null
  /** Departments whose leader the person is. */
  readonly ledDeptIds: readonly string[]
  /** Departments for the scopes `department` and `departmentTree`: those the person leads or belongs to. */
  readonly scopeDeptIds: readonly string[]
  /** These and all departments below them. */
  readonly scopeTreeIds: readonly string[]
  /** Codes of the enabled roles that the person holds now. */
  readonly roleCodes: readonly string[]
}

/** The idempotence key of a call. */
export interface IdempotenceSlot {
  /**
   * Stores the answer under the key, inside the transaction of the write: both are kept or neither is.
   * Call it last in the transaction, once. Rejects (and so rolls the write back) when the key was taken over in between.
   */
  settle(transaction: Executor, answer: Answer): Promise<void>
}

/** A transition (and its effect) that caused a write. */
export interface WriteCause {
  readonly entity: string
  /** As it is told: the first of many with the number of the others. */
  readonly recordId: string
  /** All of them. */
  readonly ids: readonly string[]
  readonly transition: string
  readonly effect?: string
}

/** Who calls, what they may do and in which language: everything a service needs to know of a request. */
export interface RequestContext {
  /** system: jobs, the demo world, start-up; passes every permission check. */
  readonly kind: 'staff' | 'system'
  readonly user: ContextUser
  /** Permission keys: international of menu resources and keys of buttons. */
  readonly permissions: ReadonlySet<string>
  /** Scopes by entity name; the entry `*` holds for every entity. Read it with `scopesOf`. */
  readonly scopes: Readonly<Record<string, readonly Scope[]>>
  /** Rules by `entity.field`, e.g. `crm.customer.phone`; no entry = no rule. */
  readonly fieldRules: Readonly<Record<string, FieldRule>>
  readonly locale: Locale
  /** One clock for the whole request. */
  readonly now: Date
  readonly traceId: string
  readonly ip: string
  /** Session behind the token; empty for the system. */
  readonly sessionId: string
  /** What led to a write that an effect makes, the first cause first. */
  readonly causes?: readonly WriteCause[]
  /** Present when the request carries an Idempotency-Key. */
  readonly idempotence?: IdempotenceSlot
}

/** True when the caller holds the permission key. */
export function can(context: RequestContext, key: string): boolean {
  return context.kind === 'system' || context.permissions.has(key)
}

/** Refuses with code 10010003 unless the caller holds the key. */
export function requirePermission(context: RequestContext, key: string): void {
  if (!can(context, key)) throw new ServiceError('noPermission', { data: { permission: key } })
}

/** The caller's row scopes for an entity, wildcard grants included. */
export function scopesOf(context: RequestContext, entity: string): readonly Scope[] {
  if (context.kind === 'system') return ['all']
  const own = context.scopes[entity]
  const every = context.scopes['*']
  if (own && every) return [...new Set([...own, ...every])]
  return own ?? every ?? []
}

/** The caller's rule for a field, or undefined when nothing restricts it. */
export function fieldRuleOf(context: RequestContext, entity: string, field: string): FieldRule | undefined {
  return context.kind === 'system' ? undefined : context.fieldRules[`${entity}.${field}`]
}

/** The context of jobs, start-up and the demo world. */
export function systemContext(options: { now?: Date; locale?: Locale; traceId?: string } = {}): RequestContext {
  return {
    kind: 'system',
    user: {
      userId: '',
      staffId: '',
      name: 'system',
      nameEn: null,
      jobNumber: '',
      deptIds: [],
      mainDeptId: null,
      ledDeptIds: [],
      scopeDeptIds: [],
      scopeTreeIds: [],
      roleCodes: [],
    },
    permissions: new Set(),
    scopes: {},
    fieldRules: {},
    locale: options.locale ?? 'zh',
    now: options.now ?? new Date(),
    traceId: options.traceId ?? 'system',
    ip: '',
    sessionId: '',
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the session check of every route that is not open. Read it with `contextOf`. */
    callContext: RequestContext | null
    /** Language of the answer; known for signed-out callers too. */
    locale: Locale
  }
  interface FastifyContextConfig {
    /** Answers without a session. */
    open?: boolean
    /** Takes the token from the portal's cookie too: only reads, of what people open by its address. */
    tokenCookie?: boolean
    /** Key that the caller must hold; with several, one of them is enough. */
    permission?: string | readonly string[]
  }
}

/** The context of a signed-in request; refuses with 11008 on open routes that were called without a token. */
export function contextOf(request: FastifyRequest): RequestContext {
  if (!request.callContext) throw new ServiceError('tokenInvalid')
  return request.callContext
}
