import type { KingdeeForm } from './documents'
import { ownNumberField, type KingdeeModel } from './payload'

/** Where the Web API of Kingdee Cloud answers, and who asks. */
export interface KingdeeConnection {
  url: string
  /** Id of the account set. */
  account: string
  user: string
  password: string
}

/** What a document is at in Kingdee. */
export interface RemoteDocument {
  kingdeeId: string
  kingdeeNo: string
  /** Dictionary `kingdeeRemote`. */
  remoteStatus: string
}

/** Kingdee did not let us in; asked again later (money 6: AUTH). */
export class KingdeeRefusesEntry extends Error {}
/** No answer, or none that can be read; asked again later (money 6: NET). */
export class KingdeeUnreachable extends Error {}
/** Kingdee says no, in its words: nothing that another attempt would change. */
export class KingdeeRefuses extends Error {}

const LOGIN = 'Kingdee.BOS.WebApi.ServicesStub.AuthService.ValidateUser'
const FORMS = 'Kingdee.BOS.WebApi.ServicesStub.DynamicFormService'
const CHINESE = 2052
/** `MsgCode` of an answer whose session is over. */
const SESSION_LOST = 1

interface Answer {
  Result?: {
    ResponseStatus?: { IsSuccess?: boolean; MsgCode?: number; Errors?: { FieldName?: string; Message?: string }[] }
    Id?: unknown
    Number?: unknown
  }
}

const told = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/**
 * The Web API of Kingdee Cloud: save, submit and audit are calls of their own, a session is opened when the first call needs it and
 * once more when Kingdee has forgotten it. Calls go one after the other through the same session.
 */
export class KingdeeClient {
  private session: Promise<string> | undefined

  constructor(private readonly connection: KingdeeConnection) {}

  /** The document that carries our number, if Kingdee has it. */
  async find(formId: KingdeeForm, code: string, signal: AbortSignal): Promise<RemoteDocument | null> {
    const rows = await this.query(
      {
        FormId: formId,
        FieldKeys: 'FID,FBillNo,FDocumentStatus',
        FilterString: `${ownNumberField(formId)} = '${code}'`,
        Limit: 1,
      },
      signal,
    )
    const [row] = rows
    return row ? { kingdeeId: told(row[0]), kingdeeNo: told(row[1]), remoteStatus: told(row[2]) || 'A' } : null
  }

  /** Rows of a query, each a list of the fields asked for. @throws KingdeeRefuses */
  async query(asked: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown[][]> {
    const answer = await this.call('ExecuteBillQuery', [JSON.stringify(asked)], signal)
    const rows = Array.isArray(answer) ? (answer as unknown[]) : []
    return rows.filter((row): row is unknown[] => Array.isArray(row))
  }

  /** Saves a document and answers its id and number. @throws KingdeeRefuses with all of Kingdee's sentences */
  async save(formId: string, model: KingdeeModel, signal: AbortSignal): Promise<{ kingdeeId: string; kingdeeNo: string }> {
    const answer = await this.act('Save', formId, { NeedReturnFields: [], IsDeleteEntry: true, Model: model }, signal)
    return { kingdeeId: told(answer.Result?.Id), kingdeeNo: told(answer.Result?.Number) }
  }

  /** @throws KingdeeRefuses */
  async submit(formId: string, kingdeeNo: string, signal: AbortSignal): Promise<void> {
    await this.act('Submit', formId, { Numbers: [kingdeeNo] }, signal)
  }

  /** @throws KingdeeRefuses */
  async audit(formId: string, kingdeeNo: string, signal: AbortSignal): Promise<void> {
    await this.act('Audit', formId, { Numbers: [kingdeeNo] }, signal)
  }

  private async act(name: string, formId: string, content: object, signal: AbortSignal): Promise<Answer> {
    const answer = (await this.call(name, [formId, JSON.stringify(content)], signal)) as Answer
    const status = answer.Result?.ResponseStatus
    if (status?.IsSuccess) return answer
    throw new KingdeeRefuses(sentencesOf(answer) || `${name}: no answer that says what is wrong`)
  }

  private async call(name: string, parameters: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    for (let again = false; ; again = true) {
      this.session ??= this.logIn(signal)
      const session = this.session
      let cookie: string
      try {
        cookie = await session
      } catch (error) {
        if (this.session === session) this.session = undefined
        throw error
      }
      const { answer } = await this.post(`${FORMS}.${name}`, parameters, { signal, cookie })
      if (!lost(answer)) return refusedQuery(answer)
      if (this.session === session) this.session = undefined
      if (again) throw new KingdeeRefusesEntry(`AUTH: ${sentencesOf(answer) || 'the session is lost again and again'}`)
    }
  }

  private async logIn(signal: AbortSignal): Promise<string> {
    const { account, user, password } = this.connection
    const { answer, cookie } = await this.post(LOGIN, [account, user, password, CHINESE], { signal })
    const { LoginResultType, Message } = (answer ?? {}) as { LoginResultType?: number; Message?: string | null }
    if (LoginResultType !== 1) throw new KingdeeRefusesEntry(`AUTH: ${Message ?? `LoginResultType ${LoginResultType ?? '?'}`}`)
    return cookie
  }

  private async post(
    service: string,
    parameters: readonly unknown[],
    { signal, cookie }: { signal: AbortSignal; cookie?: string },
  ): Promise<{ answer: unknown; cookie: string }> {
    let response: Response
    let text: string
    try {
      response = await fetch(`${this.connection.url}/${service}.common.kdsvc`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(cookie === undefined ? {} : { cookie }) },
        body: JSON.stringify({ parameters }),
        signal,
      })
      text = await response.text()
    } catch (error) {
      throw new KingdeeUnreachable(`NET: ${error instanceof Error ? error.message : String(error)}`)
    }
    if (response.status === 401 || response.status === 403) throw new KingdeeRefusesEntry(`AUTH: HTTP ${response.status}`)
    if (!response.ok) throw new KingdeeUnreachable(`NET: HTTP ${response.status} ${text.trim().slice(0, 200)}`)
    const held = response.headers.getSetCookie().map((one) => one.split(';', 1)[0]!)
    return { answer: read(text), cookie: held.join('; ') }
  }
}

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new KingdeeUnreachable(`NET: ${text.trim().slice(0, 200) || 'an empty answer'}`)
  }
}

/** A query that fails answers its status where its rows would stand. */
const statusOf = (answer: unknown): NonNullable<Answer['Result']>['ResponseStatus'] | undefined => {
  const inner: unknown = Array.isArray(answer) ? (Array.isArray(answer[0]) ? (answer[0] as unknown[])[0] : undefined) : answer
  return inner !== null && typeof inner === 'object' ? (inner as Answer).Result?.ResponseStatus : undefined
}

const lost = (answer: unknown): boolean => {
  const status = statusOf(answer)
  return status?.IsSuccess === false && status.MsgCode === SESSION_LOST
}

const sentencesOf = (answer: unknown): string =>
  (statusOf(answer)?.Errors ?? [])
    .map(({ FieldName, Message }) => [FieldName, Message].filter(Boolean).join(': '))
    .join('; ')
    .trim()

function refusedQuery(answer: unknown): unknown {
  if (Array.isArray(answer) && statusOf(answer)?.IsSuccess === false) throw new KingdeeRefuses(sentencesOf(answer))
  return answer
}

const KNOWN: readonly (readonly [code: string, words: RegExp])[] = [
  ['ORG_CLOSED', /结账|关账|closed period|period is closed/i],
  ['DUP_NO', /重复|已存在|duplicate|already exists/i],
  ['PARTY_DISABLED', /禁用|失效|disabled/i],
  ['RATE_DIFF', /汇率|exchange rate/i],
  ['FIELD_REQUIRED', /必填|必录|不能为空|required/i],
]

/** The code of a refusal by Kingdee's sentence (money 6, errors); what is not known is REMOTE. */
export const errorCodeOf = (sentence: string): string => KNOWN.find(([, words]) => words.test(sentence))?.[0] ?? 'REMOTE'
